import { expect, it } from 'vitest';
import { amountOf, durationOf, milliseconds, partsOf, sayDuration } from './duration.ts';

it('reads and says durations as people do', () => {
  expect(sayDuration('P1D')).toBe('1 day');
  expect(sayDuration('P2W')).toBe('2 weeks');
  expect(sayDuration('PT90M')).toBe('90 minutes');
  expect(sayDuration('P1DT12H')).toBe('1 day 12 hours');
  expect(sayDuration('soon')).toBe('soon');
  for (const bad of ['P', 'PT', 'P1DT', 'P1Y', '', '1D']) expect(partsOf(bad) ?? []).toEqual([]);
});

it('shows one of several units in the smallest of them', () => {
  expect(amountOf('P1DT12H')).toEqual({ amount: 36, unit: 'hours' });
  expect(amountOf('P3D')).toEqual({ amount: 3, unit: 'days' });
  expect(amountOf('soon')).toBeUndefined();
  for (const text of ['P3D', 'P2W', 'PT5H', 'PT10M', 'PT30S'])
    expect(durationOf(amountOf(text) ?? { amount: 0, unit: 'days' })).toBe(text);
});

it('knows how long they are, before and after', () => {
  expect(milliseconds('P1DT1H')).toBe(90_000_000);
  expect(milliseconds('-P7D')).toBe(-604_800_000);
  expect(milliseconds('soon')).toBe(0);
});
