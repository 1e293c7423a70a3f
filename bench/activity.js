// Reading the product activity of a contact with 1 million events among 20 million, against bare routes, in one run.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { clientConfig } from '../server/dist/db/connect.js';
import { connectionOf } from '../server/test/process/postgres-processes.js';
import { makeDataDir, startService } from '../server/test/process/service.js';
import { makeTenant } from '../server/test/process/tenant.js';
import { firstPage } from './activity-statement.js';
import { freePort } from './free-port.js';
import { compare, read } from './measure.js';

const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const total = Number(process.env.BENCH_EVENTS ?? 20_000_000);
const ofOne = total / 20;
const months = 24;
const contactId = 'f'.repeat(32);

/** @param {(line: string) => void} say */
export async function bench(say) {
  const dataDir = await makeDataDir();
  const env = { PORT: String(await freePort()), DEMO: 'off' };
  const service = await startService({ dataDir, env, discardOutput: true });
  const tenant = await makeTenant(service);
  const connection = await connectionOf(dataDir);
  const client = new pg.Client(clientConfig(connection));
  client.on('error', () => undefined);
  await client.connect();
  await seed(client, tenant.tenantId, say);
  const path = `${service.url}/v2/contacts/${contactId}/product-activity`;
  const lateWindow = '?startTime=2026-01-10T12:00:00Z&endTime=2026-09-20T12:00:00Z';
  const bare = await startBare({ connection, tenantId: tenant.tenantId, contactId });
  /** @type {Record<string, number[]>} */
  const found = { first: [], late: [], window: [], bareFirst: [], bareAll: [], bareLate: [] };
  for (let round = 0; round < rounds; round++) {
    found.bareFirst?.push(await read(`${bare.url}/first`, undefined));
    found.first?.push(await read(path, tenant.token));
    found.bareAll?.push(await read(`${bare.url}/all`, undefined));
    found.late?.push(await read(`${path}?pageNumber=5000`, tenant.token));
    found.bareLate?.push(await read(`${bare.url}/late`, undefined));
    found.window?.push(await read(path + lateWindow, tenant.token));
  }
  const of = (/** @type {string} */ name) => found[name] ?? [];
  compare(
    say,
    'first page a second',
    of('first'),
    of('bareFirst'),
    'a bare route with the same SELECT on its month',
    0.6,
  );
  compare(
    say,
    'first page a second',
    of('first'),
    of('bareAll'),
    'a bare route with that SELECT on the whole table',
    0.6,
  );
  compare(say, 'page 5,000 a second', of('late'), of('bareLate'), 'a bare route with the same page by OFFSET', 0.6);
  compare(say, 'a window of months, first page', of('window'), of('bareFirst'), 'the first page of a bare route', 0);
  await explain(client, tenant.tenantId, say);
  bare.stop();
  await client.end();
  await service.stop();
}

/**
 * Month by month, each table filled before it gets its index: minutes faster than row by row.
 * @param {pg.Client} client
 * @param {number} tenantId
 * @param {(line: string) => void} say
 */
async function seed(client, tenantId, say) {
  const others = 10_000;
  await client.query(
    `insert into contact (tenant_id, contact_id, email, search_text, created_at, updated_at)
     values ($1, $2, 'big@example.com', 'big@example.com', now(), now())`,
    [tenantId, contactId],
  );
  const { rows } = await client.query('select month_of(now()) as month');
  const start = performance.now();
  for (let month = rows[0].month - months + 1; month <= rows[0].month; month++) {
    const { rows: name } = await client.query(`select to_char(month_start($1), '"event_"YYYY_MM') as name`, [month]);
    const table = name[0].name;
    const isMade = month === rows[0].month;
    if (!isMade) await client.query(`create table ${table} (like event including defaults including constraints)`);
    const fill = (/** @type {string} */ contact) => `
      insert into ${table} (tenant_id, contact_id, event_date, event_no, event_name, user_id, properties)
      select ${tenantId}, ${contact}, month_start(${month}) + n * interval '27 days' / $1::int, n, 'report_exported', 'u1',
        jsonb_build_object('format', 'csv', 'rows', n % 1000) from generate_series(1, $1::int) n`;
    await client.query(fill(`'${contactId}'`), [Math.round(ofOne / months)]);
    await client.query(fill(`lpad(to_hex(n % ${others}), 32, '0')::uuid`), [Math.round((total - ofOne) / months)]);
    if (!isMade) {
      await client.query(`alter table ${table} add primary key (tenant_id, contact_id, event_date, event_no)`);
      await client.query(
        `alter table event attach partition ${table} for values from (${await literal(client, month)}) to (${await literal(client, month + 1)})`,
      );
    }
    await client.query(
      `insert into event_count select tenant_id, contact_id, ${month}, count(*) from ${table} group by 1, 2`,
    );
    await client.query(`vacuum analyze ${table}`);
  }
  await client.query('vacuum analyze event_count');
  say(
    `${total.toLocaleString('en')} events in ${months} months, ${ofOne.toLocaleString('en')} of them of one contact, made in ${Math.round((performance.now() - start) / 1000)} s`,
  );
}

/**
 * @param {pg.Client} client
 * @param {number} month
 */
async function literal(client, month) {
  const { rows } = await client.query('select quote_literal(month_start($1)::text) as text', [month]);
  return rows[0].text;
}

/** @param {object} order */
async function startBare(order) {
  const child = fork(fileURLToPath(new URL('bare-activity.js', import.meta.url)));
  child.send(order);
  const [{ url }] = await once(child, 'message');
  return { url, stop: () => child.disconnect() };
}

/**
 * What the total and the first page actually read.
 * @param {pg.Client} client
 * @param {number} tenantId
 * @param {(line: string) => void} say
 */
async function explain(client, tenantId, say) {
  const total = `select month, events from event_count where tenant_id = ${tenantId} and contact_id = '${contactId}'
    and month between 0 and 119999 and month >= (select month from event_floor) order by month desc`;
  const page = firstPage(tenantId, contactId);
  for (const [name, text] of Object.entries({ total, 'first page': page })) {
    say(`plan of the ${name}:`);
    const { rows } = await client.query(`explain (analyze, buffers, costs off, timing off) ${text}`);
    for (const row of rows) say(`  ${row['QUERY PLAN']}`);
  }
}
