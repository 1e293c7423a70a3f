// Calls of journeys: webhook steps queue them, and learn the answer through `callsAnswered`.
import type { Transaction } from '../../db/database.js';
import { longestUrl } from './call/target.js';
import { insertDeliveries } from './delivery/queries.js';
import { deliveriesQueued } from './delivery/queued.js';

export interface JourneyCall {
  /** A UUID, the same for every attempt. */
  deliveryId: string;
  enrolmentId: string;
  journeyNo: number;
  stepId: string;
  visit: number;
  contactId: string;
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'GET';
  url: string;
  headers: Readonly<Record<string, string>>;
  /** As it is sent; empty for none. */
  body: string;
  timeoutMs: number;
}

/** Milliseconds that a call may take. */
export const callPatience = { least: 1000, usual: 15_000, most: 60_000 };

/** Queues calls in the transaction in which the steps run. */
export async function enqueueCalls(tx: Transaction, tenantId: number, calls: readonly JourneyCall[]): Promise<void> {
  if (calls.length === 0) return;
  const deliveries = calls.map(({ enrolmentId, journeyNo, stepId, visit, timeoutMs, headers, ...call }) => ({
    ...call,
    ...{ webhookId: null, type: 'journey.webhook', lane: laneOf(call.url) },
    call: { enrolmentId, journeyNo, stepId, visit },
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !isOurs(name))),
    timeoutMs: Math.min(Math.max(timeoutMs, callPatience.least), callPatience.most),
  }));
  await insertDeliveries(tx, tenantId, deliveries);
  await deliveriesQueued.tell(tx, tenantId, '', () => [deliveries.length]);
}

/** One receiver, however many steps call it. An invalid address fails when it is called. */
function laneOf(url: string): string {
  return `call:${URL.canParse(url) ? new URL(url).origin : ''}`.slice(0, longestUrl);
}

const ours = new Set([
  ...['host', 'content-length', 'connection', 'transfer-encoding', 'keep-alive', 'upgrade', 'te', 'trailer', 'expect'],
  ...[
    'accept-encoding',
    'proxy-authorization',
    'proxy-connection',
    'webhook-id',
    'webhook-timestamp',
    'webhook-signature',
  ],
]);

/** Headers that belong to the connection or the signature: a step cannot set them. */
function isOurs(name: string): boolean {
  return ours.has(name.toLowerCase());
}

/** Why a step must not set this header; undefined if it may. */
export function faultOfHeader(name: string, value: string): string | undefined {
  if (!/^[!#$%&'*+.^_`|~0-9a-zA-Z-]{1,100}$/.test(name)) return 'must have a name of letters, digits and dashes';
  if (isOurs(name)) return 'is set by the service; leave it out';
  if (!/^[\t\x20-\x7e\x80-\xff]{0,2000}$/.test(value)) return 'must be one line of at most 2,000 Latin characters';
  return undefined;
}
