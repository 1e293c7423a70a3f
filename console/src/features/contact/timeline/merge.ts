// Merges several streams, each read page by page and newest first, into one. Pure.

export interface Stream<Item> {
  items: readonly Item[];
  /** There is nothing older to read. */
  isDone: boolean;
}

interface Story<Item> {
  /** Newest first, only as far back as every stream is known: nothing is inserted in between later. */
  items: Item[];
  /** Which streams must be read further to continue. */
  behind: number[];
}

export function mergeStreams<Item extends { at: string }>(streams: readonly Stream<Item>[]): Story<Item> {
  const ends = streams.map(({ items, isDone }) => {
    const last = items.at(-1);
    if (isDone) return Number.NEGATIVE_INFINITY;
    return last ? Date.parse(last.at) : Number.POSITIVE_INFINITY;
  });
  const horizon = Math.max(...ends, Number.NEGATIVE_INFINITY);
  const items = streams
    .flatMap(({ items: own }) => own)
    .filter(({ at }) => Date.parse(at) >= horizon)
    .toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at));
  const behind = ends.flatMap((end, at) => (end === horizon && end !== Number.NEGATIVE_INFINITY ? [at] : []));
  return { items, behind };
}
