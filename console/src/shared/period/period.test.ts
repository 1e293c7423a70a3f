import { expect, it } from 'vitest';
import { daysOf, faultOf, intervalOf, isBackwards, partName, periodOf, queryText, windowOf } from './period.ts';

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

it('names the years of days that are not both of this year', () => {
  const at = new Date(now).toISOString();
  expect(daysOf('2026-10-18T00:00:00.000Z', '2026-11-16T23:59:59.999Z', at)).toEqual(['18 Oct', '16 Nov']);
  expect(daysOf('2024-11-18T00:00:00.000Z', '2025-11-17T23:59:59.999Z', at)).toEqual(['18 Nov 2024', '17 Nov 2025']);
  expect(daysOf('2025-12-20T00:00:00.000Z', '2026-01-03T00:00:00.000Z', at)).toEqual(['20 Dec 2025', '3 Jan 2026']);
});

it('calls parts by their day or hour in UTC', () => {
  expect(partName('2026-11-01T00:00:00.000Z', 'day')).toBe('1 Nov');
  expect(partName('2026-11-01T13:00:00.000Z', 'hour')).toBe('13:00');
  expect(queryText({ startTime: '2026-11-01T00:00:00.000Z', status: undefined })).toBe(
    '?startTime=2026-11-01T00%3A00%3A00.000Z',
  );
});
