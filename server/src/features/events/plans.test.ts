// The plans of the hot statements, as PostgreSQL really makes them: tests what they read, not how long they take.
import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../../../test/database.js';
import { clientConfig } from '../../db/connect.js';
import type { Database, Runner, Transaction } from '../../db/database.js';
import { type Sql, sql } from '../../db/sql.js';
import { monthEnd, monthOf, monthStart } from '../../lib/month.js';
import { selectBoth } from '../contact-activity/queries.js';
import { selectResults, selectResultsFrom } from '../transactions/index.js';
import { MonthKeeper } from './months/index.js';
import { ofEvents, ofRepeats } from './queries.js';
import { countEvents, productEvents, selectMonths, selectPage } from './timeline/queries.js';

const t = useDatabase();
const owner = { tenantId: 1, contactId: '1'.padStart(32, '0') };
const firstMonth = monthOf('2024-01');
const months = Array.from({ length: 6 }, (_, i) => firstMonth + i);
const eachMonth = 2000;

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Loops': number;
  'Actual Rows': number;
  Plans?: Plan[];
}

/** Runs EXPLAIN ANALYZE in place of a statement, planned as its connection would: generic or for its values. */
function explaining(found: { plan?: Plan }): Database {
  const runner = (mode: string): Runner => {
    const explain = async (statement: Sql): Promise<never[]> => {
      found.plan = await planOf(statement, mode);
      return [];
    };
    return { rows: explain, row: async (s) => (await explain(s))[0], run: async (s) => (await explain(s)).length };
  };
  const planned = runner('force_custom_plan');
  return { ...t.db, ...runner('force_generic_plan'), slow: () => planned };
}

async function planOf({ text, values }: Sql, mode: string): Promise<Plan> {
  const client = new pg.Client(clientConfig(t.connection));
  await client.connect();
  try {
    await client.query(`set plan_cache_mode = ${mode}`);
    await client.query(`prepare hot as ${text}`);
    const list = values
      .map((value) => client.escapeLiteral(Array.isArray(value) ? `{${value}}` : String(value)))
      .join(', ');
    const { rows } = await client.query(`explain (analyze, timing off, format json) execute hot (${list})`);
    return rows[0]['QUERY PLAN'][0].Plan;
  } finally {
    await client.end();
  }
}

async function explain(read: (db: Database) => Promise<unknown>): Promise<Plan[]> {
  const found: { plan?: Plan } = {};
  await read(explaining(found));
  const flat = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flat)];
  // Parts of a plan that do not run, such as pruned partitions, cost nothing.
  return flat(found.plan as Plan).filter((node) => node['Actual Loops'] > 0);
}

/** The tables that were actually read. */
const tables = (nodes: Plan[]) => [...new Set(nodes.flatMap((node) => node['Relation Name'] ?? []))].sort();
const types = (nodes: Plan[]) => nodes.map((node) => node['Node Type']);
const rowsRead = (nodes: Plan[]) =>
  nodes
    .filter((node) => node['Node Type'].includes('Scan') && node['Relation Name'])
    .reduce((sum, node) => sum + node['Actual Rows'] * node['Actual Loops'], 0);
/** The floor is one row. */
const isNotFloor = (node: Plan) => node['Relation Name'] !== 'event_floor';
const nameOf = (month: number) => `event_${monthStart(month).slice(0, 7).replace('-', '_')}`;
const spanOf = (first: number, last: number) => ({ from: monthStart(first), before: monthEnd(last) });
const newest = months.at(-1) as number;

beforeAll(async () => {
  // One contact with 2,000 events a month and 19 with 200, in six months.
  await t.db.background.run(sql`
    insert into event (tenant_id, contact_id, event_date, event_no, event_name)
    select 1, lpad(to_hex(c), 32, '0')::uuid, month_start(m) + n * interval '1 minute', n * 32 + c, 'x'
    from generate_series(1, 20) c, unnest(${months}::integer[]) m, generate_series(1, ${eachMonth}) n where c = 1 or n <= 200`);
  await t.db.background.run(sql`
    insert into event_count (tenant_id, contact_id, month, events)
    select tenant_id, contact_id, month_of(event_date), count(*) from event group by 1, 2, 3`);
  await t.db.background.run(sql`
    insert into event_count (tenant_id, contact_id, month, events)
    select 1, md5(n::text)::uuid, m, 1 from generate_series(1, 2000) n, unnest(${months}::integer[]) m`);
  await t.db.background.run(sql`
    insert into marketing_activity (tenant_id, contact_id, event_date, event_name)
    select 1, lpad(to_hex(c), 32, '0')::uuid, month_start(m) + n * interval '1 minute', 'sent'
    from generate_series(1, 20) c, unnest(${months}::integer[]) m, generate_series(1, ${eachMonth}) n where c = 1 or n <= 200`);
  await new MonthKeeper(t.db, () => undefined).keep();
  await t.db.run(sql`vacuum analyze`);
});

