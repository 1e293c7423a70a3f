// The secrets that sign calls: one per subscription, and the tenant's own for the webhook steps of its journeys.
import type { DataValue, renewWebhookSecret } from '@rapport/contract';
import type { Runner, Transaction } from '../../db/database.js';
import { notFound } from '../../http/api-error.js';
import { isAssetId, newAssetId } from '../../lib/ids.js';
import { randomBytes } from '../../lib/random.js';
import { type SecretBox, SecretBoxError } from '../../lib/secret-box.js';
import { type Actor, recordAudit } from '../audit/index.js';
import { formatSecret } from './call/sign.js';
import { insertFirstKey, insertKey, selectKeys } from './queries.js';
import { findSecret, insertPastSecret, type SecretRow, selectPastSecrets, updateSecret } from './secrets/queries.js';

const keyBytes = 32;

export function newWebhookSecret(box: SecretBox, tenantId: number, webhookId: string) {
  const key = randomBytes(keyBytes);
  return { secret: formatSecret(key), sealed: box.seal(key, aboutWebhook(tenantId, webhookId)).toString('hex') };
}

/** Throws SecretBoxError. */
export function openWebhookSecret(box: SecretBox, tenantId: number, webhookId: string, sealed: string): Buffer {
  return box.open(Buffer.from(sealed, 'hex'), aboutWebhook(tenantId, webhookId));
}

/** The secrets that sign its calls now, the newest first. Earlier ones that cannot be read any more sign nothing. */
export async function webhookKeys(
  db: Runner,
  box: SecretBox,
  tenantId: number,
  { webhookId, sealed, isRotated }: Pick<SecretRow, 'sealed' | 'isRotated'> & { webhookId: string },
): Promise<Buffer[]> {
  const past = isRotated ? await selectPastSecrets(db, tenantId, webhookId) : [];
  return [
    openWebhookSecret(box, tenantId, webhookId, sealed),
    ...past.flatMap((row) =>
      readable(() => box.open(Buffer.from(row.sealed, 'hex'), aboutPast(tenantId, row.secretId))),
    ),
  ];
}

/** Nothing, where it is sealed with a key that this process does not have. */
function readable(open: () => Buffer): Buffer[] {
  try {
    return [open()];
  } catch (error) {
    if (error instanceof SecretBoxError) return [];
    throw error;
  }
}

/** The way out too when the secret cannot be read: it signed nothing, so it is not kept. */
export async function rotateSecret(
  tx: Transaction,
  box: SecretBox,
  actor: Actor,
  webhookId: string,
): Promise<DataValue<typeof renewWebhookSecret>> {
  const { tenantId } = actor;
  const next = newWebhookSecret(box, tenantId, webhookId);
  const before = isAssetId(webhookId) ? await findSecret(tx, tenantId, webhookId, 'lock') : undefined;
  if (!before) throw notFound('webhook');
  for (const old of readable(() => openWebhookSecret(box, tenantId, webhookId, before.sealed))) {
    const secretId = newAssetId();
    const sealed = box.seal(old, aboutPast(tenantId, secretId)).toString('hex');
    await insertPastSecret(tx, tenantId, webhookId, { secretId, sealed });
  }
  const createdAt = await updateSecret(tx, tenantId, webhookId, next.sealed);
  await recordAudit(tx, actor, 'webhook.secret-renewed', webhookId, { host: new URL(before.url).host });
  return { secret: next.secret, createdAt };
}

/** The secrets that sign journeys' calls now, newest first. A tenant that never asked for one gets one that was never shown. */
export async function callKeys(db: Runner, box: SecretBox, tenantId: number): Promise<Buffer[]> {
  let rows = await selectKeys(db, tenantId);
  if (rows.length === 0) {
    await insertFirstKey(db, tenantId, sealedKey(box, tenantId, randomBytes(keyBytes)));
    rows = await selectKeys(db, tenantId);
  }
  return rows.map(({ keyId, sealed }) => box.open(Buffer.from(sealed, 'hex'), aboutKey(tenantId, keyId)));
}

export async function renewKey(
  tx: Transaction,
  box: SecretBox,
  actor: Actor,
): Promise<DataValue<typeof renewWebhookSecret>> {
  const { tenantId } = actor;
  const key = randomBytes(keyBytes);
  const createdAt = await insertKey(tx, tenantId, sealedKey(box, tenantId, key));
  await recordAudit(tx, actor, 'webhook.secret-renewed');
  return { secret: formatSecret(key), createdAt };
}

function sealedKey(box: SecretBox, tenantId: number, key: Buffer) {
  const keyId = newAssetId();
  return { keyId, sealed: box.seal(key, aboutKey(tenantId, keyId)).toString('hex') };
}

// As in the drawers in queries.ts, which move secrets to a new key.
const aboutWebhook = (tenantId: number, webhookId: string) => `webhook:${tenantId}:${webhookId}`;
const aboutPast = (tenantId: number, secretId: string) => `webhook-past:${tenantId}:${secretId}`;
const aboutKey = (tenantId: number, keyId: string) => `webhook-key:${tenantId}:${keyId}`;
