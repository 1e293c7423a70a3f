import { describe, expect, it } from 'vitest';
import { nextAt, nextDate, nextInWindow, nextRun, zoneOf } from './calendar.js';
import type { Entry, SendWindow } from './definition.js';

const at = (text: string) => Date.parse(text);
const iso = (moment: number | null) => (moment === null ? null : new Date(moment).toISOString());
const everyDay = [1, 2, 3, 4, 5, 6, 7];
const clock = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));

describe('the next time of day', () => {
  it.each([
    ['later today', '09:00', everyDay, 'UTC', '2026-11-16T08:59:59.999Z', '2026-11-16T09:00:00.000Z'],
    ['tomorrow, once it is that time', '09:00', everyDay, 'UTC', '2026-11-16T09:00:00Z', '2026-11-17T09:00:00.000Z'],
    ['on Monday', '09:00', [1], 'UTC', '2026-11-16T09:00:00Z', '2026-11-23T09:00:00.000Z'],
    ['where the contact is', '09:00', everyDay, 'America/New_York', '2026-11-16T13:00:00Z', '2026-11-16T14:00:00.000Z'],
    [
      'where it is tomorrow already',
      '09:00',
      [2],
      'Pacific/Auckland',
      '2026-11-16T12:00:00Z',
      '2026-11-16T20:00:00.000Z',
    ],
    [
      'after the hour that is skipped',
      '02:30',
      everyDay,
      'Europe/Berlin',
      '2026-03-28T12:00:00Z',
      '2026-03-29T01:00:00.000Z',
    ],
    [
      'the day after, once the gap has passed',
      '02:30',
      everyDay,
      'Europe/Berlin',
      '2026-03-29T01:00:00Z',
      '2026-03-30T00:30:00.000Z',
    ],
    ['the first of two', '02:30', everyDay, 'Europe/Berlin', '2026-10-24T12:00:00Z', '2026-10-25T00:30:00.000Z'],
    ['not the second of two', '02:30', everyDay, 'Europe/Berlin', '2026-10-25T00:30:00Z', '2026-10-26T01:30:00.000Z'],
    [
      'after a half hour that is skipped',
      '02:10',
      everyDay,
      'Australia/Lord_Howe',
      '2026-10-03T12:00:00Z',
      '2026-10-03T15:30:00.000Z',
    ],
    [
      'after a day that is skipped',
      '09:00',
      everyDay,
      'Pacific/Apia',
      '2011-12-29T20:00:00Z',
      '2011-12-30T10:00:00.000Z',
    ],
    ['on a Friday that is skipped', '09:00', [5], 'Pacific/Apia', '2011-12-29T20:00:00Z', '2011-12-30T10:00:00.000Z'],
  ])('is %s', (_, time, days, zone, after, next) => {
    expect(iso(nextAt(clock(time), days, zone, at(after)))).toBe(next);
  });
});

