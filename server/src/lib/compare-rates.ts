// Whether two proportions differ, and with what confidence.

/** A part of a total. */
export interface Share {
  part: number;
  whole: number;
}

/** Never more than 1: in a window, the results of earlier messages may exceed what was sent in it. */
export function share(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.min(1, part / whole);
}

interface Comparison {
  /** Null if one of the two is empty: then nothing is known. */
  difference: number | null;
  /** The interval of the difference, with 95 % confidence. */
  interval: [number, number] | null;
  /** Also null if the second proportion is 0. */
  lift: number | null;
}

/** 2.5 % of the normal distribution lie above it. */
const z = 1.959963984540054;

/**
 * Compares the first proportion with the second. The interval is Newcombe's hybrid score interval (Statistics in Medicine 17, 1998, p. 873–890,
 * method 10): good for small groups and for proportions near 0 and 1, where the usual one leaves the range or has no width.
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

/** Wilson's score interval of one proportion. */
function wilson(p: number, n: number): [number, number] {
  const middle = 2 * n * p + z * z;
  const half = z * Math.sqrt(z * z + 4 * n * p * (1 - p));
  const whole = 2 * (n + z * z);
  // Exact at the ends, whatever the rounding.
  return [p === 0 ? 0 : (middle - half) / whole, p === 1 ? 1 : (middle + half) / whole];
}
