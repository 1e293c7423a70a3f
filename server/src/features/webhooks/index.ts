// Webhooks: outgoing calls, signed, retried and never to the internal network. For subscriptions to events, and for steps of journeys.
import type { FastifyBaseLogger } from 'fastify';
import type { Registry } from 'prom-client';
import type { Database } from '../../db/database.js';
import { inPages } from '../../db/in-pages.js';
import { hearing } from '../../db/news.js';
import type { Clock } from '../../lib/clock.js';
import type { SecretBox } from '../../lib/secret-box.js';
import { inSteps } from '../../work/chores.js';
import { type Eraser, exporter } from '../contacts/index.js';
import { contactsUnsubscribed, messagesMoved } from '../messages/index.js';
import { anywhere, isPublicAddress } from './call/address.js';
import { Caller } from './call/caller.js';
import { guardedFetch } from './call/guarded-fetch.js';
import { addressOfHost, faultOfHost } from './call/host.js';
import { resolver } from './call/resolve.js';
import { faultOfTarget } from './call/target.js';
import { Deliverer, renewMs } from './delivery/deliverer.js';
import { deliveriesQueued } from './delivery/queued.js';
import {
  type DeliveryOfContact,
  eraseDeliveries,
  selectDeliveriesOf,
  sweepDeleted,
  sweepDeliveries,
} from './kept/queries.js';
import { onContactsUnsubscribed, onMessagesMoved } from './message-news.js';
import { webhookMetrics } from './metrics.js';
import { countFailing, sweepWebhooks } from './queries.js';
import { webhookEndpoints } from './routes.js';
import { sweepPastSecrets } from './secrets/queries.js';
import { tryPost } from './try-webhook.js';

export { announce, type Happening } from './announce.js';
export { explainFailure, withoutAddresses } from './call/explain.js';
export type { GuardedFetch } from './call/guarded-fetch.js';
export { callPatience, enqueueCalls, faultOfHeader, type JourneyCall } from './calls.js';
export type { CallAnswer } from './delivery/delivery.js';
export { dropCalls, dropLane as dropPosts } from './delivery/queries.js';
export { type CallAnswered, callsAnswered } from './delivery/recorder.js';
export { deleteHeaders } from './headers/queries.js';
export { openHeaders, sealedHeaderId, sealHeader } from './headers/sealed-headers.js';
export {
  enqueuePost,
  forgetAddress,
  openAddress,
  type PostTried,
  postsTried,
  replaceAddress,
  sealAddress,
} from './posts.js';
export { countFailingOf, webhookDrawers } from './queries.js';

export interface WebhookSettings {
  /** Private and loopback addresses may be called. */
  allowPrivate: boolean;
  /** How long deliveries are shown. */
  retentionDays: number;
}

export const usualWebhooks: WebhookSettings = { allowPrivate: false, retentionDays: 30 };

export interface WebhookNeeds {
  db: Database;
  clock: Clock;
  log: FastifyBaseLogger;
  registry: Registry;
  box: SecretBox;
  dnsServers: readonly string[];
  /** Called when there are calls to make. */
  wake(): void;
  settings: WebhookSettings;
}

// Milliseconds that a stopping process waits for receivers.
const stopPatience = 10_000;

/** Without headers: they belong to the tenant, and may contain a secret of the receiver. */
const deliverySection = exporter('webhookDeliveries', (db, tenantId, { id }) =>
  inPages(100, (after: DeliveryOfContact | undefined, size) =>
    selectDeliveriesOf(db, tenantId, id, after?.deliveryNo, size),
  ),
);

export function webhooks({ db, clock, log, registry, box, dnsServers, wake, settings }: WebhookNeeds) {
  const { background } = db;
  const { allowPrivate, retentionDays } = settings;
  const allows = allowPrivate ? anywhere : isPublicAddress;
  const resolve = resolver(dnsServers, allows);
  const caller = new Caller({ resolve, allows });
  const metrics = webhookMetrics(registry, () => countFailing(background));
  const deliverer = new Deliverer({
    ...{ db: background, clock, log, box, wake, onRecorded: metrics.tried },
    attempt: (call) => caller.attempt(call),
  });
  const eraser: Eraser = (tx, tenantId, { id }) => eraseDeliveries(tx, tenantId, id);
  const sweeps = [
    (atMost: number) => sweepDeliveries(background, retentionDays, atMost),
    (atMost: number) => sweepDeleted(background, atMost),
    (atMost: number) => sweepWebhooks(background, atMost),
    (atMost: number) => sweepPastSecrets(background, atMost),
  ];
  return {
    endpoints: webhookEndpoints({ db, box, clock, caller, allows, wake }),
    queues: [deliverer.queue],
    chores: [
      { name: 'leases of webhooks', everyMs: renewMs, run: () => deliverer.keep() },
      {
        name: 'old webhooks',
        everyMs: 60_000,
        run: async (signal: AbortSignal) => {
          for (const sweep of sweeps) await inSteps(sweep, signal);
        },
      },
    ],
    erasers: [eraser],
    exporters: [deliverySection],
    hears: [
      hearing(deliveriesQueued, async (tx) => tx.afterCommit(wake)),
      hearing(messagesMoved, onMessagesMoved),
      hearing(contactsUnsubscribed, onContactsUnsubscribed),
    ],
    /** For features above that call addresses chosen by strangers. */
    fetch: guardedFetch(resolve, allows),
    /** The same for other protocols: why a host must not be reached, and its address when connecting. */
    faultOfHost: (host: string) => faultOfHost(host, allows),
    addressOfHost: (host: string) => addressOfHost(host, resolve, allows),
    /** Why a journey's step must not call this, as the end of a sentence that begins with the field. Undefined if it may. */
    faultOfUrl: (url: string) => faultOfTarget(url, allows),
    /** The same of a post. Its address is a secret, so nobody on the way may read it. */
    faultOfPostUrl: (url: string) =>
      faultOfTarget(url, allows) ??
      (allowPrivate || new URL(url).protocol === 'https:' ? undefined : 'must start with https://'),
    /** Posts a message to an address that is a secret, and says what it answered. */
    tryPost: (tenantId: number, url: string, body: string) => tryPost({ db, box, clock, caller }, tenantId, url, body),
    close: async () => {
      await deliverer.stop(stopPatience);
      caller.close();
    },
  };
}