describe('a window', () => {
  const window = (from: string, to: string, days = everyDay): SendWindow => ({
    ...{ days, from: clock(from), to: clock(to), timeZone: undefined },
  });
  const workdays = [1, 2, 3, 4, 5];

  it.each([
    ['is open at its start', window('09:00', '18:00'), 'UTC', '2026-11-16T09:00:00.000Z', '2026-11-16T09:00:00.000Z'],
    ['is open until its end', window('09:00', '18:00'), 'UTC', '2026-11-16T17:59:59.999Z', '2026-11-16T17:59:59.999Z'],
    ['is closed at its end', window('09:00', '18:00'), 'UTC', '2026-11-16T18:00:00.000Z', '2026-11-17T09:00:00.000Z'],
    ['opens later today', window('09:00', '18:00'), 'UTC', '2026-11-16T03:00:00.000Z', '2026-11-16T09:00:00.000Z'],
    [
      'opens after the weekend',
      window('09:00', '18:00', workdays),
      'UTC',
      '2026-11-20T18:00:00.000Z',
      '2026-11-23T09:00:00.000Z',
    ],
    [
      'opens where the contact is',
      window('09:00', '18:00'),
      'Asia/Tokyo',
      '2026-11-16T10:00:00.000Z',
      '2026-11-17T00:00:00.000Z',
    ],
    ['passes midnight', window('22:00', '06:00', [1]), 'UTC', '2026-11-17T05:00:00.000Z', '2026-11-17T05:00:00.000Z'],
    [
      'belongs to the day on which it opens',
      window('22:00', '06:00', [1]),
      'UTC',
      '2026-11-16T05:00:00.000Z',
      '2026-11-16T22:00:00.000Z',
    ],
    [
      'lasts until midnight',
      window('18:00', '00:00', [1]),
      'UTC',
      '2026-11-17T00:00:00.000Z',
      '2026-11-23T18:00:00.000Z',
    ],
    [
      'opens late where its start is skipped',
      window('02:30', '05:00'),
      'Europe/Berlin',
      '2026-03-29T00:00:00.000Z',
      '2026-03-29T01:00:00.000Z',
    ],
    [
      'stays closed where all of it is skipped',
      window('02:15', '02:45'),
      'Europe/Berlin',
      '2026-03-29T00:00:00.000Z',
      '2026-03-30T00:15:00.000Z',
    ],
    [
      'stays closed for two weeks where its only day skips it',
      window('02:15', '02:45', [7]),
      'Europe/Berlin',
      '2026-03-23T12:00:00.000Z',
      '2026-04-05T00:15:00.000Z',
    ],
    [
      'opens again where its start comes twice',
      window('02:30', '05:00'),
      'Europe/Berlin',
      '2026-10-25T01:10:00.000Z',
      '2026-10-25T01:30:00.000Z',
    ],
    [
      'opens after the day that Apia left out',
      window('09:00', '18:00'),
      'Pacific/Apia',
      '2011-12-30T09:00:00.000Z',
      '2011-12-30T19:00:00.000Z',
    ],
  ])('%s', (_, open, zone, now, next) => {
    expect(iso(nextInWindow(open, zone, at(now)))).toBe(next);
  });
});

describe('a date in a property', () => {
  type DateEntry = Extract<Entry, { kind: 'date' }>;
  const day = 86_400_000;
  const entry = (keys: Partial<DateEntry> = {}): DateEntry => ({
    kind: 'date',
    property: 'on',
    offset: 0,
    yearly: false,
    ...keys,
  });
  const next = (on: unknown, keys: Partial<DateEntry>, after: string, zone = 'UTC') =>
    iso(nextDate(entry(keys), { on }, zone, at(after)));

  it.each([
    ['is its midnight, UTC', '2026-12-24', {}, '2026-12-24T00:00:00.000Z'],
    ['is the moment that it says', '2026-12-24T18:30:00+02:00', {}, '2026-12-24T16:30:00.000Z'],
    ['is that date at a time where the contact is', '2026-12-24', { at: 540 }, '2026-12-24T14:00:00.000Z'],
    ['is the day that it was there', '2026-12-24T02:00:00Z', { at: 540 }, '2026-12-23T14:00:00.000Z'],
    ['is days before', '2026-12-24', { at: 540, offset: -3 * day }, '2026-12-21T14:00:00.000Z'],
    [
      'counts days of the calendar over a change of clocks',
      '2027-03-15',
      { at: 540, offset: -3 * day },
      '2027-03-12T14:00:00.000Z',
    ],
    ['counts hours after days', '2026-12-24', { at: 540, offset: day + 3_600_000 }, '2026-12-25T15:00:00.000Z'],
    ['has passed', '2026-11-15', { at: 540 }, null],
    ['is not a date', 'next week', {}, null],
    ['is 31 February', '2027-02-31', {}, null],
    ['is a number', 20261224, {}, null],
    ['is a list', ['2026-12-24'], {}, null],
    ['is not there', undefined, {}, null],
  ])('%s', (_, on, keys, moment) => {
    expect(next(on, keys, '2026-11-16T12:00:00Z', 'America/New_York')).toBe(moment);
  });

  it.each([
    ['the next anniversary', '1990-12-24', {}, '2026-11-16T12:00:00Z', '2026-12-24T00:00:00.000Z'],
    ['next year’s, once this one has passed', '1990-05-03', {}, '2026-11-16T12:00:00Z', '2027-05-03T00:00:00.000Z'],
    ['next year’s at the very moment', '1990-05-03', {}, '2026-05-03T00:00:00Z', '2027-05-03T00:00:00.000Z'],
    [
      '28 February for those of the 29th',
      '2000-02-29',
      { at: 540 },
      '2026-11-16T12:00:00Z',
      '2027-02-28T09:00:00.000Z',
    ],
    ['29 February where there is one', '2000-02-29', { at: 540 }, '2027-03-01T12:00:00Z', '2028-02-29T09:00:00.000Z'],
    [
      'days before it, over the new year',
      '1990-01-02',
      { offset: -5 * day },
      '2026-12-20T12:00:00Z',
      '2026-12-28T00:00:00.000Z',
    ],
    [
      'days after it, over the new year',
      '1990-12-30',
      { offset: 5 * day },
      '2026-12-20T12:00:00Z',
      '2027-01-04T00:00:00.000Z',
    ],
    ['years after it', '1990-12-30', { offset: 3650 * day }, '2026-12-20T12:00:00Z', '2026-12-28T00:00:00.000Z'],
    ['the date itself first', '2028-06-01', {}, '2026-11-16T12:00:00Z', '2028-06-01T00:00:00.000Z'],
    ['of a time with its hour', '1990-06-01T05:00:00Z', {}, '2026-11-16T12:00:00Z', '2027-06-01T05:00:00.000Z'],
  ])('every year is %s', (_, on, keys, after, moment) => {
    expect(next(on, { ...keys, yearly: true }, after)).toBe(moment);
  });
});

