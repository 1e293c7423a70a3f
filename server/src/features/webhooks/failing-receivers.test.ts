import { Webhook } from 'standardwebhooks';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../test/app.js';
import { eventually } from '../../../test/messages.js';
import { useReceiver } from '../../../test/receiver.js';
import { ada, happening, webhooksOf } from '../../../test/webhooks.js';
import { sql } from '../../db/sql.js';
import { newMessageUuid } from '../../lib/ids.js';
import { type CallAnswered, callsAnswered, dropCalls, enqueueCalls, type JourneyCall } from './index.js';

const t = useApp({ work: true, webhooks: { allowPrivate: true } });
const receiver = useReceiver();
const other = useReceiver();

let tenant: TenantClient;
beforeEach(async () => {
  receiver.reset();
  other.reset();
  tenant = await t.tenant();
});
// Leftovers of one test would reach the receivers of the next.
afterEach(() => t.db.run(sql`update webhook_delivery set state = 'dropped' where state = 'waiting'`));

const { subscribe, tell, deliveries, webhook, told, hurry } = webhooksOf(t, receiver, () => tenant);

describe('a receiver that fails', () => {
  it('is tried again, and shown with what it answered', async () => {
    const { webhookId } = await subscribe();
    receiver.answer = (_request, response) => response.writeHead(500).end();
    await tell(happening(1));
    const [delivery] = await eventually(
      () => deliveries(webhookId),
      ([first]) => first?.attempts === 1,
    );
    expect(delivery).toMatchObject({ state: 'waiting', status: 500, error: 'It answered 500.' });
    const waitMs = Date.parse(delivery?.nextAttemptAt as string) - Date.parse(delivery?.lastTriedAt as string);
    expect(waitMs).toBeGreaterThanOrEqual(5000);
    expect(waitMs).toBeLessThanOrEqual(6250);
    expect((await webhook(webhookId)).state).toBe('active');
  });

  it('for 24 hours is paused; later events are kept up to a bound, and leave once it is resumed', async () => {
    const { webhookId } = await subscribe();
    receiver.answer = (_request, response) => response.writeHead(500).end();
    await tell(happening(1), happening(2));
    await told(1);
    await eventually(
      () => deliveries(webhookId),
      (rows) => rows.at(-1)?.attempts === 1,
    );
    await t.db.run(sql`
      update webhook_delivery set first_tried_at = now() - interval '24 hours' where first_tried_at is not null`);
    await hurry();
    const failing = await eventually(
      () => webhook(webhookId),
      ({ state }) => state === 'failing',
    );
    expect(failing.reason).toBe('Given up after 2 attempts in 24 hours. The last: It answered 500.');
    expect(failing.failingSince).toEqual(expect.any(String));
    receiver.reset();
    await tell(happening(3));
    await t.db.run(sql`
      insert into webhook_delivery (tenant_id, delivery_id, webhook_id, lane, type, url, body, timeout_ms)
      select d.tenant_id, gen_random_uuid(), d.webhook_id, d.lane, 'filler', d.url, '{"data":{}}', 1000
      from (select * from webhook_delivery where tenant_id = ${tenant.tenantId} limit 1) d, generate_series(1, 9998)`);
    await tell(happening(4), happening(5));
    expect(await webhook(webhookId)).toMatchObject({ state: 'failing', dropped: 2 });
    await t.db.run(sql`delete from webhook_delivery where type = 'filler'`);
    await subscribe(other.url);
    await tell(happening(6));
    await eventually(
      async () => other.received.length,
      (length) => length > 0,
    );
    expect(receiver.received).toEqual([]);
    expect((await tenant.post(`/v2/webhooks/${webhookId}/resume`)).body.data).toMatchObject({
      ...{ state: 'active', reason: null, failingSince: null, dropped: 2 },
    });
    await told(3);
    expect(receiver.told.map(({ data }) => data.n)).toEqual([2, 3, 6]);
    await eventually(
      async () => (await deliveries(webhookId)).map(({ state }) => state).join(),
      (states) => states === 'delivered,delivered,delivered,failed',
    );
  });

  it('with 410 is paused at once', async () => {
    const { webhookId } = await subscribe();
    receiver.answer = (_request, response) => response.writeHead(410).end();
    await tell(happening(1));
    const failing = await eventually(
      () => webhook(webhookId),
      ({ state }) => state === 'failing',
    );
    expect(failing.reason).toContain('410');
    expect(receiver.received).toHaveLength(1);
  });

  it('and asks for time is left alone for that long', async () => {
    const { webhookId } = await subscribe();
    receiver.answer = (_request, response) => response.writeHead(429, { 'retry-after': '600' }).end();
    await tell(happening(1));
    const [delivery] = await eventually(
      () => deliveries(webhookId),
      ([first]) => first?.attempts === 1,
    );
    const waitMs = Date.parse(delivery?.nextAttemptAt as string) - Date.parse(delivery?.lastTriedAt as string);
    expect(waitMs).toBe(600_000);
  });
});

