// Sets, removes and tries the webhook that alerts go to. Its address lets anybody who has it write to a channel: it is never shown again.
import type { DataValue, testAlertWebhook } from '@rapport/contract';
import type { Database, Transaction } from '../../../db/database.js';
import { ApiError, invalid, notFound } from '../../../http/api-error.js';
import type { SecretBox } from '../../../lib/secret-box.js';
import { type Actor, recordAudit } from '../../audit/index.js';
import { findTenant } from '../../tenants/index.js';
import { dropPosts, forgetAddress, openAddress, replaceAddress, sealAddress } from '../../webhooks/index.js';
import { testPost } from '../letters.js';
import { deleteWebhook, findAddressId, findWebhook, insertWebhook, updateWebhook, type WebhookRow } from './queries.js';

/** Where messages to it wait. */
export const lane = 'alerts';

export interface WebhookNeeds {
  db: Database;
  box: SecretBox;
  baseUrl: () => string;
  /** Why posts must not go there, as the end of a sentence that begins with the field. Undefined if they may. */
  faultOfPostUrl(url: string): string | undefined;
  tryPost(tenantId: number, url: string, body: string): Promise<DataValue<typeof testAlertWebhook>>;
}

export async function getWebhook(db: Database, tenantId: number): Promise<WebhookRow> {
  const row = await findWebhook(db, tenantId);
  if (!row) throw notFound('webhook');
  return row;
}

export async function setWebhook(needs: WebhookNeeds, actor: Actor, url: string): Promise<WebhookRow> {
  const fault = needs.faultOfPostUrl(url);
  if (fault) throw invalid('url', fault);
  const { host } = new URL(url);
  await needs.db.transaction(async (tx) => {
    await store(tx, needs.box, actor.tenantId, url, { host, ending: url.slice(-4) });
    // Not its path, which is the secret.
    await recordAudit(tx, actor, 'alert-webhook.changed', null, { host });
  });
  return getWebhook(needs.db, actor.tenantId);
}

async function store(
  tx: Transaction,
  box: SecretBox,
  tenantId: number,
  url: string,
  shown: { host: string; ending: string },
): Promise<void> {
  const before = await findAddressId(tx, tenantId, 'change');
  if (before === undefined) {
    const addressId = await sealAddress(tx, box, tenantId, url);
    if (await insertWebhook(tx, tenantId, addressId, shown)) return;
    // Somebody set one at the same moment.
    await forgetAddress(tx, tenantId, addressId);
    return store(tx, box, tenantId, url, shown);
  }
  await replaceAddress(tx, box, tenantId, { addressId: before, lane, url });
  await updateWebhook(tx, tenantId, shown);
}

export async function removeWebhook(db: Database, actor: Actor): Promise<void> {
  const { tenantId } = actor;
  await db.transaction(async (tx) => {
    const addressId = await findAddressId(tx, tenantId);
    if (addressId === undefined) throw notFound('webhook');
    // In the order of those who store outcomes: messages first. Then once more, for those that were queued meanwhile.
    await dropPosts(tx, tenantId, lane);
    if (!(await deleteWebhook(tx, tenantId))) throw notFound('webhook');
    await dropPosts(tx, tenantId, lane);
    await forgetAddress(tx, tenantId, addressId);
    await recordAudit(tx, actor, 'alert-webhook.removed');
  });
}

export async function tryWebhook(
  { db, box, baseUrl, tryPost }: WebhookNeeds,
  tenantId: number,
): Promise<DataValue<typeof testAlertWebhook>> {
  const addressId = await findAddressId(db, tenantId);
  if (addressId === undefined) throw notFound('webhook');
  const url = await openAddress(db, box, tenantId, addressId);
  if (url === undefined)
    throw new ApiError('INVALID_STATE', {
      reason: 'The address cannot be read with the keys of this service: set it again.',
    });
  const tenant = await findTenant(db, tenantId);
  return tryPost(tenantId, url, testPost(tenant?.name ?? '', `${baseUrl()}/console`));
}
