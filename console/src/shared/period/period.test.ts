import { expect, it } from 'vitest';
import { intervalOf, isBackwards, partName, periodOf, queryText, windowOf } from './period.ts';

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

it('calls parts by their day or hour in UTC', () => {
  expect(partName('2026-11-01T00:00:00.000Z', 'day')).toBe('1 Nov');
  expect(partName('2026-11-01T13:00:00.000Z', 'hour')).toBe('13:00');
  expect(queryText({ startTime: '2026-11-01T00:00:00.000Z', status: undefined })).toBe(
    '?startTime=2026-11-01T00%3A00%3A00.000Z',
  );
});
