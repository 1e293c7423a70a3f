// Point reads and acknowledgements, alone and beside hanging work: fifty slow searches of another tenant, and test sends to a
// mail server that accepts connections and never answers.
import { once } from 'node:events';
import { createServer } from 'node:net';
import pg from 'pg';
import { connectionOf } from '../server/test/process/postgres-processes.js';
import { makeDataDir, startService } from '../server/test/process/service.js';
import { callJson, makeTenant, readAdminToken } from '../server/test/process/tenant.js';
import { freePort } from './free-port.js';
import { load, readLoad } from './measure.js';
import { median } from './processes.js';

const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const slowContacts = Number(process.env.BENCH_CONTACTS ?? 1_000_000);
const searches = 50;
const sends = 10;

/** @typedef {Awaited<ReturnType<typeof startService>>} Service */

/** @param {(line: string) => void} say */
export async function bench(say) {
  const mailServer = createServer((socket) => void socket.on('error', () => undefined)).listen(0, '127.0.0.1');
  await once(mailServer, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (mailServer.address());
  const dataDir = await makeDataDir();
  const env = { PORT: String(await freePort()), DEMO: 'off', SMTP_URL: `smtp://127.0.0.1:${port}` };
  const service = await startService({ dataDir, env, discardOutput: true });
  const [quick, slow] = [await makeTenant(service), await makeTenant(service)];
  const client = new pg.Client(await connectionOf(dataDir));
  await client.connect();
  await seed(client, quick.tenantId, 10_000);
  await seed(client, slow.tenantId, slowContacts);
  await client.query('vacuum analyze contact');
  const { rows } = await client.query('select contact_id as id from contact where tenant_id = $1 limit 1', [
    quick.tenantId,
  ]);
  await client.end();
  const contact = `${service.url}/v2/contacts/${rows[0].id.replaceAll('-', '')}`;
  const emailPath = await makeEmail(service, slow, dataDir);
  const point = () => readLoad(contact, quick.token, 16);
  const acknowledge = () => load(service.url, '/v2/contacts', quick.token, { body: 'single', connections: 16 });
  const transact = () => load(service.url, '/v2/lists', quick.token, { body: 'list', connections: 16 });

  say(
    `${searches} slow searches among ${slowContacts.toLocaleString('en')} contacts and ${sends} test sends, ${rounds} rounds`,
  );
  const alone = { reads: figures(), writes: figures(), lists: figures() };
  const beside = { reads: figures(), writes: figures(), lists: figures() };
  const told = new Map();
  for (let round = 0; round < rounds; round++) {
    note(alone.reads, await point());
    note(alone.writes, await acknowledge());
    note(alone.lists, await transact());
    const trouble = makeTrouble(service, slow.token, emailPath, told);
    note(beside.reads, await point());
    note(beside.writes, await acknowledge());
    note(beside.lists, await transact());
    await trouble.stop();
  }
  report(say, 'point reads', alone.reads, beside.reads);
  report(say, 'acknowledgements', alone.writes, beside.writes);
  report(say, 'transactions', alone.lists, beside.lists);
  say(`what the slow tenant was told: ${[...told].map(([what, count]) => `${what}: ${count}`).join(', ')}`);
  await service.stop();
  mailServer.close();
}

/**
 * Keeps a number of slow searches and test sends in flight until it is stopped.
 * @param {Service} service
 * @param {string} token
 * @param {string} emailPath
 * @param {Map<string, number>} told
 */
function makeTrouble(service, token, emailPath, told) {
  let stopped = false;
  /** @param {string} what @param {() => Promise<{ status: number }>} ask */
  async function again(what, ask) {
    while (!stopped) {
      const { status } = await ask().catch(() => ({ status: 0 }));
      told.set(`${what} ${status}`, (told.get(`${what} ${status}`) ?? 0) + 1);
      // A refused caller waits a little, as Retry-After asks, or it would measure itself.
      if (status !== 200) await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }
  const running = [
    // Two characters: there is no trigram, so every contact is read.
    ...Array.from({ length: searches }, (_, i) =>
      again('search', () =>
        callJson(`${service.url}/v2/contacts?search=${String.fromCharCode(97 + (i % 26))}%C3%9F`, { token }),
      ),
    ),
    ...Array.from({ length: sends }, () =>
      again('send', () =>
        callJson(`${service.url}${emailPath}`, { token, method: 'POST', body: { to: 'me@example.com' } }),
      ),
    ),
  ];
  return {
    stop: async () => {
      stopped = true;
      await Promise.all(running);
    },
  };
}

/** @param {Service} service @param {{ tenantId: number, token: string }} tenant @param {string} dataDir */
async function makeEmail(service, { tenantId, token }, dataDir) {
  const admin = await readAdminToken(dataDir);
  const domain = { token: admin, method: 'POST', body: { domain: 'example.com' } };
  await callJson(`${service.url}/admin/tenants/${tenantId}/sending-domains`, domain);
  const body = {
    name: 'Slow',
    subject: 'Slow',
    html: '<p>x</p><a href="{{unsubscribe_url}}">x</a>',
    fromEmail: { email: 'a@example.com', name: 'A' },
  };
  const made = await callJson(`${service.url}/v1/emails`, { token, method: 'POST', body });
  return `/v2/emails/${made.body.data.emailId}/test-send`;
}

/** @param {pg.Client} client @param {number} tenantId @param {number} count */
async function seed(client, tenantId, count) {
  await client.query(
    `insert into contact (tenant_id, contact_id, email, properties, search_text, created_at, updated_at)
     select $1, (lpad(to_hex(1700000000000 + n), 12, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid,
       'seed' || n || '@example.com', jsonb_build_object('first_name', 'Seed ' || n), 'seed' || n || '@example.com', now(), now()
     from generate_series(1, $2::int) n`,
    [tenantId, count],
  );
  // Searches of two characters need no index; bringing it up to date would only distort the measurement.
  await client.query(
    `insert into contact_search_progress (tenant_id, settled_to)
     select $1, contact_id from contact where tenant_id = $1 order by contact_id desc limit 1`,
    [tenantId],
  );
}

function figures() {
  return { perSecond: /** @type {number[]} */ ([]), p99: /** @type {number[]} */ ([]) };
}

/** @param {ReturnType<typeof figures>} into @param {{ perSecond: number, p99: number }} measured */
function note(into, { perSecond, p99 }) {
  into.perSecond.push(perSecond);
  into.p99.push(p99);
}

/**
 * @param {(line: string) => void} say
 * @param {string} what
 * @param {ReturnType<typeof figures>} alone
 * @param {ReturnType<typeof figures>} beside
 */
function report(say, what, alone, beside) {
  const [a, b] = [median(alone.perSecond), median(beside.perSecond)];
  const p99 = `p99 ${median(alone.p99).toFixed(1)} ms alone, ${median(beside.p99).toFixed(1)} ms beside`;
  say(`${what}: ${Math.round(a)}/s alone, ${Math.round(b)}/s beside; ratio ${(b / a).toFixed(2)}; ${p99}`);
}
