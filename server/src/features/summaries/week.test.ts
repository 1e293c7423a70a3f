import { expect, it } from 'vitest';
import { nextMonday, weekBefore } from './week.js';

const next = (now: string, zone: string) => new Date(nextMonday(Date.parse(now), zone)).toISOString();

it.each([
  ['2026-11-18T20:00:00.000Z', 'UTC', '2026-11-23T08:00:00.000Z'],
  ['2026-11-23T07:59:59.999Z', 'UTC', '2026-11-23T08:00:00.000Z'],
  ['2026-11-23T08:00:00.000Z', 'UTC', '2026-11-30T08:00:00.000Z'],
  ['2026-11-22T23:30:00.000Z', 'Asia/Tokyo', '2026-11-29T23:00:00.000Z'],
  // Clocks are set back in between.
  ['2026-10-20T12:00:00.000Z', 'Europe/Berlin', '2026-10-26T07:00:00.000Z'],
  ['2026-10-12T12:00:00.000Z', 'Europe/Berlin', '2026-10-19T06:00:00.000Z'],
])('after %s, the next Monday morning of %s is %s', (now, zone, expected) => {
  expect(next(now, zone)).toBe(expected);
});

it('tells of the complete week from Monday to Sunday in the time zone', () => {
  expect(weekBefore(Date.parse('2026-11-23T07:00:00.000Z'), 'Europe/Berlin')).toEqual({
    ...{ startTime: '2026-11-15T23:00:00.000Z', endTime: '2026-11-22T22:59:59.999Z' },
    ...{ first: '2026-11-16', last: '2026-11-22', days: '16 – 22 November 2026' },
  });
  const short = weekBefore(Date.parse('2026-03-30T12:00:00.000Z'), 'Europe/Berlin');
  expect([short.startTime, short.endTime]).toEqual(['2026-03-22T23:00:00.000Z', '2026-03-29T21:59:59.999Z']);
  expect(weekBefore(Date.parse('2027-01-05T12:00:00.000Z'), 'UTC')).toMatchObject({
    ...{ first: '2026-12-28', last: '2027-01-03', days: '28 December 2026 – 3 January 2027' },
  });
});

it('tells of the same week until the next Monday morning', () => {
  const monday = weekBefore(Date.parse('2026-11-23T08:00:00.000Z'), 'UTC');
  expect(weekBefore(Date.parse('2026-11-30T07:59:59.999Z'), 'UTC')).toEqual(monday);
  expect(weekBefore(Date.parse('2026-11-30T08:00:00.000Z'), 'UTC')).not.toEqual(monday);
});
