import { expect, it } from 'vitest';
import { dayFirst } from './day-first.ts';

it('writes three letters for every month, in one date and in two', () => {
  const dates = dayFirst({ day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
  expect(dates.format('2026-09-17T12:00:00Z')).toBe('17 Sep 2026');
  expect(dates.formatRange('2026-08-30T12:00:00Z', '2026-09-17T12:00:00Z')).toMatch(/^30 Aug\D+17 Sep 2026$/);
  expect(dayFirst({ day: 'numeric', month: 'long', timeZone: 'UTC' }).format('2026-09-17T12:00:00Z')).toBe(
    '17 September',
  );
});
