import { expect, it } from 'vitest';
import { dayName } from '../../../shared/chart/day-name.ts';
import { everyDay } from './days.ts';

const part = (time: string) => ({ time, sent: 1 });

it('has every day of the window, with what happened on it', () => {
  const { times, partAt } = everyDay(
    [part('2026-11-02T00:00:00.000Z')],
    '2026-11-01T09:30:00Z',
    '2026-11-08T08:00:00Z',
  );
  expect(times.map(dayName).slice(0, 3)).toEqual(['1 Nov', '2 Nov', '3 Nov']);
  expect(times.map((time) => partAt(time)?.sent ?? 0)).toEqual([0, 1, 0, 0, 0, 0, 0, 0]);
});

it('begins where something happened if no beginning is given, and is neither too short nor too long to look at', () => {
  expect(everyDay([part('2026-11-01T00:00:00.000Z')], undefined, '2026-11-12T08:00:00Z').times).toHaveLength(12);
  expect(everyDay([part('2001-01-01T00:00:00.000Z')], undefined, '2026-11-03T08:00:00Z').times).toHaveLength(366);
  expect(everyDay([], undefined, '2026-11-03T08:00:00Z').times).toHaveLength(7);
});
