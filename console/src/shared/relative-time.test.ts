import { expect, it } from 'vitest';
import { relativeTime } from './relative-time.ts';

const now = Date.parse('2026-11-15T12:00:00.000Z');

it('says near moments in words and far ones as a date', () => {
  expect(relativeTime('2026-11-15T11:59:30.000Z', now)).toBe('just now');
  expect(relativeTime('2026-11-15T12:00:30.000Z', now)).toBe('just now');
  expect(relativeTime('2026-11-15T12:00:30.000Z', now, true)).toBe('in a moment');
  expect(relativeTime('2026-11-15T11:59:30.000Z', now, true)).toBe('just now');
  expect(relativeTime('2026-11-15T11:55:00.000Z', now)).toBe('5 minutes ago');
  expect(relativeTime('2026-11-15T09:00:00.000Z', now)).toBe('3 hours ago');
  expect(relativeTime('2026-11-17T12:00:00.000Z', now)).toBe('in 2 days');
  expect(relativeTime('2026-10-01T12:00:00.000Z', now)).toBe('1 Oct 2026');
});
