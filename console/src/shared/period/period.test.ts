import { expect, it } from 'vitest';
import {
  calendarBefore,
  daysOf,
  faultOf,
  intervalOf,
  isBackwards,
  type Period,
  partName,
  periodOf,
  queryText,
  windowOf,
} from './period.ts';

const now = Date.parse('2026-11-16T09:30:00.000Z');

it('takes what the address says, and the usual period for what it cannot read', () => {
  expect(periodOf({}, '30')).toEqual({ kind: '30' });
  expect(periodOf({ period: '90' }, '30')).toEqual({ kind: '90' });
  expect(periodOf({ period: 'soon' }, 'all')).toEqual({ kind: 'all' });
  expect(periodOf({ period: 'custom', from: '0000-01-01' }, '30').from).toBeUndefined();
  expect(periodOf({ period: 'custom', from: '2026-11-01', to: 'x' }, '30')).toEqual({
    ...{ kind: 'custom', from: '2026-11-01', to: undefined },
  });
});

it('counts today as one of the days, and ends now', () => {
  expect(windowOf({ kind: '7' }, now)).toEqual({
    startTime: '2026-11-10T00:00:00.000Z',
    endTime: '2026-11-16T09:30:00.000Z',
  });
  expect(windowOf({ kind: 'all' }, now)).toEqual({});
});

it('has the whole of the days that somebody chose', () => {
  const chosen = windowOf({ kind: 'custom', from: '2026-11-01', to: '2026-11-02' }, now);
  expect(chosen).toEqual({ startTime: '2026-11-01T00:00:00.000Z', endTime: '2026-11-02T23:59:59.999Z' });
  expect(intervalOf(chosen)).toBe('hour');
  expect(windowOf({ kind: 'custom', from: '2026-11-01' }, now).endTime).toBe('2026-11-16T09:30:00.000Z');
  expect(isBackwards({ kind: 'custom', from: '2026-11-02', to: '2026-11-01' })).toBe(true);
});

it('ends now where somebody chose days that are ahead', () => {
  const ahead = windowOf({ kind: 'custom', from: '2026-11-10', to: '2026-11-30' }, now);
  expect(ahead).toEqual({ startTime: '2026-11-10T00:00:00.000Z', endTime: '2026-11-16T09:30:00.000Z' });
});

it('says why a period has no numbers', () => {
  const faultIn = (from?: string, to?: string) => {
    const period = { kind: 'custom', from, to } as const;
    return faultOf(period, windowOf(period, now));
  };
  expect(faultIn()).toBe('noDays');
  expect(faultIn(undefined, '2026-11-01')).toBe('noDays');
  expect(faultIn('2026-11-02', '2026-11-01')).toBe('backwards');
  expect(faultIn('2026-11-20', '2026-11-30')).toBe('ahead');
  expect(faultIn('2026-11-20')).toBe('ahead');
  expect(faultIn('2026-11-01')).toBeUndefined();
  expect(faultOf({ kind: 'all' }, {})).toBeUndefined();
});

const day = (from: string, to: string) => ({ startTime: `${from}T00:00:00.000Z`, endTime: `${to}T23:59:59.999Z` });

it('names the years of days that are not all of this year', () => {
  const said = (...periods: { startTime: string; endTime: string }[]) => daysOf(now, ...periods);
  const november = day('2026-11-01', '2026-11-16');
  expect(said(november, day('2026-10-18', '2026-10-31'))).toEqual(['1 – 16 Nov', '18 – 31 Oct']);
  expect(said(november, day('2025-12-20', '2026-01-03'))).toEqual(['1 – 16 Nov 2026', '20 Dec 2025 – 3 Jan 2026']);
  expect(said(day('2025-11-01', '2025-11-30'), day('2025-10-01', '2025-10-31'))).toEqual([
    ...['1 – 30 Nov 2025', '1 – 31 Oct 2025'],
  ]);
});

it('knows the months and quarters of the calendar', () => {
  const until = (at: string) => (kind: Period['kind']) => windowOf({ kind }, Date.parse(at));
  const inNovember = until('2026-11-16T09:30:00.000Z');
  expect(inNovember('this-month')).toEqual({
    startTime: '2026-11-01T00:00:00.000Z',
    endTime: '2026-11-16T09:30:00.000Z',
  });
  expect(inNovember('last-month')).toEqual(day('2026-10-01', '2026-10-31'));
  expect(inNovember('this-quarter')).toEqual({
    startTime: '2026-10-01T00:00:00.000Z',
    endTime: '2026-11-16T09:30:00.000Z',
  });
  expect(inNovember('last-quarter')).toEqual(day('2026-07-01', '2026-09-30'));
  const inJanuary = until('2027-01-01T00:00:00.000Z');
  expect(inJanuary('last-month')).toEqual(day('2026-12-01', '2026-12-31'));
  expect(inJanuary('last-quarter')).toEqual(day('2026-10-01', '2026-12-31'));
});

it('compares months with the months before, as far as they have come', () => {
  const before = (period: Period, at = now) => calendarBefore(period, windowOf(period, at));
  const kind = 'custom';
  expect(before({ kind: 'this-month' })).toEqual({
    startTime: '2026-10-01T00:00:00.000Z',
    endTime: '2026-10-16T09:30:00.000Z',
  });
  expect(before({ kind: 'last-month' })).toEqual(day('2026-09-01', '2026-09-30'));
  expect(before({ kind: 'this-quarter' })).toEqual({
    startTime: '2026-07-01T00:00:00.000Z',
    endTime: '2026-08-16T09:30:00.000Z',
  });
  expect(before({ kind: 'last-quarter' })).toEqual(day('2026-04-01', '2026-06-30'));
  expect(before({ kind: 'this-month' }, Date.parse('2026-03-31T12:00:00.000Z'))).toEqual(
    day('2026-02-01', '2026-02-28'),
  );
  // Days that are whole months, although somebody chose them by hand.
  expect(before({ kind, from: '2026-10-01', to: '2026-10-31' })).toEqual(day('2026-09-01', '2026-09-30'));
  expect(before({ kind, from: '2026-11-01', to: '2026-11-30' })).toEqual(before({ kind: 'this-month' }));
  expect(before({ kind, from: '2025-11-01', to: '2026-10-31' })).toEqual(day('2024-11-01', '2025-10-31'));
  expect(before({ kind, from: '2026-10-02', to: '2026-10-31' })).toBeUndefined();
  expect(before({ kind: '30' })).toBeUndefined();
  expect(before({ kind: 'all' })).toBeUndefined();
});

it('calls parts by their day or hour in UTC', () => {
  expect(partName('2026-11-01T00:00:00.000Z', 'day')).toBe('1 Nov');
  expect(partName('2026-11-01T13:00:00.000Z', 'hour')).toBe('13:00');
  expect(queryText({ startTime: '2026-11-01T00:00:00.000Z', status: undefined })).toBe(
    '?startTime=2026-11-01T00%3A00%3A00.000Z',
  );
});
