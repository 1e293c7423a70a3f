import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { partsOf, periodBefore, periodOf } from './periods.js';

const now = '2026-11-16T09:30:00.000Z';

describe('the window of an overview', () => {
  it('is the last 30 days, or the 30 days from or until the time that is given', () => {
    expect(periodOf({}, now)).toEqual({ from: '2026-10-17T09:30:00.001Z', to: now });
    expect(periodOf({ startTime: '2026-10-01T00:00:00.000Z' }, now)).toEqual({
      from: '2026-10-01T00:00:00.000Z',
      to: '2026-10-30T23:59:59.999Z',
    });
    expect(periodOf({ endTime: '2026-10-30T23:59:59.999Z' }, now)).toEqual({
      from: '2026-10-01T00:00:00.000Z',
      to: '2026-10-30T23:59:59.999Z',
    });
  });

  it('stays among the years that can be written', () => {
    expect(periodOf({ startTime: '9999-12-31T00:00:00.000Z' }, now).to).toBe('9999-12-31T23:59:59.999Z');
    expect(periodOf({ endTime: '0001-01-01T00:00:00.000Z' }, now).from).toBe('0001-01-01T00:00:00.000Z');
    const first = { from: '0001-01-01T00:00:00.000Z', to: '0001-01-02T00:00:00.000Z' };
    expect(periodBefore(first)).toEqual({ from: first.from, to: first.from });
  });
});

describe('the window before', () => {
  const instant = fc
    .date({ min: new Date('1990-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString());

  it('is as long, ends a millisecond before, and is empty if the window is', () => {
    fc.assert(
      fc.property(instant, instant, (from, to) => {
        const before = periodBefore({ from, to });
        const lengthOf = (period: { from: string; to: string }) => Date.parse(period.to) - Date.parse(period.from);
        expect(lengthOf(before)).toBe(lengthOf({ from, to }));
        expect(Date.parse(before.to)).toBe(Date.parse(from) - 1);
      }),
    );
  });
});

describe('the parts of a series', () => {
  it('are whole hours or days in UTC, even if the window begins or ends within one', () => {
    const period = { from: '2026-11-14T22:10:00.000Z', to: '2026-11-15T00:00:00.000Z' };
    expect(partsOf(period, 'day')).toEqual(['2026-11-14T00:00:00.000Z', '2026-11-15T00:00:00.000Z']);
    expect(partsOf(period, 'hour')).toEqual([
      '2026-11-14T22:00:00.000Z',
      '2026-11-14T23:00:00.000Z',
      '2026-11-15T00:00:00.000Z',
    ]);
    expect(partsOf({ from: period.to, to: period.from }, 'hour')).toEqual([]);
    // Within one hour, and with the ends swapped.
    expect(partsOf({ from: '2026-11-14T22:10:00.000Z', to: '2026-11-14T22:09:00.000Z' }, 'hour')).toEqual([]);
  });

  it('are at most 1,000, and a request for more is told what to ask for', () => {
    const from = '2026-01-01T00:00:00.000Z';
    expect(partsOf({ from, to: '2026-02-11T15:59:59.999Z' }, 'hour')).toHaveLength(1000);
    expect(() => partsOf({ from, to: '2026-02-11T16:00:00.000Z' }, 'hour')).toThrow(
      'interval makes a series of 1,001 hours, and there may be 1,000: take interval=day, or a shorter window.',
    );
    expect(() => partsOf({ from, to: '2036-01-01T00:00:00.000Z' }, 'hour')).toThrow('take a shorter window.');
    expect(() => partsOf({ from, to: '2036-01-01T00:00:00.000Z' }, 'day')).toThrow(
      'endTime makes a series of 3,653 days, and there may be 1,000: take a shorter window.',
    );
  });
});
