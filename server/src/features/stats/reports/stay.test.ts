import fc from 'fast-check';
import { expect, it } from 'vitest';
import { stayOf } from './stay.js';

/** As visits are counted when a contact leaves a step. */
function bucketsOf(durations: readonly number[]): Map<number, number> {
  const buckets = new Map<number, number>();
  for (const ms of durations) {
    const bucket = Math.round(8 * Math.log2(Math.max(1, ms)));
    buckets.set(bucket, (buckets.get(bucket) ?? 0) + 1);
  }
  return buckets;
}

/** The nearest rank among the durations themselves. */
function exact(durations: readonly number[], share: number): number {
  const sorted = durations.toSorted((a, b) => a - b);
  return (sorted[Math.ceil(share * sorted.length) - 1] ?? 0) / 1000;
}

it('is within 5 % of the durations themselves, from a millisecond to ten years', () => {
  // Evenly on a logarithmic scale: short ones are as likely as long ones.
  const duration = fc.double({ min: 0, max: Math.log(10 * 365 * 86_400_000), noNaN: true }).map((x) => Math.exp(x));
  fc.assert(
    fc.property(fc.array(duration, { minLength: 1, maxLength: 300 }), (durations) => {
      const stay = stayOf(bucketsOf(durations));
      for (const [found, share] of [
        [stay?.p50, 0.5],
        [stay?.p90, 0.9],
      ] as const) {
        const wanted = exact(durations, share);
        expect(found).toBeGreaterThanOrEqual(wanted * 0.95);
        expect(found).toBeLessThanOrEqual(wanted * 1.05);
      }
    }),
  );
});

it('takes the first value that covers the share', () => {
  expect(stayOf(new Map([[0, 1]]))).toEqual({ p50: 0.001, p90: 0.001 });
  const ten = new Map([
    [80, 9],
    [0, 5],
    [160, 1],
  ]);
  // Of 15: five at 1 ms, nine at 1.024 s, one at 1,048.576 s.
  expect(stayOf(ten)).toEqual({ p50: 1.024, p90: 1.024 });
  expect(stayOf(new Map([...ten, [160, 2]]))).toEqual({ p50: 1.024, p90: 1049 });
});

it('is null if no contact left', () => {
  expect(stayOf(new Map())).toBeNull();
  expect(stayOf(new Map([[12, 0]]))).toBeNull();
});
