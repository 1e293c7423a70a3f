// What is done to a subscription that exists: changed, disabled, tried, given a new secret.
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../test/app.js';
import { eventually } from '../../../test/messages.js';
import { useReceiver } from '../../../test/receiver.js';
import { happening, webhooksOf } from '../../../test/webhooks.js';
import { sql } from '../../db/sql.js';
import { sweepPastSecrets } from './secrets/queries.js';

const t = useApp({ work: true, webhooks: { allowPrivate: true } });
const guarded = useApp();
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

const { subscribe, tell, deliveries, webhook, told } = webhooksOf(t, receiver, () => tenant);
const pathOf = (webhookId: string) => `/v2/webhooks/${webhookId}`;
const actionsOf = async () =>
  (
    await t.db.rows(
      sql<{ action: string }>`select action from audit_entry where tenant_id = ${tenant.tenantId} order by entry_no`,
    )
  ).map(({ action }) => action);

describe('a change', () => {
  it('of address and events counts for what waits and for what comes', async () => {
    const { webhookId } = await subscribe();
    receiver.answer = (_request, response) => response.writeHead(410).end();
    await tell(happening(1));
    await eventually(
      () => webhook(webhookId),
      ({ state }) => state === 'failing',
    );
    await tell(happening(1));
    const changed = await tenant.patch(pathOf(webhookId), { url: other.url, events: ['message.sent', 'journey.goal'] });
    expect(changed.body.data).toMatchObject({ url: other.url, events: ['message.sent', 'journey.goal'] });
    await tenant.post(`${pathOf(webhookId)}/resume`);
    await tell({ ...happening(2), type: 'journey.goal' });
    await eventually(
      async () => other.received.length,
      (count) => count === 2,
    );
    expect(other.told.map(({ type }) => type)).toEqual(['message.sent', 'journey.goal']);
    expect(receiver.received).toHaveLength(1);
    expect(await actionsOf()).toContain('webhook.changed');
  });

  it.each([
    [{}, undefined],
    [{ url: 'ftp://example.com' }, 'url'],
    [{ events: [] }, 'events'],
    [{ events: ['message.sent', 'message.sent'] }, 'events'],
    [{ isEnabled: 'no' }, 'isEnabled'],
  ])('is refused as %j', async (body, field) => {
    const { webhookId } = await subscribe();
    const reply = await tenant.patch(pathOf(webhookId), body);
    expect(reply.status).toBe(400);
    if (field) expect(reply.body.errors[0].detail).toContain(field);
  });

  it('to an address inside the network is refused', async () => {
    const one = await guarded.tenant();
    const { body } = await one.post('/v2/webhooks', { url: 'https://example.com/', events: ['message.sent'] });
    const reply = await one.patch(pathOf(body.data.webhookId), { url: 'http://169.254.169.254/' });
    expect(reply.status).toBe(400);
    expect((await one.get(pathOf(body.data.webhookId))).body.data.url).toBe('https://example.com/');
  });
});

describe('one that is disabled', () => {
  it('gets nothing, and goes on once it is enabled', async () => {
    const { webhookId } = await subscribe();
    const disabled = await tenant.patch(pathOf(webhookId), { isEnabled: false });
    expect(disabled.body.data.state).toBe('disabled');
    await tell(happening(1));
    expect(await deliveries(webhookId)).toEqual([]);
    // Resuming is for those that fail.
    expect((await tenant.post(`${pathOf(webhookId)}/resume`)).body.data.state).toBe('disabled');
    expect((await tenant.patch(pathOf(webhookId), { isEnabled: true })).body.data.state).toBe('active');
    await tell(happening(1));
    await told(1);
    expect(receiver.received).toHaveLength(1);
  });

  it('while it fails keeps what waited, and sends it once it is enabled', async () => {
    const { webhookId } = await subscribe();
    receiver.answer = (_request, response) => response.writeHead(410).end();
    await tell(happening(1));
    await eventually(
      () => webhook(webhookId),
      ({ state }) => state === 'failing',
    );
    await tell(happening(1));
    const { data } = (await tenant.patch(pathOf(webhookId), { isEnabled: false })).body;
    expect(data).toMatchObject({ state: 'disabled', reason: null, failingSince: null });
    receiver.reset();
    await tenant.patch(pathOf(webhookId), { isEnabled: true });
    await told(1);
    expect(await webhook(webhookId)).toMatchObject({ state: 'active' });
  });
});

