// Set-up for the benches that send mail: the service, a tenant with an email and contacts, and a connection to its database.
import { generateKeyPairSync } from 'node:crypto';
import pg from 'pg';
import { clientConfig } from '../server/dist/db/connect.js';
import { connectionOf } from '../server/test/process/postgres-processes.js';
import { makeDataDir, startService } from '../server/test/process/service.js';
import { callJson, makeTenant, readAdminToken } from '../server/test/process/tenant.js';
import { freePort } from './free-port.js';
import { untilDone } from './measure.js';

/**
 * A service that sends to the sink, with a tenant, an email and contacts `p0@example.com` and so on.
 * @param {Awaited<ReturnType<typeof import('./sink-process.js').startSinkProcess>>} sink
 * @param {{ contacts: number, connections: number, settings?: Record<string, string> }} how
 */
export async function startSender(sink, { contacts, connections, settings = {} }) {
  const dataDir = await makeDataDir();
  const env = {
    ...{ PORT: String(await freePort()), DEMO: 'off', SMTP_URL: sink.url },
    ...{ SEND_CONNECTIONS: String(connections), SEND_PER_DOMAIN: String(connections) },
    ...settings,
  };
  const folder = process.env.BENCH_PROFILE;
  const nodeArgs = folder ? ['--cpu-prof', `--cpu-prof-dir=${folder}`] : [];
  const service = await startService({ dataDir, env, discardOutput: true, nodeArgs });
  const connection = await connectionOf(dataDir);
  const client = new pg.Client(clientConfig(connection));
  client.on('error', () => undefined);
  await client.connect();
  const admin = await readAdminToken(dataDir);
  const sender = await makeSender(service, client, contacts);
  return { service, sink, connection, client, admin, dataDir, ...sender };
}

/**
 * A tenant with an email and contacts.
 * @param {{ url: string, dataDir: string }} service
 * @param {pg.Client} client
 * @param {number} contacts
 */
async function makeSender(service, client, contacts) {
  const { tenantId, token } = await makeTenant(service);
  const admin = await readAdminToken(service.dataDir);
  const body = { domain: 'example.com' };
  await callJson(`${service.url}/admin/tenants/${tenantId}/sending-domains`, { token: admin, method: 'POST', body });
  const paragraph = `<p style="margin:0 0 16px;color:#222">${'Words that somebody wrote, and others may read. '.repeat(6)}</p>`;
  const email = {
    ...{
      name: 'Bench',
      subject: 'Hello {{first_name}}',
      fromEmail: { email: 'hello@example.com', name: 'Bench' },
    },
    html: `<html><body><h1>Hello {{first_name}}</h1>${paragraph.repeat(16)}
      <a href="https://example.com/one">one</a> <a href="https://example.com/two">two</a>
      <p><a href="{{unsubscribe_url}}">Unsubscribe</a></p></body></html>`,
  };
  // A variable in an email must be a property of some contact.
  const known = { email: 'known@example.com', properties: { first_name: 'Ada' } };
  await callJson(`${service.url}/v1/contacts`, { token, method: 'POST', body: known });
  await untilDone(client, tenantId);
  const made = await callJson(`${service.url}/v1/emails`, { token, method: 'POST', body: email });
  if (made.status !== 200) throw new Error(JSON.stringify(made.body));
  await client.query(
    `insert into contact (tenant_id, contact_id, email, properties, search_text, created_at, updated_at)
     select $1, gen_random_uuid(), 'p' || n || '@example.com', jsonb_build_object('first_name', 'Ada ' || n), 'p' || n || '@example.com', now(), now()
     from generate_series(0, $2::int - 1) n`,
    [tenantId, contacts],
  );
  await client.query(`insert into counter_delta (tenant_id, counter, delta) values ($1, 'contacts', $2)`, [
    tenantId,
    contacts,
  ]);
  await client.query('analyze contact');
  return { tenantId, token, emailId: String(made.body.data.emailId) };
}

/** A key for the bare limit, of the same size as the service's own. */
export function makeKey() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return privateKey.export({ type: 'pkcs8', format: 'pem' });
}
