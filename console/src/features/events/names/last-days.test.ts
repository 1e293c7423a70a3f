import { expect, it } from 'vitest';
import { lastDays } from './last-days.ts';

it('has every day up to today, with 0 for those that the answer leaves out', () => {
  const days = lastDays([{ day: '2026-03-01', count: 7 }], new Date('2026-03-02T23:30:00Z'), 3);
  expect(days).toEqual([
    { day: '2026-02-28', count: 0 },
    { day: '2026-03-01', count: 7 },
    { day: '2026-03-02', count: 0 },
  ]);
});

it('has thirty of them unless told', () => {
  expect(lastDays([], new Date('2026-03-02T00:00:00Z'))).toHaveLength(30);
});
