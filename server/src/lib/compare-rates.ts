// Whether two shares differ, and how sure that is.

/** A part of a total. */
export interface Share {
  part: number;
  whole: number;
}

/** Never more than 1: in a window, what came of earlier messages may be more than what was sent in it. */
export function share(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.min(1, part / whole);
}

interface Comparison {
  /** Null if one of the two is empty: nothing is known then. */
  difference: number | null;
  /** Of the difference, with 95 % confidence. */
  interval: [number, number] | null;
  /** Also null if the second share is 0. */
  lift: number | null;
}

/** Of the normal distribution, 2.5 % lie above it. */
const z = 1.959963984540054;

/**
 * The first share against the second. The interval is Newcombe's hybrid score interval (Statistics in Medicine 17, 1998, p. 873–890, method
 * 10): good for small groups and for shares near 0 and 1, where the usual one leaves the range or has no width.
 */
export function compareRates(one: Share, other: Share): Comparison {
  if (one.whole === 0 || other.whole === 0) return { difference: null, interval: null, lift: null };
  const [p1, p2] = [share(one.part, one.whole), share(other.part, other.whole)];
  const [low1, high1] = wilson(p1, one.whole);
  const [low2, high2] = wilson(p2, other.whole);
  const difference = p1 - p2;
  const low = difference - Math.hypot(p1 - low1, high2 - p2);
  const high = difference + Math.hypot(high1 - p1, p2 - low2);
  return { difference, interval: [Math.max(-1, low), Math.min(1, high)], lift: p2 === 0 ? null : p1 / p2 - 1 };
}

/** Wilson's score interval of one share. */
function wilson(p: number, n: number): [number, number] {
  const middle = 2 * n * p + z * z;
  const half = z * Math.sqrt(z * z + 4 * n * p * (1 - p));
  const whole = 2 * (n + z * z);
  // Exact at the ends, whatever the rounding.
  return [p === 0 ? 0 : (middle - half) / whole, p === 1 ? 1 : (middle + half) / whole];
}
