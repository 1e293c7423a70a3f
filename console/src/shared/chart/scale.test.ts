import fc from 'fast-check';
import { expect, it } from 'vitest';
import { linePath, ticksTo } from './scale.ts';

it('goes in round, whole steps from nothing to at least the largest value', () => {
  expect(ticksTo(7)).toEqual([0, 2, 4, 6, 8]);
  expect(ticksTo(0)).toEqual([0, 1]);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2_000_000_000 }), (largest) => {
      const ticks = ticksTo(largest);
      expect(ticks[0]).toBe(0);
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(largest);
      expect(ticks.length).toBeLessThan(8);
      expect(ticks.every(Number.isInteger)).toBe(true);
    }),
  );
});

it('draws a line from left to right', () => {
  expect(
    linePath([
      { x: 0, y: 10 },
      { x: 5.04, y: 2 },
    ]),
  ).toBe('M0 10L5 2');
});
