// Windows are split into whole days, whole hours and a rest; folding changes no sum.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { useDatabase } from '../../test/database.js';
import { sql } from './sql.js';
import { dayMs, foldTallies, hourMs, piecesOf, type Tallies, tallied, type Window, within } from './tallies.js';

const base = Date.UTC(2026, 2, 28);
const moment = fc.oneof(
  fc.integer({ min: 0, max: 3 * dayMs }),
  fc.integer({ min: 0, max: 72 }).map((hour) => hour * hourMs),
  fc.integer({ min: 0, max: 72 }).map((hour) => hour * hourMs - 1),
);
const text = (at: number) => new Date(base + at).toISOString();
const anyWindow = fc
  .record({ from: fc.option(moment), to: fc.option(moment) })
  .map(({ from, to }): Window => ({ from: from === null ? null : text(from), to: to === null ? null : text(to) }));

describe('the pieces of a window', () => {
  it('contain every millisecond of it once, and no other', () => {
    fc.assert(
      fc.property(anyWindow, moment, (window, at) => {
        const { days, hours, rest } = piecesOf(window);
        const hits = [...days, ...hours, ...rest].filter(([from, to]) => from <= base + at && base + at < to).length;
        const isIn = (window.from === null || text(at) >= window.from) && (window.to === null || text(at) <= window.to);
        expect(hits).toBe(isIn ? 1 : 0);
      }),
      { numRuns: 3000 },
    );
  });

  it('are whole, and the rest is shorter than two hours at each end', () => {
    fc.assert(
      fc.property(anyWindow, (window) => {
        const { days, hours, rest } = piecesOf(window);
        for (const edge of days.flat()) expect(Number.isFinite(edge) ? edge % dayMs : 0).toBe(0);
        for (const edge of hours.flat()) expect(edge % hourMs).toBe(0);
        for (const [from, to] of rest) expect(to - from).toBeLessThan(2 * hourMs);
      }),
    );
  });
});

describe('figures', () => {
  const t = useDatabase();
  const book: Tallies = {
    table: sql`journey_tally`,
    deltas: sql`journey_tally_delta`,
    key: [sql`journey_no`, sql`step_id`, sql`part`, sql`what`],
    counts: [sql`n`],
  };

  it('are the same before, while and after they are folded, in any window and any grain', async () => {
    const delta = fc.record({
      at: moment,
      what: fc.constantFrom('entered', 'left'),
      n: fc.integer({ min: -3, max: 5 }),
    });
    let tenantId = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(delta, { minLength: 1, maxLength: 30 }),
        anyWindow,
        fc.constantFrom('hour' as const, 'day' as const, null),
        async (deltas, window, grain) => {
          tenantId++;
          await t.db.run(sql`
            insert into journey_tally_delta (tenant_id, journey_no, step_id, part, what, hour, n)
            select ${tenantId}, 1, '', '', d.what, date_trunc('hour', d.at, 'UTC'), d.n
            from unnest(${deltas.map((d) => text(d.at))}::timestamptz[], ${deltas.map((d) => d.what)}::text[],
              ${deltas.map((d) => d.n)}::integer[]) as d (at, what, n)`);
          const { days, hours } = piecesOf(window);
          const expected = new Map<string, number>();
          for (const { at, what, n } of deltas) {
            const hour = Math.floor((base + at) / hourMs) * hourMs;
            if (![...days, ...hours].some(([from, to]) => from <= hour && hour < to)) continue;
            const part = grain === null ? null : text(hour - base - (grain === 'day' ? hour % dayMs : 0));
            expected.set(`${what} ${part}`, (expected.get(`${what} ${part}`) ?? 0) + n);
          }
          for (const most of [0, 7, 100]) {
            if (most > 0) await foldTallies(t.db, book, most);
            const rows = await t.db.rows(sql<{ what: string; since: string | null; n: number }>`
              select what, since, sum(n)::int8 as n from (${tallied(book, tenantId, sql`journey_no = 1`, window, grain)}) s
              group by what, since`);
            const found = new Map(rows.map(({ what, since, n }) => [`${what} ${since}`, n]));
            for (const key of new Set([...found.keys(), ...expected.keys()]))
              expect([key, found.get(key) ?? 0]).toEqual([key, expected.get(key) ?? 0]);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('tell which moments lie in pieces of a window', async () => {
    const row = await t.db.row(sql<{ is: boolean; not: boolean; none: boolean }>`
      select ${within(sql`at`, [[base, base + hourMs]])} as is, ${within(sql`at`, [[base + 1, Number.POSITIVE_INFINITY]])} as not,
        ${within(sql`at`, [])} as none from (select ${text(0)}::timestamptz as at) s`);
    expect(row).toEqual({ is: true, not: false, none: false });
  });
});