describe('months and their counts', () => {
  it('are found by the key of the counts', async () => {
    const nodes = await explain((db) => selectMonths(db, productEvents, owner, 0, monthOf('9999-12')));
    expect(tables(nodes)).toEqual(['event_count', 'event_floor']);
    const counts = nodes.filter((node) => node['Relation Name'] === 'event_count');
    expect(types(counts).every((type) => type.startsWith('Index'))).toBe(true);
    expect(rowsRead(counts)).toBe(6);
    expect(types(nodes)).not.toContain('Sort');
  });

  it('of a part are counted from only the index of that month', async () => {
    const part = { from: `${monthStart(newest).slice(0, 8)}01T10:00:00.000Z`, before: monthEnd(newest) };
    const nodes = await explain((db) => countEvents(db, productEvents, owner, part));
    expect(tables(nodes)).toEqual([nameOf(newest)]);
    expect(types(nodes)).toContain('Index Only Scan');
  });
});

describe('a page', () => {
  it('near the start reads its rows by the key, in order, only from its months', async () => {
    const place = { span: spanOf(newest, newest), skip: 40, take: 20 };
    const nodes = await explain((db) => selectPage(db, productEvents, owner, place));
    expect(tables(nodes)).toEqual([nameOf(newest)]);
    expect(types(nodes)).not.toContain('Sort');
    expect(rowsRead(nodes)).toBe(60);
  });

  it('that goes over months reads no more of them than it shows', async () => {
    const place = { span: spanOf(newest - 1, newest), skip: 10, take: 200 };
    const nodes = await explain((db) => selectPage(db, productEvents, owner, place));
    expect(tables(nodes)).toEqual([nameOf(newest - 1), nameOf(newest)]);
    expect(types(nodes)).not.toContain('Sort');
    // One row of each month, to find the next month.
    expect(rowsRead(nodes)).toBe(210 + 1);
  });

  it('far from the start skips only in the index', async () => {
    const place = { span: spanOf(newest, newest), skip: 1900, take: 20 };
    const nodes = await explain((db) => selectPage(db, productEvents, owner, place));
    expect(tables(nodes)).toEqual([nameOf(newest)]);
    expect(types(nodes)).toContain('Index Only Scan');
    expect(types(nodes)).not.toContain('Seq Scan');
    expect(rowsRead(nodes)).toBe(1920 + 20);
  });

  it('of both kinds reads of each no more than it can reach, and its own rows once', async () => {
    const place = { span: spanOf(newest - 1, newest), skip: 20, take: 20 };
    const nodes = (await explain((db) => selectBoth(db, owner, place))).filter(isNotFloor);
    expect(types(nodes)).not.toContain('Seq Scan');
    // And one row of each month, to find the next month.
    expect(rowsRead(nodes)).toBeLessThanOrEqual(2 * (40 + 1) + 20);
  });
});

describe('an erasure', () => {
  it('finds the results of a write by its place in the queue, and those with repeats among all the others', async () => {
    await t.db.background.run(sql`
      insert into write_transaction (tenant_id, transaction_id, kind, status, items, results, finished_at)
      select 1, md5(n::text)::uuid, 'event.batch', 'DONE', 1,
        case when n % 100 = 0 then '{"repeats":true,"items":"D"' else '{"items":"S"' end || ',"ids":"D' || n || '"}', now()
      from generate_series(1, 5000) n`);
    await t.db.run(sql`vacuum analyze write_transaction`);
    const one = await explain((db) => selectResults(db as unknown as Transaction, 1, ofEvents, [4000]));
    expect(one.flatMap((node) => node['Index Name'] ?? [])).toEqual(['write_transaction_events']);
    const repeats = await explain((db) => selectResultsFrom(db as unknown as Transaction, 1, ofRepeats, 1, 1000));
    expect(repeats.flatMap((node) => node['Index Name'] ?? [])).toEqual(['write_transaction_repeats']);
    expect(rowsRead(repeats)).toBe(50);
  });
});
