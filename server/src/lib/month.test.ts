import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { useDatabase } from '../../test/database.js';
import { sql } from '../db/sql.js';
import { clip, monthEnd, monthOf, monthStart } from './month.js';

const t = useDatabase();
const month = fc.integer({ min: 12, max: monthOf('9999-12') });
const instant = fc
  .date({ min: new Date('0001-01-01T00:00:00.000Z'), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true })
  .map((date) => date.toISOString());

describe('a month', () => {
  it('is a number: 24322 for November 2026', () => {
    expect([monthOf('2026-11-15T09:30:00.000Z'), monthStart(24_322)]).toEqual([24_322, '2026-11-01T00:00:00.000Z']);
  });

  it('begins with its first moment and ends before the first of the next', () => {
    fc.assert(
      fc.property(month, (each) => {
        expect(monthOf(monthStart(each))).toBe(each);
        if (each === monthOf('9999-12')) return;
        const end = monthEnd(each);
        expect(end).toBe(monthStart(each + 1));
        expect(monthOf(new Date(Date.parse(end) - 1).toISOString())).toBe(each);
      }),
    );
  });

  it('has no end when it is the last one', () => {
    expect(monthEnd(monthOf('9999-12'))).toBe('infinity');
  });

  it('contains each of its times, compared as text', () => {
    fc.assert(
      fc.property(instant, (at) => {
        const each = monthOf(at);
        expect(monthStart(each) <= at && at < monthEnd(each)).toBe(true);
        expect(each).toBe(new Date(at).getUTCFullYear() * 12 + new Date(at).getUTCMonth());
      }),
    );
  });

  it('is the same in the database', async () => {
    const edges = [
      '0001-01-01T00:00:00.000Z',
      '9999-12-31T23:59:59.999Z',
      '1999-12-31T23:59:59.999Z',
      '2000-02-29T00:00:00.000Z',
    ];
    const times = [...edges, ...fc.sample(instant, 300)];
    const rows = await t.db.rows(sql<{ month: number; start: string }>`
      select month_of(at) as month, month_start(month_of(at)) as start
      from unnest(${times}::timestamptz[]) with ordinality as t (at, n) order by n`);
    expect(rows).toEqual(times.map((at) => ({ month: monthOf(at), start: monthStart(monthOf(at)) })));
  });

  it('does not depend on the time zone of the session', async () => {
    const row = await t.db.transaction(async (tx) => {
      await tx.run(sql`set local time zone 'Pacific/Kiritimati'`);
      return tx.row(sql<{ month: number; isStart: boolean }>`
        select month_of('2026-10-31T23:59:59.999Z') as month, month_start(24321) = '2026-10-01T00:00:00Z' as "isStart"`);
    });
    expect(row).toEqual({ month: 24_321, isStart: true });
  });
});

describe('a clipped span', () => {
  const end = (open: string) => fc.oneof({ weight: 4, arbitrary: instant }, fc.constant(open));
  const span = fc.record({ from: end('-infinity'), before: end('infinity') });

  it('holds what both hold, open ends too', () => {
    const holds = (of: { from: string; before: string }, at: string) => at >= of.from && at < of.before;
    fc.assert(
      fc.property(span, span, fc.array(instant, { minLength: 1 }), (a, b, times) => {
        const both = clip(a, b);
        for (const at of [...times, a.from, b.before].filter((each) => !each.includes('infinity')))
          expect(holds(both, at)).toBe(holds(a, at) && holds(b, at));
      }),
    );
  });
});