describe('the next run', () => {
  const run = (cron: string, timeZone: string, after: string) =>
    iso(nextRun({ kind: 'cron', cron, timeZone }, at(after)));

  it.each([
    ['follows the clock of its zone', '0 9 * * 1', 'Europe/Berlin', '2026-11-16T08:00:00Z', '2026-11-23T08:00:00.000Z'],
    [
      'keeps its time over a change of clocks',
      '0 9 * * *',
      'Europe/Berlin',
      '2026-03-28T12:00:00Z',
      '2026-03-29T07:00:00.000Z',
    ],
    [
      'is the next valid moment where its time is skipped',
      '30 2 * * *',
      'Europe/Berlin',
      '2026-03-28T12:00:00Z',
      '2026-03-29T01:00:00.000Z',
    ],
    [
      'comes once for all times that are skipped',
      '*/15 2 * * *',
      'Europe/Berlin',
      '2026-03-29T01:00:00Z',
      '2026-03-30T00:00:00.000Z',
    ],
    ['is the first of two', '30 1 * * *', 'America/New_York', '2026-10-31T12:00:00Z', '2026-11-01T05:30:00.000Z'],
    ['is not the second of two', '30 1 * * *', 'America/New_York', '2026-11-01T05:30:00Z', '2026-11-02T06:30:00.000Z'],
    [
      'comes after the day that Apia left out',
      '0 9 30 12 *',
      'Pacific/Apia',
      '2011-12-29T20:00:00Z',
      '2011-12-30T10:00:00.000Z',
    ],
    ['waits for a leap year', '0 0 29 2 *', 'UTC', '2026-11-16T08:00:00Z', '2028-02-29T00:00:00.000Z'],
    ['is never where there is no such day', '0 0 30 2 *', 'UTC', '2026-11-16T08:00:00Z', null],
  ])('%s', (_, cron, zone, after, next) => {
    expect(run(cron, zone, after)).toBe(next);
  });

  it('of a single time is that time, once', () => {
    const schedule = { kind: 'at', at: at('2026-11-20T09:00:00Z') } as const;
    expect(iso(nextRun(schedule, at('2026-11-16T09:00:00Z')))).toBe('2026-11-20T09:00:00.000Z');
    expect(nextRun(schedule, schedule.at)).toBeNull();
  });
});

describe('the zone of a contact', () => {
  it('is its own where there is such a zone, else the tenant’s', () => {
    expect(zoneOf({ time_zone: 'Asia/Tokyo' }, 'Europe/Berlin')).toBe('Asia/Tokyo');
    for (const time_zone of ['Mars/Olympus', '', 9, ['Asia/Tokyo'], null, undefined])
      expect(zoneOf({ time_zone }, 'Europe/Berlin')).toBe('Europe/Berlin');
    expect(zoneOf({}, 'UTC')).toBe('UTC');
  });
});
