// Finds a page only from counts: the result is the same as slicing the list of all events.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { monthEnd, monthOf, monthStart } from '../../../lib/month.js';
import { findPlace, type MonthCount } from './place.js';

/** Newest month first; some are empty. */
const months = fc
  .uniqueArray(fc.integer({ min: 12, max: monthOf('9999-12') }), { maxLength: 8 })
  .chain((list) =>
    fc.tuple(...list.sort((a, b) => b - a).map((month) => fc.record({ month: fc.constant(month), events: fc.nat(6) }))),
  );
const pages = fc.record({ limit: fc.integer({ min: 1, max: 12 }), offset: fc.nat(40) });

/** Each event as its month and its number in that month, newest first. */
const eventsOf = (counts: readonly MonthCount[]) =>
  counts.flatMap(({ month, events }) => Array.from({ length: events }, (_, n) => ({ month, n })));

it('is exactly where the page is in the list of all events', () => {
  fc.assert(
    fc.property(months, pages, (counts, page) => {
      const all = eventsOf(counts);
      const wanted = all.slice(page.offset, page.offset + page.limit);
      const place = findPlace(counts, page);
      expect(place === undefined).toBe(wanted.length === 0);
      if (!place) return;
      const { span, skip, take } = place;
      const within = all.filter(({ month }) => monthStart(month) >= span.from && monthEnd(month) <= span.before);
      expect(within.slice(skip, skip + take)).toEqual(wanted);
      expect(take).toBe(wanted.length);
    }),
    { numRuns: 500 },
  );
});

it('skips only within the newest month of the page, and for a full page reads no month that has none of it', () => {
  fc.assert(
    fc.property(months, pages, (counts, page) => {
      const place = findPlace(counts, page);
      if (!place) return;
      const wanted = eventsOf(counts).slice(page.offset, page.offset + page.limit);
      const [newest, oldest] = [wanted[0]?.month as number, wanted.at(-1)?.month as number];
      expect(place.span.before).toBe(monthEnd(newest));
      if (wanted.length === page.limit) expect(place.span.from).toBe(monthStart(oldest));
      expect(place.skip).toBe(wanted[0]?.n);
    }),
    { numRuns: 500 },
  );
});
