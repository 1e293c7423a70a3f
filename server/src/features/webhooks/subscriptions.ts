// Creates, changes, resumes and deletes subscriptions.
import type {
  BodyValue,
  createWebhook,
  DataValue,
  updateWebhook as updateRoute,
  WebhookEvent,
} from '@rapport/contract';
import type { Database, Runner, Transaction } from '../../db/database.js';
import { ApiError, invalid, notFound } from '../../http/api-error.js';
import { isAssetId, newAssetId } from '../../lib/ids.js';
import type { SecretBox } from '../../lib/secret-box.js';
import { type Actor, recordAudit } from '../audit/index.js';
import type { Guard } from './call/address.js';
import { faultOfTarget } from './call/target.js';
import { newWebhookSecret } from './keys.js';
import {
  deleteWebhook,
  disableWebhook,
  findWebhook,
  insertWebhook,
  resumeWebhook,
  updateWebhook,
  type WebhookRow,
} from './queries.js';

export interface SubscriptionNeeds {
  db: Database;
  box: SecretBox;
  allows: Guard;
}

// Each event is sent to all of them.
const most = 100;

export async function subscribe(
  tx: Transaction,
  { box, allows }: SubscriptionNeeds,
  actor: Actor & { accountId: number },
  { url, events }: BodyValue<typeof createWebhook>,
): Promise<DataValue<typeof createWebhook>> {
  check(allows, url, events);
  const { tenantId, accountId } = actor;
  const webhookId = newAssetId();
  const { secret, sealed } = newWebhookSecret(box, tenantId, webhookId);
  const row = await insertWebhook(tx, tenantId, { webhookId, url, events, sealed, accountId }, most);
  if (!row)
    throw new ApiError('INVALID_STATE', {
      reason: `There are ${most} webhooks already. Delete one that you don’t need.`,
    });
  // Not its path, which may contain a secret.
  await recordAudit(tx, actor, 'webhook.added', webhookId, { host: new URL(url).host, events });
  return { ...row, secret };
}

/** Throws a 400 with the field at fault. */
function check(allows: Guard, url: string | undefined, events: readonly WebhookEvent[] = []): void {
  const fault = url === undefined ? undefined : faultOfTarget(url, allows);
  if (fault) throw invalid('url', fault);
  const twice = events.find((event, i) => events.indexOf(event) !== i);
  if (twice) throw invalid('events', `must have each once: ${twice} is there twice`);
}

/** Also returns whether there are calls to make now. */
export function changeWebhook(
  { db, allows }: SubscriptionNeeds,
  actor: Actor,
  webhookId: string,
  { url, events, isEnabled }: BodyValue<typeof updateRoute>,
): Promise<{ webhook: WebhookRow; isDue: boolean }> {
  check(allows, url, events);
  const { tenantId } = actor;
  return db.transaction(async (tx) => {
    if (!isAssetId(webhookId) || !(await updateWebhook(tx, tenantId, webhookId, { url, events })))
      throw notFound('webhook');
    if (isEnabled === false) await disableWebhook(tx, tenantId, webhookId);
    const isDue = isEnabled === true && (await resumeWebhook(tx, tenantId, webhookId, 'disabled'));
    const webhook = await getWebhook(tx, tenantId, webhookId);
    const changed = { ...(events ? { events } : {}), ...(isEnabled === undefined ? {} : { isEnabled }) };
    await recordAudit(tx, actor, 'webhook.changed', webhookId, { host: new URL(webhook.url).host, ...changed });
    return { webhook, isDue };
  });
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

/** `onDue`: there are calls to make now. */
export async function resume(
  tx: Transaction,
  tenantId: number,
  webhookId: string,
  onDue: () => void,
): Promise<WebhookRow> {
  const isDue = isAssetId(webhookId) && (await resumeWebhook(tx, tenantId, webhookId, 'failing'));
  if (isDue) tx.afterCommit(onDue);
  return getWebhook(tx, tenantId, webhookId);
}
