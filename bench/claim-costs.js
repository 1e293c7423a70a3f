// How PostgreSQL finds due messages beside those that wait for later: pages read, time and indexes, for a thousand and a million.
import { claimStatements } from './claim-statement.js';

const sizes = [1000, 1_000_000];
const atMost = 100;
// A tenant that no service sends for.
const tenantId = 9_000_000;

/**
 * @param {import('pg').Client} client
 * @param {string} emailId
 * @param {(line: string) => void} say
 */
export async function claimCosts(client, emailId, say) {
  let there = 0;
  for (const size of sizes) {
    await queue(client, emailId, size - there, `now() + interval '1 day' + n * interval '1 second'`);
    there = size;
    await client.query('vacuum analyze message');
    const statements = await claimStatements(tenantId, atMost);
    for (const kind of ['custom', 'generic']) {
      for (const [what, statement] of Object.entries(statements)) {
        const found = await explain(client, emailId, kind, statement);
        say(`${what} with ${size.toLocaleString('en')} queued for later, ${kind} plan: ${found}`);
      }
    }
  }
}

/**
 * @param {import('pg').Client} client
 * @param {string} emailId
 * @param {number} count
 * @param {string} due
 */
async function queue(client, emailId, count, due) {
  await client.query(
    `insert into message (tenant_id, message_id, kind, contact_id, address, email_id, due_at)
     select $1, gen_random_uuid(), 'direct', gen_random_uuid(), 'p' || n || '@example.com', $2, ${due} from generate_series(1, $3::int) n`,
    [tenantId, Buffer.from(emailId, 'hex'), count],
  );
}

/**
 * The due messages exist only inside the transaction, which is rolled back: no sender sees them.
 * @param {import('pg').Client} client
 * @param {string} emailId
 * @param {string} kind
 * @param {{ text: string, values: unknown[] }} statement
 */
async function explain(client, emailId, kind, { text, values }) {
  await client.query(`set plan_cache_mode = force_${kind}_plan`);
  await client.query(`prepare claim as ${text}`);
  const literals = values.map((value) => client.escapeLiteral(String(value)));
  const args = literals.length === 0 ? '' : ` (${literals})`;
  let plan;
  // The first run brings the pages into memory.
  for (let i = 0; i < 2; i++) {
    await client.query('begin');
    await queue(client, emailId, atMost, `now() - interval '1 second'`);
    const { rows } = await client.query(`explain (analyze, buffers, format json) execute claim${args}`);
    await client.query('rollback');
    [plan] = rows[0]['QUERY PLAN'];
  }
  await client.query('deallocate claim');
  const pages = plan.Plan['Shared Hit Blocks'] + plan.Plan['Shared Read Blocks'];
  const indexes = [...new Set(indexesOf(plan.Plan))].join(', ');
  return `${plan.Plan['Actual Rows']} rows, ${pages} pages, ${plan['Execution Time'].toFixed(1)} ms; ${indexes}`;
}

/**
 * @param {any} node
 * @returns {string[]}
 */
function indexesOf(node) {
  const isWhole = node['Node Type'] === 'Seq Scan' && node['Relation Name'] === 'message';
  const own = node['Index Name'] ?? (isWhole ? 'whole table' : undefined);
  return [...(own ? [own] : []), ...(node.Plans ?? []).flatMap(indexesOf)];
}
