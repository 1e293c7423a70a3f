// Creates, resumes and deletes subscriptions.
import type { BodyValue, createWebhook, DataValue } from '@rapport/contract';
import type { Database, Runner } from '../../db/database.js';
import { ApiError, invalid, notFound } from '../../http/api-error.js';
import { isAssetId, newAssetId } from '../../lib/ids.js';
import type { SecretBox } from '../../lib/secret-box.js';
import { type Actor, recordAudit } from '../audit/index.js';
import type { Guard } from './call/address.js';
import { faultOfTarget } from './call/target.js';
import { newWebhookSecret } from './keys.js';
import { deleteWebhook, findWebhook, insertWebhook, resumeWebhook, type WebhookRow } from './queries.js';

export interface SubscriptionNeeds {
  db: Database;
  box: SecretBox;
  allows: Guard;
}

// Each event is sent to all of them.
const most = 100;

export async function subscribe(
  { db, box, allows }: SubscriptionNeeds,
  actor: Actor & { accountId: number },
  { url, events }: BodyValue<typeof createWebhook>,
): Promise<DataValue<typeof createWebhook>> {
  const fault = faultOfTarget(url, allows);
  if (fault) throw invalid('url', fault);
  const twice = events.find((event, i) => events.indexOf(event) !== i);
  if (twice) throw invalid('events', `must have each once: ${twice} is there twice`);
  const { tenantId, accountId } = actor;
  const webhookId = newAssetId();
  const { secret, sealed } = newWebhookSecret(box, tenantId, webhookId);
  const row = await db.transaction(async (tx) => {
    const made = await insertWebhook(tx, tenantId, { webhookId, url, events, sealed, accountId }, most);
    // Not its path, which may contain a secret.
    if (made) await recordAudit(tx, actor, 'webhook.added', webhookId, { host: new URL(url).host, events });
    return made;
  });
  if (!row)
    throw new ApiError('INVALID_STATE', {
      reason: `There are ${most} webhooks already. Delete one that is not needed.`,
    });
  return { ...row, secret };
}

export async function getWebhook(db: Runner, tenantId: number, webhookId: string): Promise<WebhookRow> {
  const row = isAssetId(webhookId) ? await findWebhook(db, tenantId, webhookId) : undefined;
  if (!row) throw notFound('webhook');
  return row;
}

export function unsubscribe(db: Database, actor: Actor, webhookId: string): Promise<void> {
  return db.transaction(async (tx) => {
    if (!isAssetId(webhookId) || !(await deleteWebhook(tx, actor.tenantId, webhookId))) throw notFound('webhook');
    await recordAudit(tx, actor, 'webhook.removed', webhookId);
  });
}

/** Returns whether there are calls to make now. */
export async function resume(db: Database, tenantId: number, webhookId: string): Promise<boolean> {
  return isAssetId(webhookId) && (await db.transaction((tx) => resumeWebhook(tx, tenantId, webhookId)));
}
