import { describe, expect, it } from 'vitest';
import { useDatabase } from '../../../../test/database.js';
import { type Sql, sql } from '../../../db/sql.js';
import { readFilter } from '../read.js';
import { Subjects } from '../subjects.js';
import { compile, compileAll } from './index.js';

const t = useDatabase();
const none = new Subjects([]);
const read = (json: unknown) => readFilter(json, none);
const at = { tenantId: 1, now: sql`${'2026-03-10T00:00:00.000Z'}::timestamptz`, scope: () => sql`true` };
const scansOf = ({ joins }: { joins: Sql }) => joins.text.match(/\bfrom event e\b/g)?.length ?? 0;

describe('conditions on events', () => {
  it('that add something up share one scan, over filters too; other windows have their own', () => {
    const filters = [
      { event: 'a', atLeast: 2, withinLast: 'P7D' },
      {
        any: [
          { event: 'b', withinLast: 'P30D' },
          { event: 'b', measure: 'sum', of: 'n', gt: 1, withinLast: 'P1D' },
        ],
      },
    ].map(read);
    expect(scansOf(compileAll(filters, at))).toBe(1);
    expect(scansOf(compileAll([...filters, read({ event: 'a' }), read({ event: 'b', exactly: 0 })], at))).toBe(2);
    expect(scansOf(compileAll([read({ event: 'a', from: '2026-01-01' }), read({ event: 'a' })], at))).toBe(2);
  });

  it('read no month that lies before their window', async () => {
    for (const month of ['2026-01', '2026-02', '2026-03', '2026-04']) {
      await t.db.run(sql`select make_month('event', month_of(${`${month}-01T00:00:00Z`}::timestamptz))`);
    }
    const tables = async (json: unknown) => {
      const { joins, holds } = compile(read(json), at);
      const rows = await t.db.rows(
        sql<Record<string, string>>`explain select ${holds} from contact c ${joins} where c.tenant_id = 1`,
      );
      const text = rows.map((row) => Object.values(row)[0]).join('\n');
      return [...new Set(text.match(/event_20\d\d_\d\d/g))].filter((name) => name.startsWith('event_2026')).sort();
    };
    expect(await tables({ event: 'a', withinLast: 'P1W' })).toEqual(['event_2026_03', 'event_2026_04']);
    expect(await tables({ event: 'a', from: '2026-02-01', to: '2026-02-20' })).toEqual(['event_2026_02']);
    const sequence = { sequence: [{ event: 'a' }, { event: 'b' }], withinLast: 'P20D' };
    expect(await tables(sequence)).toEqual(['event_2026_02', 'event_2026_03', 'event_2026_04']);
  });
});
