// A mail server that accepts connections and never answers: what may wait for it, and what must not.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Reply, type TenantClient, useApp } from '../../../test/app.js';
import { makeEmail, tenantWithDomain } from '../../../test/emails.js';
import { sql } from '../../db/sql.js';
import { outboxTransport } from '../../mail/outbox.js';
import { smtpTransport } from '../../mail/smtp.js';
import type { Message, Transport } from '../../mail/transport.js';
import { boundedTransport } from './test-send.js';

const sockets = new Set<Socket>();
const silent = createServer((socket) => {
  sockets.add(socket.on('error', () => undefined));
  socket.on('close', () => sockets.delete(socket));
});
const sent: string[] = [];
const prompt = outboxTransport(async ({ to }) => void sent.push(to));
let hanging: Transport;
let target: Transport;
const t = useApp({
  transport: { name: 'smtp', send: (message: Message) => target.send(message), close: () => undefined },
});

beforeAll(async () => {
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  hanging = smtpTransport(`smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`);
});
afterAll(async () => {
  giveUp();
  hanging.close();
  await new Promise((resolve) => silent.close(resolve));
});

/** Makes everything that waits for the mail server fail, as it would by itself after 10 s. */
function giveUp(): void {
  for (const socket of sockets) socket.end('554 no\r\n');
}

async function sender() {
  const tenant = await tenantWithDomain(t);
  const path = `/v2/emails/${await makeEmail(tenant)}/test-send`;
  const send = (to: string, key?: string): Promise<Reply> =>
    tenant.post(path, { to }, key === undefined ? {} : { 'idempotency-key': key });
  return { tenant, send };
}

async function untilWaiting(count: number): Promise<void> {
  while (sockets.size < count) await sleep(10);
}

async function openTransactions(): Promise<number> {
  const row = await t.db.row(sql<{ count: number }>`
    select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null`);
  return row?.count ?? 0;
}

function ageKey(tenant: TenantClient): Promise<number> {
  return t.db.run(sql`
    update idempotency_key set created_at = created_at - interval '3 minutes' where tenant_id = ${tenant.tenantId}`);
}

const told = ({ status, headers, body }: Reply) => [status, body.errors[0]?.errorCode, headers['retry-after']];

it('holds no transaction while it talks to a mail server, and a failure frees the key', async () => {
  const { send } = await sender();
  target = hanging;
  const waiting = send('a@example.org', 'k');
  await untilWaiting(1);
  expect(await openTransactions()).toBe(0);
  giveUp();
  expect(told(await waiting)).toEqual([502, 'MAIL_NOT_SENT', undefined]);
  target = prompt;
  sent.length = 0;
  const again = await send('a@example.org', 'k');
  expect([again.status, again.headers['idempotency-replayed']]).toEqual([200, undefined]);
  expect((await send('a@example.org', 'k')).headers['idempotency-replayed']).toBe('true');
  expect(sent).toEqual(['a@example.org']);
});

it('gives a duplicate a 503 while the first one is running, and never sends a second time', async () => {
  const { send } = await sender();
  target = hanging;
  const first = send('b@example.org', 'k');
  await untilWaiting(1);
  expect(told(await send('b@example.org', 'k'))).toEqual([503, 'NOT_READY', '5']);
  expect(sockets.size).toBe(1);
  expect(told(await send('other@example.org', 'k'))).toEqual([409, 'IDEMPOTENCY_KEY_REUSED', undefined]);
  giveUp();
  await first;
});

it('gives concurrent duplicates one response', async () => {
  const { send } = await sender();
  target = prompt;
  sent.length = 0;
  const replies = await Promise.all(Array.from({ length: 10 }, () => send('c@example.org', 'k')));
  expect(replies.map((reply) => reply.status)).toEqual(Array(10).fill(200));
  expect(new Set(replies.map((reply) => reply.body.data.messageId)).size).toBe(1);
  expect(sent).toEqual(['c@example.org']);
});

it('says that it is unknown whether a message was sent, after a kill in between', async () => {
  const { tenant, send } = await sender();
  target = hanging;
  const lost = send('d@example.org', 'k');
  await untilWaiting(1);
  await ageKey(tenant);
  target = prompt;
  sent.length = 0;
  const repeat = await send('d@example.org', 'k');
  expect(told(repeat)).toEqual([409, 'INVALID_STATE', undefined]);
  expect(repeat.body.errors[0].message).toContain(
    'it is not known whether it took effect. Send a new key to do it again',
  );
  expect(sent).toEqual([]);
  expect((await send('d@example.org', 'another')).status).toBe(200);
  giveUp();
  await lost;
});

it('tells a tenant whose sends hang to wait, and serves another', async () => {
  const [one, two] = [await sender(), await sender()];
  target = hanging;
  const waiting = [one.send('e@example.org'), one.send('f@example.org')];
  await untilWaiting(2);
  expect(told(await one.send('g@example.org'))).toEqual([503, 'NOT_READY', '10']);
  expect((await one.tenant.get('/v2/lists')).status).toBe(200);
  target = prompt;
  expect((await two.send('h@example.org')).status).toBe(200);
  giveUp();
  expect((await Promise.all(waiting)).map((reply) => reply.status)).toEqual([502, 502]);
});

it('is marked as automatic, has no list header, and is signed if the domain has a key', async () => {
  const { tenant, send } = await sender();
  const left: Message[] = [];
  const signer = { domain: 'example.com', selector: 'r1', privateKey: 'pem' };
  target = boundedTransport(
    outboxTransport(async (message) => void left.push(message)),
    async (tenantId, domain) => (tenantId === tenant.tenantId && domain === 'example.com' ? signer : undefined),
  );
  await send('i@example.org');
  expect(left).toMatchObject([{ to: 'i@example.org', isAutomatic: true, signer }]);
  expect(left[0]).not.toHaveProperty('unsubscribeUrl');
});
