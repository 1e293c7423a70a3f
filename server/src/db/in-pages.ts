/**
 * Yields the rows of a read of any size, a page at a time: the next page is read once the last one is used up. `read` continues after the last row
 * it returned, by key; a page that is not full is the last.
 */
export async function* inPages<Row>(
  size: number,
  read: (after: Row | undefined, size: number) => Promise<Row[]>,
): AsyncGenerator<Row> {
  for (let after: Row | undefined; ; ) {
    const rows = await read(after, size);
    yield* rows;
    after = rows.at(-1);
    if (after === undefined || rows.length < size) return;
  }
}
