// Which result comes first: the one that fits what was typed best, whatever it is; of those that fit alike, what was used last. Pure.

interface Rankable {
  id: string;
  title: string;
  /** What is shown below the title, or other words that people use for it. */
  text?: string | undefined;
  words?: string | undefined;
}

/** From best to worst. */
const fits = ['exact', 'prefix', 'word', 'inside', 'elsewhere'] as const;
type Fit = (typeof fits)[number];

/** How well it fits; undefined if nothing of it does. */
export function fitOf({ title, text = '', words = '' }: Omit<Rankable, 'id'>, typed: string): Fit | undefined {
  const [name, asked] = [folded(title), folded(typed)];
  if (name === asked) return 'exact';
  if (name.startsWith(asked)) return 'prefix';
  if (beginsWord(name, asked)) return 'word';
  if (name.includes(asked)) return 'inside';
  const all = `${name} ${folded(text)} ${folded(words)}`;
  // In any order, and only the first letters of each: "person inv".
  return asked.split(/\s+/).every((word) => beginsWord(all, word)) || all.includes(asked) ? 'elsewhere' : undefined;
}

/**
 * Best first. `recent` has the ids that were used last, the latest first. What fits nowhere comes last: the service found it by something that
 * is not shown.
 */
export function ranked<Item extends Rankable>(
  items: readonly Item[],
  typed: string,
  recent: readonly string[],
): Item[] {
  const placed = items.map((item) => {
    const fit = fitOf(item, typed);
    const used = recent.indexOf(item.id);
    return { item, fit: fit ? fits.indexOf(fit) : fits.length, used: used < 0 ? recent.length : used };
  });
  // Sorting keeps the order of equals.
  return placed.sort((a, b) => a.fit - b.fit || a.used - b.used).map(({ item }) => item);
}

/** Letters without case and accents. */
function folded(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();
}

function beginsWord(text: string, start: string): boolean {
  for (let at = text.indexOf(start); at >= 0; at = text.indexOf(start, at + 1))
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '')) return true;
  return false;
}
