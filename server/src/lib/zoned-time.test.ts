import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  dateOf,
  dayOf,
  inYear,
  isZone,
  localAt,
  localOf,
  minuteOf,
  momentOf,
  momentsOf,
  weekdayOf,
} from './zoned-time.js';

const wall = (text: string) => Date.parse(`${text}Z`);
const iso = (at: number) => new Date(at).toISOString();
const meant = (text: string, zone: string) => momentsOf(wall(text), zone).at.map(iso);

describe('the moment of a local time', () => {
  it.each([
    ['an ordinary time', '2026-11-16T09:00', 'Europe/Berlin', '2026-11-16T08:00:00.000Z'],
    ['one that Berlin skips', '2026-03-29T02:30', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
    ['the last minute that Berlin skips', '2026-03-29T02:59', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
    ['the first minute after it', '2026-03-29T03:00', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
    ['one that comes twice in Berlin', '2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
    ['one that New York skips', '2026-03-08T02:15', 'America/New_York', '2026-03-08T07:00:00.000Z'],
    ['one that comes twice in New York', '2026-11-01T01:15', 'America/New_York', '2026-11-01T05:15:00.000Z'],
    [
      'one of the half hour that Lord Howe skips',
      '2026-10-04T02:10',
      'Australia/Lord_Howe',
      '2026-10-03T15:30:00.000Z',
    ],
    [
      'one of the half hour that Lord Howe has twice',
      '2026-04-05T01:45',
      'Australia/Lord_Howe',
      '2026-04-04T14:45:00.000Z',
    ],
    ['the day that Apia left out', '2011-12-30T09:00', 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
    ['midnight where summer begins at midnight', '2018-11-04T00:00', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z'],
    ['a quarter of an hour off', '2026-11-16T09:00', 'Asia/Kathmandu', '2026-11-16T03:15:00.000Z'],
  ])('%s', (_, text, zone, at) => {
    expect(iso(momentOf(wall(text), zone))).toBe(at);
  });

  it('has two moments if clocks are set back', () => {
    expect(meant('2026-10-25T02:30', 'Europe/Berlin')).toEqual([
      '2026-10-25T00:30:00.000Z',
      '2026-10-25T01:30:00.000Z',
    ]);
    expect(meant('2026-04-05T01:45', 'Australia/Lord_Howe')).toEqual([
      '2026-04-04T14:45:00.000Z',
      '2026-04-04T15:15:00.000Z',
    ]);
  });

  it('has that local time and is the earliest, or is the first one after a gap', () => {
    const zones = [
      'Europe/Berlin',
      'America/New_York',
      'Australia/Lord_Howe',
      'Pacific/Apia',
      'Africa/Casablanca',
      'UTC',
    ];
    const anyMinute = fc.integer({ min: wall('2010-01-01T00:00') / 60_000, max: wall('2030-01-01T00:00') / 60_000 });
    // Many of them near a clock change, where all the trouble is.
    const near = fc
      .tuple(
        fc.constantFrom(
          '2011-12-30T12:00',
          '2026-03-29T02:00',
          '2026-10-25T02:00',
          '2026-03-08T02:00',
          '2026-10-04T02:00',
        ),
        fc.integer({ min: -2000, max: 2000 }),
      )
      .map(([text, minutes]) => wall(text) / 60_000 + minutes);
    fc.assert(
      fc.property(fc.oneof(near, anyMinute), fc.constantFrom(...zones), (minute, zone) => {
        const local = minute * 60_000;
        const { at, isSkipped } = momentsOf(local, zone);
        // Every quarter of an hour of the two days around: offsets have no finer steps today.
        const said: number[] = [];
        for (let moment = local - 86_400_000; moment <= local + 86_400_000; moment += 900_000)
          if (localAt(moment, zone) === local) said.push(moment);
        if (isSkipped) {
          expect(said).toEqual([]);
          expect(localAt(at[0] as number, zone)).toBeGreaterThan(local);
          expect(localAt((at[0] as number) - 1, zone)).toBeLessThan(local);
        } else expect(at).toEqual(said);
      }),
      { numRuns: 300 },
    );
  });
});

describe('a zone', () => {
  it.each(['UTC', 'Europe/Berlin', 'America/Argentina/ComodRivadavia', 'Etc/GMT+5'])('%s is one', (name) => {
    expect(isZone(name)).toBe(true);
  });

  it.each(['', 'Mars/Olympus', '+01:00', '-05', 'contact', 'Europe/Berlin ', 'x'.repeat(1e6)])('%s is none', (name) => {
    expect(isZone(name)).toBe(false);
  });

  it('can be looked up any number of times, with a bounded cache', () => {
    for (let i = 0; i < 5000; i++) expect(isZone(`Nowhere/${i}`)).toBe(false);
    expect(isZone('Europe/Berlin')).toBe(true);
  });
});

describe('the calendar', () => {
  it('knows weekdays before and after 1970', () => {
    expect(weekdayOf(dayOf(wall('2026-11-16T23:59')))).toBe(1);
    expect(weekdayOf(dayOf(wall('1970-01-01T00:00')))).toBe(4);
    expect(weekdayOf(dayOf(wall('1969-12-28T12:00')))).toBe(7);
  });

  it('puts 29 February on the 28th in years that have none', () => {
    const leap = dayOf(wall('2024-02-29T00:00'));
    expect(dateOf(inYear(leap, 2025))).toEqual({ year: 2025, month: 2, date: 28 });
    expect(dateOf(inYear(leap, 2028))).toEqual({ year: 2028, month: 2, date: 29 });
    expect(dateOf(inYear(leap, 2100))).toEqual({ year: 2100, month: 2, date: 28 });
    expect(dateOf(inYear(dayOf(wall('0004-02-29T00:00')), 5))).toEqual({ year: 5, month: 2, date: 28 });
  });

  it('splits and joins the minutes of a day', () => {
    const local = localOf(dayOf(wall('1960-05-05T00:00')), 61);
    expect(iso(local)).toBe('1960-05-05T01:01:00.000Z');
    expect(minuteOf(local + 59_999)).toBe(61);
  });
});

it('gives the same local time as Intl, even in the past when clocks changed at odd minutes', () => {
  // Berlin left its local mean time, 53 minutes and 28 seconds ahead, at 1893-03-31T23:06:32Z.
  expect(iso(localAt(wall('1893-03-31T23:06:31.500'), 'Europe/Berlin'))).toBe('1893-03-31T23:59:59.500Z');
  expect(iso(localAt(wall('1893-03-31T23:06:32'), 'Europe/Berlin'))).toBe('1893-04-01T00:06:32.000Z');
  expect(iso(localAt(wall('1893-03-31T23:06:31.500'), 'Europe/Berlin'))).toBe('1893-03-31T23:59:59.500Z');
});
