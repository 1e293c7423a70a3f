// How PostgreSQL reads the lists of a tenant with 100,000 lists, beside as many of other tenants: which index, how many pages, how long.
import pg from 'pg';
import { connectionOf } from '../server/test/process/postgres-processes.js';
import { makeDataDir, startService } from '../server/test/process/service.js';
import { makeTenant } from '../server/test/process/tenant.js';
import { listStatement } from './list-statement.js';
import { seedLists } from './seed-lists.js';

const reads = [
  { title: 'page 1 of 20', offset: 0 },
  { title: 'page 5000 of 20', offset: 99_980 },
  { title: 'search of a rare word (5 lists)', search: 'zebra' },
  { title: 'search of a word in 1 of 100', search: 'webinar' },
  { title: 'search of a word in every list', search: 'customers' },
  { title: 'search of a letter in every list', search: 'e' },
  { title: 'search of a rare letter (5 lists)', search: 'z' },
  { title: 'search of what no list has', search: 'qqq' },
];
// For a named statement PostgreSQL makes a plan for the given values, or a generic one.
const kinds = ['custom', 'generic'];

/** @param {(line: string) => void} say */
export async function bench(say) {
  const dataDir = await makeDataDir();
  const service = await startService({ dataDir, env: { DEMO: 'off' } });
  const client = new pg.Client(await connectionOf(dataDir));
  await client.connect();
  const tenant = await makeTenant(service);
  await seedLists(client, tenant, 100_000, nameOf);
  for (let i = 0; i < 20; i++) await seedLists(client, await makeTenant(service), 5000, nameOf);
  for (const { title, ...page } of reads) {
    const statement = await listStatement(tenant.tenantId, page);
    for (const kind of kinds) say(`${title}, ${kind} plan: ${await explain(client, kind, statement)}`);
  }
  await client.end();
  await service.stop();
}

/** @param {number} i */
function nameOf(i) {
  if (i % 20_000 === 777) return `Zebra customers, list ${i}`;
  if (i % 100 === 50) return `Webinar customers, list ${i}`;
  return `Customers of the region ${i % 50}, list ${i}`;
}

/**
 * @param {pg.Client} client
 * @param {string} kind
 * @param {{ text: string, values: unknown[] }} statement
 */
async function explain(client, kind, { text, values }) {
  await client.query(`set plan_cache_mode = force_${kind}_plan`);
  await client.query(`prepare read as ${text}`);
  const literals = values.map((value) => client.escapeLiteral(Array.isArray(value) ? `{${value}}` : String(value)));
  const command = `explain (analyze, buffers, format json) execute read (${literals})`;
  await client.query(command); // brings the pages into memory
  const { rows } = await client.query(command);
  await client.query('deallocate read');
  const [{ Plan: plan, ...found }] = rows[0]['QUERY PLAN'];
  const pages = plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
  const time = `${found['Planning Time'].toFixed(1)} ms planning, ${found['Execution Time'].toFixed(1)} ms`;
  return `${time}, ${pages} pages; ${[...scansOf(plan)].join(', ')}`;
}

/**
 * How the table itself is read: by which index, and how many rows were returned.
 * @param {any} node
 * @returns {Set<string>}
 */
function scansOf(node, found = new Set()) {
  const rows = Math.round(node['Actual Rows'] * node['Actual Loops']);
  if (node['Index Name']?.startsWith('static_list')) found.add(`${node['Index Name']} (${rows} rows)`);
  else if (node['Node Type'] === 'Seq Scan' && node['Relation Name'] === 'static_list')
    found.add(`whole table (${rows} rows)`);
  for (const child of node.Plans ?? []) scansOf(child, found);
  return found;
}
