// Subscriptions and what is told to them, through the very app that ships, to real receivers.
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../test/app.js';
import { eventually } from '../../../test/messages.js';
import { useReceiver } from '../../../test/receiver.js';
import { sql } from '../../db/sql.js';
import { newContactId, newMessageUuid } from '../../lib/ids.js';
import {
  announce,
  type CallAnswered,
  callsAnswered,
  dropCalls,
  enqueueCalls,
  type Happening,
  type JourneyCall,
} from './index.js';

const t = useApp({ work: true, webhooks: { allowPrivate: true } });
const receiver = useReceiver();
const other = useReceiver();

let tenant: TenantClient;
beforeEach(async () => {
  receiver.reset();
  other.reset();
  tenant = await t.tenant();
});
// What a test left would come to the receivers of the next.
afterEach(() => t.db.run(sql`update webhook_delivery set state = 'dropped' where state = 'waiting'`));

async function subscribe(url = receiver.url, events: string[] = ['message.sent', 'message.opened']) {
  const { body } = await tenant.post('/v2/webhooks', { url, events });
  return body.data as { webhookId: string; secret: string };
}

const ada = newContactId();

function happening(n: number, contactId = ada): Happening {
  return { type: 'message.sent', contactId, at: '2026-11-15T09:30:00.000Z', data: { n, contactId } };
}

const tell = (...happenings: Happening[]) => t.db.transaction((tx) => announce(tx, tenant.tenantId, happenings));

const deliveries = async (webhookId: string) =>
  (await tenant.get(`/v2/webhooks/${webhookId}/deliveries?pageSize=200`)).body.data as Record<string, unknown>[];
const webhook = async (webhookId: string) => (await tenant.get(`/v2/webhooks/${webhookId}`)).body.data;
const told = (count: number) =>
  eventually(
    async () => receiver.received.length,
    (length) => length >= count,
  );
/** As if an hour had passed. */
const hurry = () => t.db.run(sql`update webhook_delivery set due_at = now() where state = 'waiting' and lease is null`);

describe('a subscription', () => {
  it('is made, read, listed and deleted, and shows its secret once', async () => {
    const made = await tenant.post('/v2/webhooks', { url: receiver.url, events: ['journey.goal', 'message.sent'] });
    expect(made.status).toBe(200);
    const { secret, ...shown } = made.body.data;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(shown).toMatchObject({
      ...{ url: receiver.url, events: ['journey.goal', 'message.sent'], state: 'active' },
      ...{ reason: null, failingSince: null, dropped: 0 },
    });
    expect(await webhook(shown.webhookId)).toEqual(shown);
    expect((await tenant.get('/v2/webhooks')).body).toMatchObject({ data: [shown], pagination: { totalElements: 1 } });
    const gone = await tenant.delete(`/v2/webhooks/${shown.webhookId}`);
    expect(gone.body.data).toEqual({ webhookId: shown.webhookId, success: true });
    for (const path of ['', '/deliveries'])
      expect((await tenant.get(`/v2/webhooks/${shown.webhookId}${path}`)).status).toBe(404);
    expect((await tenant.post(`/v2/webhooks/${shown.webhookId}/resume`)).status).toBe(404);
    expect((await tenant.delete(`/v2/webhooks/${shown.webhookId}`)).status).toBe(404);
  });

  it.each([
    [{ events: ['message.sent'] }, 'url'],
    [{ url: 'ftp://example.com', events: ['message.sent'] }, 'url'],
    [{ url: 'https://ada:x@example.com', events: ['message.sent'] }, 'url'],
    [{ url: `https://example.com/${'a'.repeat(2000)}`, events: ['message.sent'] }, 'url'],
    [{ url: 'https://example.com' }, 'events'],
    [{ url: 'https://example.com', events: [] }, 'events'],
    [{ url: 'https://example.com', events: ['message.read'] }, 'events'],
    [{ url: 'https://example.com', events: ['message.sent', 'message.sent'] }, 'events'],
  ])('is refused as %j', async (body, field) => {
    const { status, body: answer } = await tenant.post('/v2/webhooks', body);
    expect(status).toBe(400);
    expect(answer.errors[0]).toMatchObject({ errorCode: 'VALIDATION_ERROR', message: expect.stringContaining(field) });
  });

  it('of another tenant is not there', async () => {
    const { webhookId } = await subscribe();
    const stranger = await t.tenant();
    for (const path of [`/v2/webhooks/${webhookId}`, `/v2/webhooks/${webhookId}/deliveries`])
      expect((await stranger.get(path)).status).toBe(404);
    expect((await stranger.delete(`/v2/webhooks/${webhookId}`)).status).toBe(404);
    expect((await stranger.get('/v2/webhooks')).body.data).toEqual([]);
  });
});

