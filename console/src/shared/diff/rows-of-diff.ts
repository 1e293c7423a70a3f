// Two texts side by side, line by line. Pure.
import { diffLines } from 'diff';

interface DiffRow {
  /** Undefined: this side has no such line. */
  left: string | undefined;
  right: string | undefined;
  isSame: boolean;
}

export function rowsOfDiff(left: string, right: string): DiffRow[] {
  const rows: DiffRow[] = [];
  let removed: string[] = [];
  const flush = (added: string[]) => {
    for (let at = 0; at < Math.max(removed.length, added.length); at++)
      rows.push({ left: removed[at], right: added[at], isSame: false });
    removed = [];
  };
  for (const part of diffLines(left, right)) {
    const lines = part.value.replace(/\n$/, '').split('\n');
    if (part.removed) removed.push(...lines);
    else if (part.added) flush(lines);
    else {
      flush([]);
      rows.push(...lines.map((line) => ({ left: line, right: line, isSame: true })));
    }
  }
  flush([]);
  return rows;
}

/** Only the differences, with a few lines around them; `undefined` stands for omitted lines. */
export function withoutLongSame(rows: readonly DiffRow[], around = 2): (DiffRow | undefined)[] {
  const near = rows.map((_, at) => rows.slice(Math.max(0, at - around), at + around + 1).some((row) => !row.isSame));
  const shown: (DiffRow | undefined)[] = [];
  for (const [at, row] of rows.entries()) {
    if (near[at]) shown.push(row);
    else if (shown.at(-1) !== undefined || shown.length === 0) shown.push(undefined);
  }
  return shown;
}
