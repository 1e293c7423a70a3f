// What a condition on mail reads, according to PostgreSQL's plan: no more than one on events.
import { beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../../../../test/database.js';
import { appSubjects } from '../../../../test/filters/subjects.js';
import { type Sql, sql } from '../../../db/sql.js';
import { compile, compileAll } from '../../filter-language/compile/index.js';
import { readFilter } from '../../filter-language/read.js';

const t = useDatabase();
const idOf = (no: number) => no.toString(16).padStart(32, '0');
const everybody = () => sql`true`;
const range = (id: Sql) => sql`${id} > ${idOf(1000)}::uuid and ${id} <= ${idOf(1040)}::uuid`;
const some = (id: Sql) => sql`${id} = any(${[idOf(7), idOf(900)]}::uuid[])`;
const at = (scope: (id: Sql) => Sql) => ({ tenantId: 1, now: sql`${'2026-03-10T00:00:00.000Z'}::timestamptz`, scope });
const read = (json: unknown) => readFilter(json, appSubjects);

beforeAll(async () => {
  const db = t.db.background;
  for (const month of ['2026-01', '2026-02', '2026-03', '2026-04'])
    await db.run(sql`select make_month('marketing_activity', month_of(${`${month}-01T00:00:00Z`}::timestamptz))`);
  await db.run(sql`
    insert into contact (tenant_id, contact_id, email, properties, created_at, updated_at, search_text)
    select 1, lpad(to_hex(i), 32, '0')::uuid, i || '@x.test', '{}', now(), now(), '' from generate_series(1, 4000) i`);
  await db.run(sql`
    insert into marketing_activity (tenant_id, contact_id, event_date, event_no, event_name)
    select 1, lpad(to_hex(1 + i % 4000), 32, '0')::uuid, timestamptz '2026-01-01Z' + (i % 68) * interval '1 day', i, 'opened'
    from generate_series(1, 40000) i`);
  await db.run(sql`analyze contact`);
  await db.run(sql`analyze marketing_activity`);
});

async function planOf(json: unknown, scope: (id: Sql) => Sql): Promise<string> {
  const { joins, holds, next } = compile(read(json), at(scope));
  const rows = await t.db.background.rows(sql<Record<string, string>>`
    explain (costs off) select ${holds}, ${next ?? sql`null`} from contact c ${joins}
    where c.tenant_id = 1 and ${scope(sql`c.contact_id`)}`);
  return rows.map((row) => Object.values(row)[0]).join('\n');
}

const monthsIn = (plan: string) => [...new Set(plan.match(/(?<=on marketing_activity_)20\d\d_\d\d/g))].sort();

describe('a count of what came of mail', () => {
  it('reads some contacts and a range of them by the key', async () => {
    for (const scope of [some, range]) {
      const plan = await planOf({ marketing: 'opened', to: '2026-02-27' }, scope);
      expect(monthsIn(plan)).toEqual(['2026_01', '2026_02']);
      expect(plan).not.toMatch(/Seq Scan on marketing_activity_2026/);
      expect(plan).toMatch(/marketing_activity_2026_01_pkey/);
    }
  });

  it('reads each month once for all contacts, and none before its window', async () => {
    const plan = await planOf({ marketing: 'opened', atLeast: 2, withinLast: 'P1W' }, everybody);
    expect(monthsIn(plan)).toEqual(['2026_03', '2026_04']);
    expect(plan).toMatch(/HashAggregate/);
    expect(plan).not.toMatch(/Nested Loop|SubPlan/);
  });

  it('shares one scan with others of its like, and none with events', () => {
    const scans = (...filters: unknown[]) =>
      compileAll(filters.map(read), at(everybody)).joins.text.match(/\bfrom (marketing_activity|event) e\b/g);
    const [opened, clicked] = [
      { marketing: 'opened', withinLast: 'P7D' },
      { marketing: 'clicked', linkUrl: 'x', withinLast: 'P30D' },
    ];
    expect(scans(opened, { any: [clicked, opened] })).toEqual(['from marketing_activity e']);
    expect(scans(opened, { marketing: 'opened' })).toHaveLength(2);
    expect(scans(opened, { event: 'opened', withinLast: 'P7D' })).toEqual([
      'from marketing_activity e',
      'from event e',
    ]);
  });
});
