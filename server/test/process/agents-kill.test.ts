// kill -9 in the middle of apply: with the plan applied and not told, and between two of its parts. Everybody is reached once.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, expect, it } from 'vitest';
import { connectionOf } from './postgres-processes.js';
import { cleanUp, makeDataDir, type Service, startService } from './service.js';
import { callJson, makeTenant, readAdminToken } from './tenant.js';

afterAll(cleanUp);

const lockNo = 20_260_728;
const people = 600;

interface Place {
  service: Service;
  token: string;
  tenantId: number;
}

async function callTool({ service, token }: Place, name: string, given: object) {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } };
  const response = await fetch(`${service.url}/mcp`, {
    method: 'POST',
    headers: {
      ...{ authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify(message),
  });
  const text = await response.text();
  return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text).result.structuredContent;
}

async function onDatabase<T>({ service }: Place, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(await connectionOf(service.dataDir));
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function makePlan(place: Place): Promise<{ planId: string; emailId: string }> {
  const { service, token, tenantId } = place;
  const post = async (path: string, body: object, by = token) =>
    (await callJson(`${service.url}${path}`, { token: by, method: 'POST', body })).body.data;
  const admin = await readAdminToken(service.dataDir);
  await post(`/admin/tenants/${tenantId}/sending-domains`, { domain: 'example.com' }, admin);
  const { emailId } = await post('/v2/emails', {
    ...{ name: 'Once', subject: 'Once', fromEmail: { email: 'hello@example.com' } },
    html: '<p>Hello</p><a href="{{unsubscribe_url}}">Unsubscribe</a>',
  });
  const contacts = Array.from({ length: people }, (_, i) => ({ email: `p${i}@example.com`, properties: { of: 'us' } }));
  const { transactionId } = await post('/v2/contacts/batch', { contacts });
  const done = async () =>
    (await callJson(`${service.url}/v2/contacts/transactions/${transactionId}`, { token })).body.data;
  while ((await done()).status !== 'DONE') await sleep(20);
  const { dynamicListId } = await post('/v2/dynamic-lists', { name: 'Us', filter: { property: 'of', is: 'us' } });
  const read = () => callTool(place, 'plan', { action: 'send_email', emailId, dynamicListId });
  let plan = await read();
  // The list fills itself.
  while (plan.reach !== people) {
    await sleep(50);
    plan = await read();
  }
  return { planId: plan.planId, emailId };
}

/** Messages, and people who have one. */
const reached = (place: Place) =>
  onDatabase(place, async (client) => {
    const { rows } = await client.query(
      'select count(*)::int as messages, count(distinct contact_id)::int as people from message where tenant_id = $1',
      [place.tenantId],
    );
    return rows[0] as { messages: number; people: number };
  });

/** Applies the plan, and kills the service when it comes to what the trigger guards. */
async function killAt(place: Place, planId: string, trigger: string): Promise<void> {
  await onDatabase(place, async (client) => {
    await client.query(`select pg_advisory_lock(${lockNo})`);
    await client.query(trigger);
    const ended = callTool(place, 'apply', { planId }).catch(() => 'killed');
    const waiting = `from pg_locks where locktype = 'advisory' and objid = ${lockNo} and not granted`;
    const isWaiting = async () => (await client.query(`select 1 ${waiting}`)).rows.length > 0;
    while (!(await isWaiting())) await sleep(10);
    await place.service.kill();
    expect(await ended).toBe('killed');
    // Statements that wait would go on: the database does not know that their client is gone.
    await client.query(`select pg_terminate_backend(pid) ${waiting}`);
    while (await isWaiting()) await sleep(10);
    await client.query('drop trigger if exists halt on agent_plan; drop trigger if exists halt on idempotency_key');
  });
}

const halt = (when: string) => `
  create or replace function halt() returns trigger language plpgsql as $$
  begin
    if ${when} then perform pg_advisory_xact_lock(${lockNo}); end if;
    return new;
  end $$;`;

const applied = `${halt('new.outcome is not null')} create trigger halt before update on agent_plan for each row execute function halt()`;
// The keys of a plan begin alike: “plan-”, 24 digits and “-”.
const betweenParts = `
  ${halt('exists (select 1 from idempotency_key k where k.tenant_id = new.tenant_id and left(k.key, 30) = left(new.key, 30))')}
  create trigger halt before insert on idempotency_key for each row execute function halt()`;

it.each([
  ['after the last part, before it is told', applied],
  ['between two parts', betweenParts],
])('a plan that is killed %s is applied once', async (_when, trigger) => {
  const dataDir = await makeDataDir();
  const env = { DEMO: 'off', LOG_LEVEL: 'warn' };
  const service = await startService({ dataDir, env });
  const place = { service, ...(await makeTenant(service)) };
  const { planId, emailId } = await makePlan(place);
  await killAt(place, planId, trigger);
  place.service = await startService({ dataDir, env });
  const before = await reached(place);
  expect(before.messages).toBe(before.people);
  if (trigger === applied) expect(before.messages).toBe(people);
  else expect(before.messages > 0 && before.messages < people).toBe(true);
  // The lease of the process that is gone lasts for two minutes.
  await onDatabase(place, (client) =>
    client.query('update agent_plan set leased_until = now() where tenant_id = $1', [place.tenantId]),
  );
  const told = await callTool(place, 'apply', { planId });
  expect(told).toMatchObject({ applied: true, planId, result: { emailId, queued: people, failed: 0 } });
  expect(await reached(place)).toEqual({ messages: people, people });
  expect(await callTool(place, 'apply', { planId })).toEqual(told);
  await place.service.stop();
});
