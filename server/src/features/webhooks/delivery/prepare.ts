// Turns deliveries into requests: adds signatures and headers, and decides which wait for each other.
import type { FastifyBaseLogger } from 'fastify';
import type { Runner } from '../../../db/database.js';
import type { SecretBox } from '../../../lib/secret-box.js';
import type { Call } from '../call/caller.js';
import { signatureHeaders } from '../call/sign.js';
import { openHeaders, sealedHeaderId, withValues } from '../headers/sealed-headers.js';
import { callKeys, webhookKeys } from '../keys.js';
import type { Claimed } from './queries.js';

export interface Signed extends Claimed {
  /** The secrets that sign it, or why they cannot be read. */
  keys: readonly Buffer[] | Error;
}

const ours = {
  'user-agent': 'Rapport-Webhooks/1.0',
  accept: 'application/json, */*;q=0.5',
  // Otherwise the receiver would decide how much there is to decompress.
  'accept-encoding': 'identity',
};

type Made = Pick<Claimed, 'deliveryId' | 'webhookId' | 'method' | 'url' | 'headers' | 'body' | 'timeoutMs'>;

export function callOf(delivery: Made, keys: readonly Buffer[], at: Date): Call {
  const { deliveryId, method, url, body, timeoutMs, webhookId } = delivery;
  const own = Object.entries(delivery.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value] as const);
  const { 'content-type': type = 'application/json', ...ownHeaders } = Object.fromEntries(own);
  return {
    ...{ method, url, body, timeoutMs, ownHeaders, wants: webhookId === null ? 'json' : 'nothing' },
    headers: {
      ...ours,
      ...(body === '' ? {} : { 'content-type': type }),
      ...signatureHeaders(deliveryId, at, body, keys),
    },
  };
}

/** Fetches the secrets that sign them: one query for a tenant's calls, and one decryption per subscription. */
export async function withKeys(
  { db, box, log }: { db: Runner; box: SecretBox; log: FastifyBaseLogger },
  tenantId: number,
  claimed: readonly Claimed[],
): Promise<Signed[]> {
  const orWhy = async (work: () => Promise<Buffer[]>): Promise<Buffer[] | Error> => {
    try {
      return await work();
    } catch (err) {
      log.error({ err, tenantId }, 'the secret of a webhook cannot be read');
      return new Error('The secret that signs it cannot be read; the log of the service says why.');
    }
  };
  const known = new Map<string | null, Promise<Buffer[] | Error>>();
  const keysOf = ({ webhookId, sealedSecret, isRotated }: Claimed) => {
    const keys =
      known.get(webhookId) ??
      orWhy(async () =>
        webhookId === null
          ? callKeys(db, box, tenantId)
          : webhookKeys(db, box, tenantId, { webhookId, sealed: sealedSecret ?? '', isRotated }),
      );
    known.set(webhookId, keys);
    return keys;
  };
  return Promise.all(
    claimed.map(async (each) => {
      const keys = await keysOf(each);
      try {
        const url = await urlOf(db, box, tenantId, each.url);
        return { ...each, keys, url, headers: await withValues(db, box, tenantId, each.headers) };
      } catch (err) {
        log.error({ err, tenantId }, 'the address or a header of a webhook cannot be read');
        const why = 'The address or the value of a header cannot be read; the log of the service says why.';
        return { ...each, keys: new Error(why) };
      }
    }),
  );
}

/** Some addresses are secrets. Throws if one is gone or cannot be read. */
async function urlOf(db: Runner, box: SecretBox, tenantId: number, url: string): Promise<string> {
  if (!sealedHeaderId(url)) return url;
  const found = (await openHeaders(db, box, tenantId, [url])).get(url);
  if (found === undefined) throw new Error('The address is missing, or was sealed with another key.');
  return found;
}

/** Groups deliveries about one contact to one subscription, in chronological order. */
export function chainsOf<T extends Claimed>(claimed: readonly T[]): [T, ...T[]][] {
  const chains = new Map<string, [T, ...T[]]>();
  for (const each of claimed) {
    const { webhookId, contactId, deliveryId } = each;
    const key = webhookId !== null && contactId !== null ? `${webhookId} ${contactId}` : deliveryId;
    const chain = chains.get(key);
    if (chain) chain.push(each);
    else chains.set(key, [each]);
  }
  return [...chains.values()];
}
