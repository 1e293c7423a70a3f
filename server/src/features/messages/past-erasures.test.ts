// A database in which people were erased before erasures removed subjects and links from their activity: the upgrade removes them.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { withDatabase } from '../../../test/database-server.js';
import { migrate } from '../../db/migrate.js';

// The schema version before that upgrade.
const before = 18;
const name = `rapport_erased_${process.pid}_${randomBytes(4).toString('hex')}`;
const connection = { connectionString: withDatabase(inject('serverUrl'), name) };
const [ada, gone] = ['00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000002'];

// One row in a month with its own partition, one without. The same id in another tenant is another person.
const activity = `
  insert into tenant (name) values ('One'), ('Two');
  select make_month('marketing_activity', 2026 * 12 + 10);
  insert into contact (tenant_id, contact_id, email, properties, search_text, created_at, updated_at) values
  (1, '${ada}', 'ada@x.io', '{}', '', now(), now()), (2, '${gone}', 'eve@x.io', '{}', '', now(), now());
  insert into marketing_activity (tenant_id, contact_id, event_date, event_name, email_subject, link_url)
  select t, who::uuid, at::timestamptz, 'clicked', 'Hi ' || t, 'https://x.io/' || t
  from (values (1, '${ada}'), (1, '${gone}'), (2, '${gone}')) as p (t, who),
    unnest(array['2026-11-01T00:00:00Z', '2026-11-30T23:59:59.999Z', '2019-02-03T00:00:00Z']) as at;
  insert into marketing_activity_count (tenant_id, contact_id, month, events)
  select tenant_id, contact_id, month_of(event_date), count(*) from marketing_activity group by 1, 2, 3`;

async function run(connectionString: string, ...statements: string[]): Promise<pg.QueryResult | undefined> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    let last: pg.QueryResult | undefined;
    for (const statement of statements) last = await client.query(statement);
    return last;
  } finally {
    await client.end();
  }
}

beforeAll(async () => {
  await run(inject('serverUrl'), `create database ${name} template template0`);
  await migrate(connection, { upTo: before });
  await run(connection.connectionString, activity);
  await migrate(connection);
});

afterAll(async () => {
  await run(inject('serverUrl'), `drop database if exists ${name} with (force)`);
});

it('removes them for erased people, and for no others', async () => {
  const left = await run(
    connection.connectionString,
    `select tenant_id::int as tenant, contact_id as who, count(*)::int as rows, count(email_subject)::int as subjects, count(link_url)::int as links
     from marketing_activity group by 1, 2 order by 1, 2`,
  );
  expect(left?.rows).toEqual([
    { tenant: 1, who: ada, rows: 3, subjects: 3, links: 3 },
    { tenant: 1, who: gone, rows: 3, subjects: 0, links: 0 },
    { tenant: 2, who: gone, rows: 3, subjects: 3, links: 3 },
  ]);
});