describe('what happens', () => {
  it('is told to those who want it, signed, and shown as delivered', async () => {
    const { webhookId, secret } = await subscribe();
    const elsewhere = await subscribe(other.url, ['journey.goal']);
    await tell(happening(1));
    await told(1);
    const [received] = receiver.received;
    expect(received).toMatchObject({ method: 'POST', headers: { 'content-type': 'application/json' } });
    const body = new Webhook(secret).verify(received?.body ?? '', received?.headers ?? {});
    expect(body).toEqual({
      type: 'message.sent',
      timestamp: '2026-11-15T09:30:00.000Z',
      data: { n: 1, contactId: ada },
    });
    const [delivery] = await eventually(
      () => deliveries(webhookId),
      ([first]) => first?.state === 'delivered',
    );
    expect(delivery).toMatchObject({
      ...{ deliveryId: received?.headers['webhook-id'], type: 'message.sent', attempts: 1, status: 200 },
      ...{ error: null, nextAttemptAt: null, lastTriedAt: expect.any(String) },
    });
    expect(await deliveries(elsewhere.webhookId)).toEqual([]);
    expect(other.received).toEqual([]);
    // What was said is forgotten once it was delivered.
    expect(await t.db.row(sql`select body from webhook_delivery where tenant_id = ${tenant.tenantId}`)).toEqual({
      body: '',
    });
  });

  it('is not told when its transaction fails', async () => {
    const { webhookId } = await subscribe();
    const failing = t.db.transaction(async (tx) => {
      await announce(tx, tenant.tenantId, [happening(1)]);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await tell(happening(2));
    await told(1);
    expect(receiver.told.map(({ data }) => data.n)).toEqual([2]);
    expect((await tenant.get(`/v2/webhooks/${webhookId}/deliveries`)).body.pagination.totalElements).toBe(1);
  });

  it('is listed newest first, in pages', async () => {
    const { webhookId } = await subscribe();
    await tell(...Array.from({ length: 5 }, (_, i) => happening(i)));
    await told(5);
    const page = (n: number) => tenant.get(`/v2/webhooks/${webhookId}/deliveries?pageSize=2&pageNumber=${n}`);
    const ids = (await Promise.all([1, 2, 3].map(page))).flatMap(({ body }) =>
      body.data.map(({ deliveryId }: { deliveryId: string }) => deliveryId),
    );
    expect(ids).toEqual(receiver.received.map(({ headers }) => headers['webhook-id']).reverse());
  });

  it('is told in order about a contact, although attempts fail, and about others meanwhile', async () => {
    const { webhookId } = await subscribe();
    const [bob, eve] = [newContactId(), newContactId()];
    let failures = 3;
    receiver.answer = ({ body }, response) => {
      const { n, contactId } = JSON.parse(body).data;
      const fails = contactId === ada && n === 2 && failures-- > 0;
      response.writeHead(fails ? 500 : 200).end();
    };
    for (const n of [1, 2, 3]) await tell(happening(n), happening(n, bob));
    await tell(happening(4), happening(4, eve));
    await eventually(
      () => deliveries(webhookId),
      (rows) => rows.filter(({ state }) => state === 'delivered').length === 5,
    );
    // The second of Ada failed: the third and fourth wait behind it, and those of others do not.
    const waiting = (await deliveries(webhookId)).filter(({ state }) => state === 'waiting');
    expect(waiting.map(({ attempts }) => attempts)).toEqual([0, 0, expect.toSatisfy((attempts) => attempts > 0)]);
    await eventually(
      async () => {
        await hurry();
        return deliveries(webhookId);
      },
      (rows) => rows.every(({ state }) => state === 'delivered'),
    );
    const ofAda = receiver.told.filter(({ data }) => data.contactId === ada).map(({ data }) => data.n);
    expect(ofAda).toEqual([1, 2, 2, 2, 2, 3, 4]);
    const ids = receiver.received.filter(({ body }) => JSON.parse(body).data.n === 2 && body.includes(ada));
    expect(new Set(ids.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  it('is told soon although what came before it arrived while it happened', async () => {
    const { webhookId } = await subscribe();
    const open: ServerResponse[] = [];
    receiver.answer = (_request, response) => void open.push(response);
    await tell(happening(1));
    await told(1);
    await t.db.transaction(async (tx) => {
      await announce(tx, tenant.tenantId, [happening(2)]);
      receiver.answer = (_request, response) => response.end();
      for (const response of open) response.end();
      // The first is done before anybody can see the second: nobody wakes it.
      await eventually(
        () => deliveries(webhookId),
        ([first]) => first?.state === 'delivered',
      );
    });
    await told(2);
    expect(receiver.told.map(({ data }) => data.n)).toEqual([1, 2]);
  });

  it('keeps its order when much of it comes at once', async () => {
    await subscribe();
    const contacts = Array.from({ length: 5 }, () => newContactId());
    for (let n = 0; n < 60; n += 20)
      await tell(...Array.from({ length: 20 }, (_, i) => contacts.map((id) => happening(n + i, id))).flat());
    await told(300);
    for (const id of contacts) {
      const own = receiver.told.filter(({ data }) => data.contactId === id).map(({ data }) => data.n);
      expect(own).toEqual(Array.from({ length: 60 }, (_, i) => i));
    }
  });

  it('reaches a fast receiver while a slow one keeps its calls open', async () => {
    await subscribe(other.url);
    await subscribe();
    const open: ServerResponse[] = [];
    other.answer = (_request, response) => void open.push(response);
    for (let i = 0; i < 50; i++) await tell(happening(i, newContactId()));
    await told(50);
    expect(other.received.length).toBeGreaterThan(0);
    expect(other.received.length).toBeLessThanOrEqual(8);
    other.answer = (_request, response) => response.end();
    for (const response of open) response.end();
  });
});

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

  it('for 24 hours is paused; what happens then is kept up to a bound, and leaves once it is resumed', async () => {
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
    await sleep(50);
    expect(receiver.received).toEqual([]);
    expect((await tenant.post(`/v2/webhooks/${webhookId}/resume`)).body.data).toMatchObject({
      ...{ state: 'active', reason: null, failingSince: null, dropped: 2 },
    });
    await told(2);
    expect(receiver.told.map(({ data }) => data.n)).toEqual([2, 3]);
    await eventually(
      async () => (await deliveries(webhookId)).map(({ state }) => state).join(),
      (states) => states === 'delivered,delivered,failed',
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

  it('and asks for time is left alone so long', async () => {
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

  it('are made, and their answer is told once', async () => {
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

  it('of a GET have no body; other methods are as they say', async () => {
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE'] as const)
      await enqueue(call({ method, body: method === 'GET' ? '' : '{}' }));
    await told(4);
    const seen = receiver.received.map(({ method, body }) => `${method} ${body}`).sort();
    expect(seen).toEqual(['DELETE {}', 'GET ', 'PATCH {}', 'PUT {}']);
  });

  it('that are given up are told too, and why', async () => {
    receiver.answer = (_request, response) => response.writeHead(410).end();
    const [gone, broken] = [call(), call({ url: 'nonsense' })];
    await enqueue(gone, broken);
    expect((await answersTo(gone))[0]?.answer).toEqual({
      ...{ ok: false, why: 'It answered 410: it wants no more of these.' },
    });
    expect((await answersTo(broken))[0]?.answer).toMatchObject({ ok: false });
  });

  it('do not leave once their enrolment has ended', async () => {
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

  it('are signed before anybody asked for a secret', async () => {
    await enqueue(call());
    await told(1);
    expect(receiver.received[0]?.headers['webhook-signature']).toMatch(/^v1,\S+$/);
  });
});

describe('an erasure', () => {
  it('takes the contact out of deliveries, and what waits does not leave', async () => {
    const done = await tenant.done(await tenant.post('/v1/contacts', { email: 'ada@example.com' }));
    const { contactId } = done.data.results[0];
    const { webhookId } = await subscribe();
    receiver.answer = (_request, response) => response.writeHead(500).end();
    await tell(happening(1, contactId), happening(2, contactId));
    await eventually(
      () => deliveries(webhookId),
      (rows) => rows.at(-1)?.attempts === 1,
    );
    await tenant.done(await tenant.delete(`/v2/contacts/${contactId}`));
    expect((await deliveries(webhookId)).map(({ state }) => state)).toEqual(['dropped', 'dropped']);
    const rows = await t.db.rows(sql`
      select contact_id, body, headers from webhook_delivery where tenant_id = ${tenant.tenantId}`);
    for (const row of rows) expect(row).toEqual({ contact_id: null, body: '', headers: null });
    receiver.reset();
    await hurry();
    await tell(happening(3));
    await told(1);
    expect(receiver.told.map(({ data }) => data.n)).toEqual([3]);
  });
});
