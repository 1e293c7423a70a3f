// Where statistics are read: long reads must not delay acknowledgements.
import { describe, expect, it } from 'vitest';
import { useDatabase } from '../../../test/database.js';
import { ever, readAll, type WindowRead, windowOf } from './window.js';

const t = useDatabase();
const wholeDays = (startTime: string, endTime: string) =>
  windowOf({ startTime: `${startTime}T00:00:00.000Z`, endTime: `${endTime}T23:59:59.999Z` });
const september = wholeDays('2026-09-01', '2026-09-30');
const year = wholeDays('2025-01-01', '2025-12-31');

const isPoint = (asked: WindowRead) => readAll(t.db, 1, [asked], async (reader) => reader === t.db);

describe('counters by their keys', () => {
  it.each([
    ['of one subject ever', ever, { subjects: 1 }],
    ['of a journey with five steps in a month', september, { subjects: 60 }],
    ['of an email in a year, by day', year, { subjects: 3, grain: 'day' as const }],
    ['of a window that ends before it begins', wholeDays('2026-09-30', '2026-09-01'), { subjects: 5000 }],
  ])('%s are a point read', async (_, window, of) => {
    expect(await isPoint({ window, ...of })).toBe(true);
  });

  it.each([
    ['of 500 journeys ever', ever, { subjects: 5000 }],
    ['of 500 journeys in a month', september, { subjects: 5000 }],
    ['of ten journeys in a year', year, { subjects: 100 }],
    ['of ten journeys since some day', windowOf({ startTime: '2026-09-01T00:00:00.000Z' }), { subjects: 100 }],
    ['of ten journeys until some day', windowOf({ endTime: '2026-09-01T23:59:59.999Z' }), { subjects: 100 }],
    ['of an email ever, by hour', ever, { subjects: 3, grain: 'hour' as const }],
    [
      'of one subject, and single messages of an hour',
      windowOf({ startTime: '2026-09-01T00:00:00.001Z' }),
      { subjects: 1 },
    ],
  ])('%s are a slow read', async (_, window, of) => {
    expect(await isPoint({ window, ...of })).toBe(false);
  });
});

it('reads of one request that are slow share one place, and those that are not need none', async () => {
  const few = { window: ever, subjects: 1 };
  const many = { window: year, subjects: 5000 };
  const readers = await readAll(t.db, 1, [many, few, many], async (...each) => each);
  expect(readers.map((reader) => reader === t.db)).toEqual([false, true, false]);
  expect(readers[2]).toBe(readers[0]);
});
