// The newest events are read only by key, however many events and tenants there are: tests what the statement reads, not how long it takes.
import pg from 'pg';
import { beforeAll, expect, it } from 'vitest';
import { useDatabase } from '../../../../test/database.js';
import { clientConfig } from '../../../db/connect.js';
import type { Runner } from '../../../db/database.js';
import { type Sql, sql } from '../../../db/sql.js';
import { MonthKeeper } from '../months/index.js';
import { readLastArrival, selectRecent } from './queries.js';

const t = useDatabase();
const tenants = 20;
const events = 40_000;

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Loops': number;
  'Actual Rows': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

beforeAll(async () => {
  await new MonthKeeper(t.db, () => undefined).keep();
  await t.db.run(sql`
    insert into contact (tenant_id, contact_id, email, properties, search_text, created_at, updated_at)
    select t, lpad(to_hex(n), 32, '0')::uuid, n || '@x.io', '{}', '', now(), now()
    from generate_series(1, ${tenants}) t, generate_series(0, 99) n`);
  await t.db.run(sql`
    insert into event (tenant_id, contact_id, event_date, event_no, event_name)
    select 1 + n % ${tenants}, lpad(to_hex(n % 100), 32, '0')::uuid, now() - n * interval '1 minute', n * 4096, 'name ' || n % 7
    from generate_series(1, ${events}) n`);
  // Runs of about a dozen events each, as in a busy service.
  await t.db.run(sql`
    insert into event_arrival (tenant_id, event_name, arrival_no, received_at, kept, event_nos, contact_ids, event_dates)
    select tenant_id, event_name, event_no / 4096 / 500, now(), count(*), array_agg(event_no), array_agg(contact_id), array_agg(event_date)
    from event group by 1, 2, 3`);
  await t.db.run(sql`analyze contact, event, event_arrival`);
});

/** Every node of the generic plan that a connection keeps, and of the plan made for these values. */
async function nodesOf(read: (db: Runner) => Promise<unknown>): Promise<Plan[]> {
  const found: Plan[] = [];
  const explain = async ({ text, values }: Sql): Promise<never[]> => {
    const client = new pg.Client(clientConfig(t.connection));
    await client.connect();
    const literals = values.map((value) => client.escapeLiteral(String(value))).join(', ');
    for (const mode of ['force_generic_plan', 'force_custom_plan']) {
      await client.query(`set plan_cache_mode = ${mode}`);
      await client.query(`prepare ${mode} as ${text}`);
      const { rows } = await client.query(`explain (analyze, timing off, format json) execute ${mode} (${literals})`);
      found.push(rows[0]['QUERY PLAN'][0].Plan);
    }
    await client.end();
    return [];
  };
  await read({ rows: explain, row: async (s) => (await explain(s))[0], run: async (s) => (await explain(s)).length });
  const flat = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flat)];
  return found.flatMap(flat);
}

const readsOf = (nodes: readonly Plan[], table: string) =>
  nodes
    .filter((node) => node['Relation Name']?.startsWith(table))
    .map((node) => node['Actual Rows'] * node['Actual Loops']);

it.each([
  ['of everybody', undefined],
  ['of one name', 'name 3'],
])('looks up no more events %s than it answers', async (_, eventName) => {
  const wanted = { eventName, after: -1, limit: 50 };
  expect(await selectRecent(t.db, 3, wanted, 1000)).toHaveLength(50);
  const nodes = await nodesOf((db) => selectRecent(db, 3, wanted, 1000));
  // Empty partitions are not even opened.
  const whole = nodes.filter((node) => node['Node Type'] === 'Seq Scan' && node['Actual Loops'] > 0);
  expect(whole.map((node) => node['Relation Name']).filter((table) => table !== 'event_floor')).toEqual([]);
  const arrivals = nodes.filter((node) => node['Relation Name'] === 'event_arrival');
  expect(arrivals.map((node) => node['Rows Removed by Filter'] ?? 0)).toEqual(arrivals.map(() => 0));
  for (const rows of readsOf(nodes, 'event_2')) expect(rows).toBeLessThanOrEqual(50);
});

it('takes one step down an index to see that nothing is new', async () => {
  const nodes = await nodesOf((db) => readLastArrival(db, 3));
  expect(readsOf(nodes, 'event_arrival')).toEqual([1, 1]);
});
