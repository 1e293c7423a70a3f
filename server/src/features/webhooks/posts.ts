// Posts: messages of other features to an address that is a secret, such as one of Slack. They take the way of all calls: claimed, guarded,
// and retried for a day.
import type { Runner, Transaction } from '../../db/database.js';
import { Topic } from '../../db/news.js';
import { newMessageUuid } from '../../lib/ids.js';
import type { SecretBox } from '../../lib/secret-box.js';
import type { Verdict } from './delivery/judge.js';
import { hurryLane, insertDeliveries } from './delivery/queries.js';
import { deliveriesQueued } from './delivery/queued.js';
import { deleteHeaders } from './headers/queries.js';
import { openHeaders, resealHeader, sealedHeaderId, sealedReference, sealHeader } from './headers/sealed-headers.js';

/** What an attempt at a post came to. */
export interface PostTried {
  lane: string;
  at: string;
  what: Verdict['what'];
  status: number | null;
  error: string | null;
}

/** Announced in the transaction that stores the outcome, of every attempt. */
export const postsTried = new Topic<PostTried>('postsTried');

// Milliseconds.
const timeoutMs = 15_000;

/** Keeps an address, sealed. Returns its id. */
export async function sealAddress(tx: Transaction, box: SecretBox, tenantId: number, url: string): Promise<string> {
  return sealedHeaderId(await sealHeader(tx, box, tenantId, url)) as string;
}

/** Another address instead of this one: what waits in the lane goes there, at once. */
export async function replaceAddress(
  tx: Transaction,
  box: SecretBox,
  tenantId: number,
  { addressId, lane, url }: { addressId: string; lane: string; url: string },
): Promise<void> {
  await resealHeader(tx, box, tenantId, addressId, url);
  await hurryLane(tx, tenantId, lane);
  await deliveriesQueued.tell(tx, tenantId, '', () => [1]);
}

/** Undefined if it is gone, or no key opens it. */
export async function openAddress(
  db: Runner,
  box: SecretBox,
  tenantId: number,
  addressId: string,
): Promise<string | undefined> {
  const reference = sealedReference(addressId);
  return (await openHeaders(db, box, tenantId, [reference])).get(reference);
}

/** Nothing waits for it any more. */
export function forgetAddress(tx: Transaction, tenantId: number, addressId: string): Promise<void> {
  return deleteHeaders(tx, tenantId, [addressId]);
}

/** Queues a message in the transaction of what it tells. */
export async function enqueuePost(
  tx: Transaction,
  tenantId: number,
  { addressId, lane, body }: { addressId: string; lane: string; body: string },
): Promise<void> {
  await insertDeliveries(tx, tenantId, [
    {
      ...{ deliveryId: newMessageUuid(), webhookId: null, lane, call: null, contactId: null, type: lane },
      ...{ method: 'POST', url: sealedReference(addressId), headers: null, body, timeoutMs },
    },
  ]);
  await deliveriesQueued.tell(tx, tenantId, '', () => [1]);
}