describe('a test', () => {
  it('arrives signed, and shows the answer', async () => {
    const { webhookId, secret } = await subscribe();
    await tenant.patch(pathOf(webhookId), { isEnabled: false });
    receiver.answer = (_request, response) => response.writeHead(401).end(`no: ${'x'.repeat(5000)}`);
    const { data } = (await tenant.post(`${pathOf(webhookId)}/test`)).body;
    expect(data).toMatchObject({ ok: false, status: 401, error: 'It answered 401.' });
    expect(data.answer).toBe(`no: ${'x'.repeat(996)}`);
    expect(data.durationMs).toBeGreaterThanOrEqual(0);
    const { body, headers } = receiver.received[0] as { body: string; headers: Record<string, string> };
    expect(new Webhook(secret).verify(body, headers)).toMatchObject({ type: 'webhook.test', data: { webhookId } });
    expect(await deliveries(webhookId)).toEqual([]);
    expect((await webhook(webhookId)).state).toBe('disabled');
    receiver.reset();
    expect((await tenant.post(`${pathOf(webhookId)}/test`)).body.data).toMatchObject({
      ...{ ok: true, status: 200, answer: '{"ok":true}', error: null },
    });
  });

  it('says why nothing answered, and goes nowhere inside the network', async () => {
    const { webhookId } = await subscribe();
    receiver.answer = (_request, response) => response.destroy();
    const { data } = (await tenant.post(`${pathOf(webhookId)}/test`)).body;
    expect(data).toMatchObject({ ok: false, status: null, answer: null, error: expect.stringContaining('ECONNRESET') });
    const before = receiver.received.length;
    const one = await guarded.tenant();
    const made = await one.post('/v2/webhooks', { url: 'https://example.com/', events: ['message.sent'] });
    await guarded.db.run(sql`update webhook set url = ${receiver.url} where tenant_id = ${one.tenantId}`);
    const refused = (await one.post(`${pathOf(made.body.data.webhookId)}/test`)).body.data;
    expect(refused).toMatchObject({ ok: false, error: expect.stringContaining('not on the public internet') });
    expect(receiver.received).toHaveLength(before);
  });
});

describe('a new secret', () => {
  it('signs together with those before it, each for a day', async () => {
    const { webhookId, secret: first } = await subscribe();
    const rotate = async () => (await tenant.post(`${pathOf(webhookId)}/secret`)).body.data.secret as string;
    const next = async () => {
      const count = receiver.received.length;
      await tell(happening(1));
      await told(count + 1);
      const { body, headers } = receiver.received.at(-1) as { body: string; headers: Record<string, string> };
      return (secret: string) => new Webhook(secret).verify(body, headers);
    };
    const second = await rotate();
    const third = await rotate();
    expect(third).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const verify = await next();
    for (const secret of [first, second, third]) verify(secret);
    await t.db.run(sql`update webhook_past_secret set expires_at = now() where tenant_id = ${tenant.tenantId}`);
    const later = await next();
    later(third);
    for (const secret of [first, second]) expect(() => later(secret)).toThrow();
    await sweepPastSecrets(t.db, 100);
    expect(await t.db.rows(sql`select * from webhook_past_secret where tenant_id = ${tenant.tenantId}`)).toEqual([]);
    expect((await actionsOf()).filter((action) => action === 'webhook.secret-renewed')).toHaveLength(2);
    expect(JSON.stringify(await webhook(webhookId))).not.toContain('whsec_');
  });
});

describe('a secret that cannot be read, because the key of the service is another one', () => {
  const spoil = (table: 'webhook' | 'webhook_past_secret') =>
    table === 'webhook'
      ? t.db.run(sql`update webhook set sealed_secret = '\\x00' where tenant_id = ${tenant.tenantId}`)
      : t.db.run(sql`update webhook_past_secret set sealed = '\\x00' where tenant_id = ${tenant.tenantId}`);

  it('is replaced by a new one', async () => {
    const { webhookId } = await subscribe();
    await spoil('webhook');
    expect((await tenant.post(`${pathOf(webhookId)}/test`)).status).toBe(409);
    const { status, body } = await tenant.post(`${pathOf(webhookId)}/secret`);
    expect([status, body.data?.secret]).toEqual([200, expect.stringMatching(/^whsec_/)]);
    await tell(happening(1));
    await told(1);
    const [call] = receiver.received as { body: string; headers: Record<string, string> }[];
    expect(() => new Webhook(body.data.secret).verify(call?.body ?? '', call?.headers ?? {})).not.toThrow();
  });

  it('keeps nothing from arriving if it was replaced already', async () => {
    const { webhookId } = await subscribe();
    const { body } = await tenant.post(`${pathOf(webhookId)}/secret`);
    await spoil('webhook_past_secret');
    await tell(happening(1));
    await told(1);
    const [call] = receiver.received as { body: string; headers: Record<string, string> }[];
    expect(() => new Webhook(body.data.secret).verify(call?.body ?? '', call?.headers ?? {})).not.toThrow();
  });
});

it('one of another workspace, or of no one, is not there', async () => {
  const { webhookId } = await subscribe();
  const stranger = await t.tenant();
  for (const id of [webhookId, 'x']) {
    expect((await stranger.patch(pathOf(id), { isEnabled: false })).status).toBe(404);
    for (const path of ['test', 'secret']) expect((await stranger.post(`${pathOf(id)}/${path}`)).status).toBe(404);
  }
  expect((await webhook(webhookId)).state).toBe('active');
});
