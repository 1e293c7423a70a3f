// How long contacts stay at a step, from counts in logarithmic buckets: eight per doubling, so a value is accurate within 4.5 %.

interface Stay {
  /** Seconds. */
  p50: number;
  p90: number;
}

const bucketsPerDoubling = 8;

/** `visits`: how many lasted about 2^(n/8) milliseconds, by n. Null if there were none. */
export function stayOf(visits: ReadonlyMap<number, number>): Stay | null {
  const buckets = [...visits].filter(([, n]) => n > 0).sort(([a], [b]) => a - b);
  const all = buckets.reduce((sum, [, n]) => sum + n, 0);
  if (all === 0) return null;
  return { p50: secondsOf(bucketAt(buckets, all * 0.5)), p90: secondsOf(bucketAt(buckets, all * 0.9)) };
}

/** The nearest rank: the first bucket that covers at least that share of visits. */
function bucketAt(buckets: readonly (readonly [number, number])[], rank: number): number {
  let covered = 0;
  for (const [bucket, n] of buckets) {
    covered += n;
    if (covered >= rank) return bucket;
  }
  return buckets.at(-1)?.[0] ?? 0;
}

/** Four digits: more would claim a precision that is not there. */
function secondsOf(bucket: number): number {
  return Number((2 ** (bucket / bucketsPerDoubling) / 1000).toPrecision(4));
}
