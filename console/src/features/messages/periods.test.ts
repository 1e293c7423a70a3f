import { expect, it } from 'vitest';
import { periods, startOf } from './periods.ts';

const now = Date.parse('2026-11-16T12:00:00Z');

it('bounds each period that it offers, and no other', () => {
  expect(periods.map(({ value }) => startOf(value, now))).toEqual([
    '2026-11-15T12:00:00.000Z',
    '2026-11-09T12:00:00.000Z',
    '2026-10-17T12:00:00.000Z',
  ]);
  expect(startOf(undefined, now)).toBeUndefined();
  expect(startOf('forever', now)).toBeUndefined();
});
