// Which known name may have been meant. Pure.

/** The nearest name, if it is similar enough for a person to suggest it: a third of its letters, three at most. */
export function nearestName(word: string, names: readonly string[]): string | undefined {
  let best: { name: string; distance: number } | undefined;
  const most = Math.min(3, Math.max(1, Math.floor(word.length / 3)));
  for (const name of names) {
    if (Math.abs(name.length - word.length) > most) continue;
    const distance = distanceOf(word.toLowerCase(), name.toLowerCase());
    if (distance <= most && (!best || distance < best.distance)) best = { name, distance };
  }
  return best?.name;
}

/** The number of letters to insert, delete, replace or swap with their neighbour. */
function distanceOf(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1];
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const step = Math.min(
        (rows[i - 1]?.[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (rows[i - 1]?.[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (rows[i - 2]?.[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
      row.push(step);
    }
    rows.push(row);
  }
  return rows[one.length]?.[other.length] ?? 0;
}
