import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareRates } from './compare-rates.js';

const group = (part: number, whole: number) => ({ part, whole });

describe('the interval of a difference', () => {
  // Newcombe, Interval estimation for the difference between independent proportions, 1998, table II, method 10.
  it.each([
    [56, 70, 48, 80, 0.0524, 0.3339],
    [9, 10, 3, 10, 0.1705, 0.809],
    [6, 7, 2, 7, 0.0582, 0.8062],
    [5, 56, 0, 29, -0.0381, 0.1926],
    [0, 10, 0, 20, -0.1611, 0.2775],
    [0, 10, 0, 10, -0.2775, 0.2775],
    [10, 10, 0, 20, 0.6791, 1],
    [10, 10, 0, 10, 0.6075, 1],
  ])('is that which Newcombe published for %d/%d against %d/%d', (a, m, b, n, low, high) => {
    const { interval } = compareRates(group(a, m), group(b, n));
    expect(interval?.map((end) => Number(end.toFixed(4)))).toEqual([low, high]);
  });

  const some = fc
    .nat({ max: 100_000 })
    .chain((n) => fc.record({ whole: fc.constant(n + 1), part: fc.nat({ max: n + 1 }) }));

  it('holds the difference, stays within −1 and 1, and turns around with the groups', () => {
    fc.assert(
      fc.property(some, some, (one, other) => {
        const { difference, interval } = compareRates(one, other);
        const [low, high] = interval ?? [Number.NaN, Number.NaN];
        expect(low).toBeGreaterThanOrEqual(-1);
        expect(low).toBeLessThanOrEqual(difference ?? Number.NaN);
        expect(high).toBeGreaterThanOrEqual(difference ?? Number.NaN);
        expect(high).toBeLessThanOrEqual(1);
        const turned = compareRates(other, one).interval;
        expect(turned?.[0]).toBeCloseTo(-high, 12);
        expect(turned?.[1]).toBeCloseTo(-low, 12);
      }),
    );
  });

  it('gets narrower with more people', () => {
    const width = (times: number) => {
      const { interval } = compareRates(group(3 * times, 10 * times), group(2 * times, 10 * times));
      return (interval?.[1] ?? 0) - (interval?.[0] ?? 0);
    };
    expect(width(10)).toBeLessThan(width(1));
    expect(width(100)).toBeLessThan(width(10));
  });
});

describe('a comparison', () => {
  it('has the lift of the first share over the second', () => {
    const { difference, lift } = compareRates(group(30, 100), group(20, 100));
    expect(difference).toBeCloseTo(0.1, 12);
    expect(lift).toBeCloseTo(0.5, 12);
    expect(compareRates(group(10, 100), group(20, 100)).lift).toBe(-0.5);
  });

  it('has no lift over nothing', () => {
    expect(compareRates(group(30, 100), group(0, 100))).toMatchObject({ difference: 0.3, lift: null });
  });

  it('says nothing while a group is empty', () => {
    const nothing = { difference: null, interval: null, lift: null };
    expect(compareRates(group(0, 0), group(5, 10))).toEqual(nothing);
    expect(compareRates(group(5, 10), group(0, 0))).toEqual(nothing);
    expect(compareRates(group(0, 0), group(0, 0))).toEqual(nothing);
  });

  it('counts more goals than entries, as a short window may have, as 100 %', () => {
    expect(compareRates(group(12, 10), group(5, 10))).toMatchObject({ difference: 0.5, lift: 1 });
  });
});
