// Numbers of rows, tables and bytes, for sentences.

export function counted(count: number, singular: string): string {
  return `${count.toLocaleString('en')} ${count === 1 ? singular : `${singular}s`}`;
}

export function sum(counts: Iterable<number>): number {
  let total = 0;
  for (const count of counts) total += count;
  return total;
}
