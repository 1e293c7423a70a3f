// Lifecycle webhooks: an event becomes one delivery for every subscription to it.
import type { WebhookEvent } from '@rapport/contract';
import type { Transaction } from '../../db/database.js';
import { newMessageUuid } from '../../lib/ids.js';
import type { NewDelivery } from './delivery/delivery.js';
import { insertDeliveries } from './delivery/queries.js';
import { deliveriesQueued } from './delivery/queued.js';
import { countDropped, type Subscriber, selectSubscribers } from './queries.js';

export interface Happening {
  type: WebhookEvent;
  contactId: string;
  /** When it happened. */
  at: string;
  /** The data sent to the receiver. */
  data: Readonly<Record<string, unknown>>;
}

// Milliseconds.
const timeoutMs = 15_000;

/**
 * Queues events, in this order, for every subscription of the tenant to them, in the transaction in which they happen.
 * A failing subscription keeps a bounded number, and counts the rest.
 */
export async function announce(tx: Transaction, tenantId: number, happenings: readonly Happening[]): Promise<void> {
  if (happenings.length === 0) return;
  const types = [...new Set(happenings.map(({ type }) => type))];
  const subscribers = await selectSubscribers(tx, tenantId, types);
  const deliveries: NewDelivery[] = [];
  const dropped: { webhookId: string; count: number }[] = [];
  for (const subscriber of subscribers) {
    const { webhookId, events, room } = subscriber;
    const wanted = happenings.filter(({ type }) => events.includes(type));
    const kept = wanted.slice(0, Math.max(0, room ?? wanted.length));
    deliveries.push(...kept.map((happening) => deliveryOf(subscriber, happening)));
    if (kept.length < wanted.length) dropped.push({ webhookId, count: wanted.length - kept.length });
  }
  if (dropped.length > 0) await countDropped(tx, tenantId, dropped);
  if (deliveries.length === 0) return;
  await insertDeliveries(tx, tenantId, deliveries);
  await deliveriesQueued.tell(tx, tenantId, '', () => [deliveries.length]);
}

function deliveryOf({ webhookId, url }: Subscriber, { type, contactId, at, data }: Happening): NewDelivery {
  return {
    ...{ deliveryId: newMessageUuid(), webhookId, lane: `webhook:${webhookId}`, call: null, contactId, type, url },
    ...{ method: 'POST', headers: null, timeoutMs },
    body: JSON.stringify({ type, timestamp: at, data }),
  };
}
