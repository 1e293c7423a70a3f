// Subscriptions and their deliveries, through the app that ships, to real receivers.
import type { ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../test/app.js';
import { eventually } from '../../../test/messages.js';
import { useReceiver } from '../../../test/receiver.js';
import { ada, happening, webhooksOf } from '../../../test/webhooks.js';
import { sql } from '../../db/sql.js';
import { newContactId } from '../../lib/ids.js';
import { announce } from './index.js';

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

  it('of another tenant is 404', async () => {
    const { webhookId } = await subscribe();
    const stranger = await t.tenant();
    for (const path of [`/v2/webhooks/${webhookId}`, `/v2/webhooks/${webhookId}/deliveries`])
      expect((await stranger.get(path)).status).toBe(404);
    expect((await stranger.delete(`/v2/webhooks/${webhookId}`)).status).toBe(404);
    expect((await stranger.get('/v2/webhooks')).body.data).toEqual([]);
  });
});

describe('an event', () => {
  it('is sent to those who subscribed, signed, and shown as delivered', async () => {
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
    // The body is deleted once it is delivered.
    expect(await t.db.row(sql`select body from webhook_delivery where tenant_id = ${tenant.tenantId}`)).toEqual({
      body: '',
    });
  });

  it('is not sent if its transaction fails', async () => {
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

  it('about a contact is sent in order although attempts fail, and others go on meanwhile', async () => {
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
      (rows) =>
        rows.filter(({ state }) => state === 'delivered').length === 5 &&
        rows.some(({ state, attempts }) => state === 'waiting' && Number(attempts) > 0),
    );
    // Ada's second one failed: the third and fourth wait behind it, those of other contacts do not.
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

  it('is sent soon although the one before it arrived meanwhile', async () => {
    const { webhookId } = await subscribe();
    const open: ServerResponse[] = [];
    receiver.answer = (_request, response) => void open.push(response);
    await tell(happening(1));
    await told(1);
    await t.db.transaction(async (tx) => {
      await announce(tx, tenant.tenantId, [happening(2)]);
      receiver.answer = (_request, response) => response.end();
      for (const response of open) response.end();
      // The first is done before the second is visible, so nothing wakes the second.
      await eventually(
        () => deliveries(webhookId),
        ([first]) => first?.state === 'delivered',
      );
    });
    await told(2);
    expect(receiver.told.map(({ data }) => data.n)).toEqual([1, 2]);
  });

  it('keeps its order when many come at once', async () => {
    await subscribe();
    const contacts = Array.from({ length: 5 }, () => newContactId());
    for (let n = 0; n < 60; n += 20)
      await tell(...Array.from({ length: 20 }, (_, i) => contacts.map((id) => happening(n + i, id))).flat());
    for (const count of [100, 200, 300]) await told(count);
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

describe('an erasure', () => {
  it('removes the contact from deliveries, and waiting ones are not sent', async () => {
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
