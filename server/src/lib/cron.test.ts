import { describe, expect, it } from 'vitest';
import { readCron } from './cron.js';

const after = (cron: string, text: string) => {
  const next = readCron(cron)?.(Date.parse(text));
  return next === undefined ? undefined : new Date(next).toISOString();
};

describe('a cron', () => {
  it.each([
    ['0 9 * * 1', '2026-11-16T09:00:00Z', '2026-11-23T09:00:00.000Z'],
    ['*/15 * * * *', '2026-11-16T09:00:00Z', '2026-11-16T09:15:00.000Z'],
    ['0 9 * * MON-FRI', '2026-11-20T10:00:00Z', '2026-11-23T09:00:00.000Z'],
    ['0 0 29 2 *', '2026-11-16T09:00:00Z', '2028-02-29T00:00:00.000Z'],
    ['0 0 L * *', '2026-11-16T09:00:00Z', '2026-11-30T00:00:00.000Z'],
    ['30 8 1 1 *', '2026-11-16T09:00:00Z', '2027-01-01T08:30:00.000Z'],
    // Both days are given: either matches, as cron has always worked.
    ['0 0 30 2 1', '2026-12-31T00:00:00Z', '2027-02-01T00:00:00.000Z'],
  ])('%s comes next after %s at %s', (cron, from, next) => {
    expect(after(cron, from)).toBe(next);
  });

  it.each([
    ['is no cron', 'every monday'],
    ['is empty', ''],
    ['has four fields', '0 9 * *'],
    ['has seconds', '0 0 9 * * 1'],
    ['has a year', '0 0 9 1 1 * 2020'],
    ['is a time', '2026-11-16T09:00:00'],
    ['has a minute that there is not', '61 * * * *'],
    ['has a weekday that there is not', '0 9 * * 8'],
    ['has a range that is reversed', '5-1 * * * *'],
    ['is that of 30 February', '0 0 30 2 *'],
    ['is that of 31 February', '0 0 31 2 *'],
    ['is that of the 31st in months of 30 days', '0 0 31 4,6,9,11 *'],
    ['depends on when it is read', '? * * * *'],
    ['is far too long', `${'0,'.repeat(1e5)}0 9 * * 1`],
  ])('is refused where it %s', (_, cron) => {
    expect(readCron(cron)).toBeUndefined();
  });
});
