// The cost of announcing contact changes: without a listener, and to one that stores who changed and what.
import pg from 'pg';
import { clientConfig } from '../server/dist/db/connect.js';
import { openDatabase } from '../server/dist/db/database.js';
import { sql } from '../server/dist/db/sql.js';
import { contactApplier, contactsChanged } from '../server/dist/features/contacts/index.js';
import { Appliers, serveTenant } from '../server/dist/features/transactions/index.js';
import { connectionOf } from '../server/test/process/postgres-processes.js';
import { makeDataDir, startService } from '../server/test/process/service.js';
import { makeTenant } from '../server/test/process/tenant.js';
import { freePort } from './free-port.js';
import { median } from './processes.js';

const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const batches = 40;
const size = 500;

/** @param {(line: string) => void} say */
export async function bench(say) {
  const dataDir = await makeDataDir();
  // The worker is in this process: nothing else applies writes.
  const env = { PORT: String(await freePort()), DEMO: 'off', ROLE: 'api' };
  const service = await startService({ dataDir, env, discardOutput: true });
  const { tenantId } = await makeTenant(service);
  const connection = await connectionOf(dataDir);
  const client = new pg.Client(clientConfig(connection));
  await client.connect();
  await client.query(
    'create table heard (tenant_id bigint, contact_id uuid, keys text[], at timestamptz default now())',
  );
  const [deaf, hearing] = [openDatabase(connection), openDatabase(connection)];
  contactsChanged.hear(hearing.identity, async (tx, tenant, news) => {
    const keys = news.map(({ changes }) => `{${changes.map(({ field }) => field).join(',')}}`);
    await tx.run(sql`
      insert into heard (tenant_id, contact_id, keys)
      select ${tenant}, id, keys::text[] from unnest(${news.map((item) => item.contactId)}::uuid[], ${keys}::text[]) as n (id, keys)`);
  });
  /** @type {Map<typeof deaf, number[]>} */
  const rates = new Map([
    [deaf, []],
    [hearing, []],
  ]);
  const appliers = new Appliers();
  appliers.onApply(contactApplier([]));
  for (let round = 0; round <= rounds; round++) {
    for (const [db, seen] of rates) {
      await queue(client, tenantId, `${round}-${db === deaf ? 'd' : 'h'}`);
      const start = performance.now();
      while ((await serveTenant(db.background, appliers, tenantId)) !== 0);
      // The first round warms up.
      if (round > 0) seen.push((batches * size) / ((performance.now() - start) / 1000));
    }
  }
  const [alone, heard] = [median(rates.get(deaf) ?? []), median(rates.get(hearing) ?? [])];
  say(`contacts applied a second, in batches of ${size}, nobody listening: ${Math.round(alone)}`);
  say(`… with one listener that stores id and changed keys: ${Math.round(heard)}; ratio ${(heard / alone).toFixed(2)}`);
  await Promise.all([deaf.close(), hearing.close(), client.end()]);
  await service.stop();
}

/**
 * Half of each batch is new, half changes contacts of the batch before.
 * @param {pg.Client} client
 * @param {number} tenantId
 * @param {string} name
 */
async function queue(client, tenantId, name) {
  for (let batch = 0; batch < batches; batch++) {
    const contacts = Array.from({ length: size }, (_, i) => ({
      email: `${name}-${batch - (i % 2)}-${i >> 1}@example.com`,
      properties: { first_name: `Ada ${i}`, plan: 'pro', seats: batch, company_name: 'Analytical Engines' },
    }));
    await client.query(
      `insert into write_transaction (tenant_id, transaction_id, kind, items, payload)
       values ($1, gen_random_uuid(), 'contact.batch', $2, $3)`,
      [tenantId, size, JSON.stringify({ contacts })],
    );
  }
}
