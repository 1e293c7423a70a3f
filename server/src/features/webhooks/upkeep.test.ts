// Secrets move to a new key, old deliveries are removed, and calls held by a killed process come back.
import { pino } from 'pino';
import { beforeAll, describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../test/app.js';
import { sql } from '../../db/sql.js';
import { systemClock } from '../../lib/clock.js';
import { newContactId, newMessageUuid } from '../../lib/ids.js';
import { randomBytes } from '../../lib/random.js';
import { SecretBox } from '../../lib/secret-box.js';
import { unwatched } from '../../work/queue.js';
import { rotateSecrets } from '../sending/index.js';
import type { Call } from './call/caller.js';
import { formatSecret } from './call/sign.js';
import { Deliverer } from './delivery/deliverer.js';
import { claimDeliveries, selectLanes } from './delivery/queries.js';
import { announce, webhookDrawers } from './index.js';
import { sweepDeleted, sweepDeliveries } from './kept/queries.js';
import { callKeys, openWebhookSecret, webhookKeys } from './keys.js';
import { sweepWebhooks } from './queries.js';

const [oldKey, newKey] = [randomBytes(32), randomBytes(32)];
const [before, both, after] = [new SecretBox(oldKey), new SecretBox(newKey, [oldKey]), new SecretBox(newKey)];
const t = useApp({ box: before });

let tenant: TenantClient;
let webhook: { webhookId: string; secret: string };
beforeAll(async () => {
  tenant = await t.tenant();
  const body = { url: 'https://example.com/hook', events: ['message.sent'] };
  webhook = (await tenant.post('/v2/webhooks', body)).body.data;
});

const contactId = newContactId();
const tell = (...about: string[]) =>
  t.db.transaction((tx) =>
    announce(
      tx,
      tenant.tenantId,
      about.map((id, n) => ({ type: 'message.sent', contactId: id, at: '2026-11-15T09:30:00.000Z', data: { n } })),
    ),
  );
const forget = () => t.db.run(sql`delete from webhook_delivery`);
const count = async () => (await t.db.row(sql<{ n: number }>`select count(*) as n from webhook_delivery`))?.n;

it('secrets of subscriptions and journeys move to a new key', async () => {
  const { secret } = (await tenant.post('/v2/webhooks/secret')).body.data;
  const path = `/v2/webhooks/${webhook.webhookId}/secret`;
  const { secret: newest } = (await tenant.post(path)).body.data;
  expect(await rotateSecrets(t.db, both, webhookDrawers)).toMatchObject({ resealed: 3, complaints: [] });
  const row = await t.db.row(sql<{ sealed: string }>`select sealed_secret as sealed from webhook`);
  const key = openWebhookSecret(after, tenant.tenantId, webhook.webhookId, row?.sealed ?? '');
  expect(formatSecret(key)).toBe(newest);
  const { sealed = '' } = row ?? {};
  const signing = { webhookId: webhook.webhookId, sealed, isRotated: true };
  expect((await webhookKeys(t.db, after, tenant.tenantId, signing)).map(formatSecret)).toEqual([
    newest,
    webhook.secret,
  ]);
  expect((await callKeys(t.db, after, tenant.tenantId)).map(formatSecret)).toEqual([secret]);
});

describe('a process that is killed', () => {
  const lane = () => `webhook:${webhook.webhookId}`;
  const deliverer = (calls: Call[], isKilled: boolean) =>
    new Deliverer({
      ...{
        clock: systemClock,
        log: pino({ level: 'silent' }),
        box: after,
        wake: () => undefined,
        onRecorded: () => undefined,
      },
      db: isKilled ? { ...t.db.background, transaction: () => new Promise(() => undefined) } : t.db.background,
      attempt: async (call) => {
        calls.push(call);
        return { kind: 'answered', status: 200, retryAfter: undefined };
      },
    });
  const work = async (worker: Deliverer, isDone: () => Promise<boolean>) => {
    for (let tries = 0; tries < 1000 && !(await isDone()); tries++) {
      const { tenants } = await worker.queue.due();
      for (const tenantId of tenants) await worker.queue.serve(tenantId, unwatched, AbortSignal.timeout(60_000));
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  };

  it('after the call and before its record leaves it to another, which repeats it with the same id, and in order', async () => {
    await forget();
    await tell(contactId, contactId);
    const [first, second]: [Call[], Call[]] = [[], []];
    await work(deliverer(first, true), async () => first.length > 0);
    expect(first).toHaveLength(1);
    // No other process gets it while its lease lasts.
    const others = deliverer(second, false);
    expect((await others.queue.due()).tenants).toEqual([]);
    await t.db.run(sql`update webhook_delivery set due_at = now()`);
    const isDelivered = async () =>
      (await t.db.row(sql`select 1 from webhook_delivery where state <> 'delivered' limit 1`)) === undefined;
    await work(others, isDelivered);
    const ids = [...first, ...second].map(({ headers }) => headers['webhook-id']);
    expect(ids).toHaveLength(3);
    expect(ids[1]).toBe(ids[0]);
    expect([...second].map(({ body }) => JSON.parse(body).data.n)).toEqual([0, 1]);
  });

  it('delays only what is behind the calls it held', async () => {
    await forget();
    await tell(contactId);
    const options = { lease: newMessageUuid(), seconds: 60 };
    const rooms = [{ lane: lane(), room: 10 }];
    expect(await claimDeliveries(t.db, tenant.tenantId, rooms, options)).toHaveLength(1);
    const bob = newContactId();
    await t.db.run(sql`update webhook_delivery set due_at = now() + interval '1 hour'`);
    await tell(contactId, bob);
    await t.db.run(sql`update webhook_delivery set due_at = now() where lease is null`);
    const claimed = await claimDeliveries(t.db, tenant.tenantId, [{ lane: lane(), room: 1 }], options);
    expect(claimed).toEqual([]);
    // The one in front of it made room.
    const next = await claimDeliveries(t.db, tenant.tenantId, [{ lane: lane(), room: 1 }], options);
    expect(next.map((each) => each.contactId)).toEqual([bob]);
  });
});

describe('old deliveries', () => {
  it('are removed after their days, with their count; a journey’s waiting calls stay', async () => {
    await forget();
    await t.db.run(sql`delete from counter_delta`);
    await tell(contactId, contactId, contactId);
    const ids = await t.db.rows(
      sql<{ id: string }>`select delivery_id as id from webhook_delivery order by delivery_no`,
    );
    const [done, failing] = ids.map(({ id }) => id);
    await t.db.run(sql`
      update webhook_delivery set state = 'delivered', created_at = now() - interval '31 days' where delivery_id = ${done}`);
    await t.db.run(
      sql`update webhook_delivery set created_at = now() - interval '31 days' where delivery_id = ${failing}`,
    );
    expect(await sweepDeliveries(t.db, 30, 100)).toBe(2);
    const { body } = await tenant.get(`/v2/webhooks/${webhook.webhookId}/deliveries`);
    expect(body.pagination.totalElements).toBe(1);
    await t.db.run(sql`update webhook_delivery set created_at = now() - interval '25 hours'`);
    expect(await sweepDeliveries(t.db, 1, 100)).toBe(0);
  });

  it('of a deleted subscription are removed at once, and the subscription after them', async () => {
    await tell(contactId);
    await tenant.delete(`/v2/webhooks/${webhook.webhookId}`);
    expect((await selectLanes(t.db)).length).toBe(0);
    while ((await sweepDeleted(t.db, 1)) > 0);
    expect(await count()).toBe(0);
    expect(await sweepWebhooks(t.db, 10)).toBe(0);
    await t.db.run(sql`update webhook set deleted_at = now() - interval '2 hours'`);
    expect(await sweepWebhooks(t.db, 10)).toBe(1);
    expect(await t.db.rows(sql`select * from counter_delta where counter like 'webhook%'`)).toEqual([]);
  });
});
