// Webhooks of a tenant, and what they receive.

import { sql } from '../src/db/sql.js';
import { announce, type Happening } from '../src/features/webhooks/index.js';
import { newContactId } from '../src/lib/ids.js';
import type { TenantClient, TestApp } from './app.js';
import { eventually } from './messages.js';
import type { useReceiver } from './receiver.js';

export const ada = newContactId();

export function happening(n: number, contactId = ada): Happening {
  return { type: 'message.sent', contactId, at: '2026-11-15T09:30:00.000Z', data: { n, contactId } };
}

export function webhooksOf(t: TestApp, receiver: ReturnType<typeof useReceiver>, tenant: () => TenantClient) {
  async function subscribe(url = receiver.url, events: string[] = ['message.sent', 'message.opened']) {
    const { body } = await tenant().post('/v2/webhooks', { url, events });
    return body.data as { webhookId: string; secret: string };
  }

  const tell = (...happenings: Happening[]) => t.db.transaction((tx) => announce(tx, tenant().tenantId, happenings));

  const deliveries = async (webhookId: string) =>
    (await tenant().get(`/v2/webhooks/${webhookId}/deliveries?pageSize=200`)).body.data as Record<string, unknown>[];
  const webhook = async (webhookId: string) => (await tenant().get(`/v2/webhooks/${webhookId}`)).body.data;

  const told = (count: number) =>
    eventually(
      async () => receiver.received.length,
      (length) => length >= count,
    );
  /** As if an hour had passed. */
  const hurry = () =>
    t.db.run(sql`update webhook_delivery set due_at = now() where state = 'waiting' and lease is null`);

  return { subscribe, tell, deliveries, webhook, told, hurry };
}
