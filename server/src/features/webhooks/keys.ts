// The secrets that sign calls: one per subscription, and the tenant's own for the webhook steps of its journeys.
import type { DataValue, renewWebhookSecret } from '@rapport/contract';
import type { Database, Runner } from '../../db/database.js';
import { newAssetId } from '../../lib/ids.js';
import { randomBytes } from '../../lib/random.js';
import type { SecretBox } from '../../lib/secret-box.js';
import { type Actor, recordAudit } from '../audit/index.js';
import { formatSecret } from './call/sign.js';
import { insertFirstKey, insertKey, selectKeys } from './queries.js';

const keyBytes = 32;

export function newWebhookSecret(box: SecretBox, tenantId: number, webhookId: string) {
  const key = randomBytes(keyBytes);
  return { secret: formatSecret(key), sealed: box.seal(key, aboutWebhook(tenantId, webhookId)).toString('hex') };
}

/** Throws SecretBoxError. */
export function openWebhookSecret(box: SecretBox, tenantId: number, webhookId: string, sealed: string): Buffer {
  return box.open(Buffer.from(sealed, 'hex'), aboutWebhook(tenantId, webhookId));
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
  db: Database,
  box: SecretBox,
  actor: Actor,
): Promise<DataValue<typeof renewWebhookSecret>> {
  const { tenantId } = actor;
  const key = randomBytes(keyBytes);
  const createdAt = await db.transaction(async (tx) => {
    const made = await insertKey(tx, tenantId, sealedKey(box, tenantId, key));
    await recordAudit(tx, actor, 'webhook.secret-renewed');
    return made;
  });
  return { secret: formatSecret(key), createdAt };
}

function sealedKey(box: SecretBox, tenantId: number, key: Buffer) {
  const keyId = newAssetId();
  return { keyId, sealed: box.seal(key, aboutKey(tenantId, keyId)).toString('hex') };
}

// As in the drawers in queries.ts, which move secrets to a new key.
const aboutWebhook = (tenantId: number, webhookId: string) => `webhook:${tenantId}:${webhookId}`;
const aboutKey = (tenantId: number, keyId: string) => `webhook-key:${tenantId}:${keyId}`;