describe('calls of journeys', () => {
  const heard: CallAnswered[] = [];
  beforeAll(() => callsAnswered.hear(t.db.identity, async (_tx, _tenant, items) => void heard.push(...items)));
  beforeEach(() => {
    heard.length = 0;
  });
  const call = (over: Partial<JourneyCall> = {}): JourneyCall => ({
    ...{ deliveryId: newMessageUuid(), enrolmentId: newMessageUuid(), journeyNo: 7, stepId: 'tell', visit: 2 },
    ...{ contactId: ada, method: 'POST', url: receiver.url, body: '{"hello":"Ada"}', timeoutMs: 5000 },
    headers: { 'X-Own': 'yes', Host: 'evil.example', 'webhook-id': 'forged' },
    ...over,
  });
  const enqueue = (...calls: JourneyCall[]) => t.db.transaction((tx) => enqueueCalls(tx, tenant.tenantId, calls));
  const answersTo = ({ enrolmentId }: JourneyCall) =>
    eventually(
      async () => heard.filter((each) => each.enrolmentId === enrolmentId),
      ({ length }) => length > 0,
    );

  it('are made, and their answer is passed on once', async () => {
    const made = call();
    await enqueue(made);
    expect(await answersTo(made)).toEqual([
      {
        ...{ enrolmentId: made.enrolmentId, journeyNo: 7, visit: 2, contactId: ada },
        answer: { ok: true, status: 200, body: { ok: true } },
      },
    ]);
    expect(receiver.received[0]).toMatchObject({ method: 'POST', body: '{"hello":"Ada"}' });
    expect(receiver.received[0]?.headers).toMatchObject({
      ...{ 'x-own': 'yes', host: `127.0.0.1:${receiver.port}`, 'webhook-id': made.deliveryId },
    });
  });

  it('with GET have no body; other methods have the one of the step', async () => {
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE'] as const)
      await enqueue(call({ method, body: method === 'GET' ? '' : '{}' }));
    await told(4);
    const seen = receiver.received.map(({ method, body }) => `${method} ${body}`).sort();
    expect(seen).toEqual(['DELETE {}', 'GET ', 'PATCH {}', 'PUT {}']);
  });

  it('that are given up are reported too, with the reason', async () => {
    receiver.answer = (_request, response) => response.writeHead(410).end();
    const [gone, broken] = [call(), call({ url: 'nonsense' })];
    await enqueue(gone, broken);
    expect((await answersTo(gone))[0]?.answer).toEqual({
      ...{ ok: false, why: 'It answered 410: it wants no more of these.' },
    });
    expect((await answersTo(broken))[0]?.answer).toMatchObject({ ok: false });
  });

  it('are not sent once their enrolment has ended', async () => {
    receiver.answer = (_request, response) => response.writeHead(500).end();
    const [ended, going] = [call(), call()];
    await enqueue(ended, going);
    const tried = sql<{ n: number }>`
      select count(*) as n from webhook_delivery where tenant_id = ${tenant.tenantId} and attempts = 1`;
    await eventually(
      () => t.db.row(tried),
      (row) => row?.n === 2,
    );
    await t.db.transaction((tx) => dropCalls(tx, tenant.tenantId, [ended.enrolmentId]));
    receiver.reset();
    await hurry();
    await answersTo(going);
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([going.deliveryId]);
    expect(heard.map(({ enrolmentId }) => enrolmentId)).toEqual([going.enrolmentId]);
  });

  it('are signed with the tenant’s secret, and with the one before it for a day', async () => {
    const secretOf = async () => (await tenant.post('/v2/webhooks/secret')).body.data.secret as string;
    const next = async () => {
      const count = receiver.received.length;
      await enqueue(call());
      await told(count + 1);
      const { body, headers } = receiver.received.at(-1) as { body: string; headers: Record<string, string> };
      return (secret: string) => new Webhook(secret).verify(body, headers);
    };
    const first = await secretOf();
    (await next())(first);
    const second = await secretOf();
    const verify = await next();
    verify(first);
    verify(second);
    await t.db.run(sql`update webhook_key set expires_at = now() where expires_at is not null`);
    const later = await next();
    later(second);
    expect(() => later(first)).toThrow();
  });

  it('are signed even before a secret was asked for', async () => {
    await enqueue(call());
    await told(1);
    expect(receiver.received[0]?.headers['webhook-signature']).toMatch(/^v1,\S+$/);
  });
});
