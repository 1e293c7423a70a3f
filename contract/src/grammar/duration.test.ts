import { describe, expect, it } from 'vitest';
import { durationInOneUnit, durationParts, durationUnits, parseDuration, writeDuration } from './duration.js';

const day = 86_400_000;

describe('a duration', () => {
  it.each([
    ['P30D', 30 * day],
    ['PT12H', day / 2],
    ['P2W', 14 * day],
    ['P1DT2H3M4S', day + 2 * 3_600_000 + 3 * 60_000 + 4000],
    ['PT90M', 90 * 60_000],
    ['PT36H', 1.5 * day],
    ['P0DT1S', 1000],
    ['P007D', 7 * day],
    ['PT1S', 1000],
    ['P3650D', 3650 * day],
    ['PT315360000S', 3650 * day],
    ['P521W', 3647 * day],
  ])('%s is read', (text, ms) => {
    expect(parseDuration(text)).toEqual({ ms, text });
  });

  it.each(['PT0S', 'P0D', 'P0W', 'P3650DT1S', 'P3651D', 'P522W', `P${'9'.repeat(60)}D`])(
    '%s is out of bounds, and told so',
    (text) => {
      expect(parseDuration(text)).toMatch('from one second (PT1S) to 3,650 days (P3650D)');
    },
  );

  it.each(['P1M', 'P1Y', 'P1Y2M', 'P1M3D', 'P1Y6M2DT3H', 'P2W1M'])(
    '%s is refused because of its months or years',
    (text) => {
      expect(parseDuration(text)).toMatch('months and years have no one length');
    },
  );

  it.each(
    [
      '',
      'P',
      'PT',
      'P1DT',
      '30D',
      '1D',
      'p30d',
      'P30d',
      'P-1D',
      '-P1D',
      '+P1D',
      'P1.5D',
      'PT0,5S',
      'P1W2D',
      'P1D1W',
      'PT1D',
    ].concat([
      'P1H',
      'PT1M1H',
      ' P1D',
      'P1D ',
      'P1D\n',
      'P１D',
      'PT5M3',
      `P${'0'.repeat(70)}1D`,
      '30 days',
      '2026-01-01',
    ]),
  )('%j is none', (text) => {
    expect(parseDuration(text)).toMatch('a duration is wanted');
  });
});

describe('a duration as a number and a unit', () => {
  const asked = durationUnits.filter((unit) => unit !== 'seconds');

  it.each([
    ['P30D', { count: 30, unit: 'days' }],
    ['P2W', { count: 2, unit: 'weeks' }],
    ['PT24H', { count: 24, unit: 'hours' }],
    ['PT120S', { count: 2, unit: 'minutes' }],
    ['P1DT12H', { count: 36, unit: 'hours' }],
    ['PT30S', undefined],
    ['P1M', undefined],
    ['soon', undefined],
    [undefined, undefined],
  ])('%s is %j', (text, part) => {
    expect(durationInOneUnit(text, asked)).toEqual(part);
  });

  it.each(['P30D', 'P2W', 'PT12H', 'PT90M', 'PT1S'])('%s is written as it is read', (text) => {
    const part = durationInOneUnit(text);
    expect(part && writeDuration(part)).toBe(text);
  });

  it.each(['P', 'PT', 'P1DT', 'P1Y', '', '1D'])('%j has no parts', (text) => {
    expect(durationParts(text)).toBeUndefined();
  });
});
