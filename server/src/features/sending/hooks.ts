// Addresses that mail providers report to. Whoever knows one may report, so it is a secret; signatures are checked besides.
import { createPublicKey, hash, timingSafeEqual } from 'node:crypto';
import type { createMailHook, DataValue, Provider } from '@rapport/contract';
import type { Runner } from '../../db/database.js';
import { invalid } from '../../http/api-error.js';
import { newAssetId } from '../../lib/ids.js';
import { randomToken } from '../../lib/random.js';
import type { SecretBox } from '../../lib/secret-box.js';
import { findHookRow, insertHook } from './queries.js';
import { about } from './secrets.js';

export interface Hook {
  tenantId: number;
  provider: Provider;
  /** What the provider's signature is checked with. */
  key: string | null;
}

/** Makes one with a token of 256 random bits. Only its hash is stored. */
export async function createHook(
  db: Runner,
  box: SecretBox,
  baseUrl: string,
  tenantId: number,
  wanted: { provider: Provider; key?: string },
): Promise<DataValue<typeof createMailHook>> {
  const key = checkedKey(wanted.provider, wanted.key);
  const hookId = newAssetId();
  const token = randomToken('');
  const row = await insertHook(db, {
    tenantId,
    hookId,
    provider: wanted.provider,
    tokenHash: hash('sha256', token),
    sealedKey: key === null ? null : box.seal(key, about('hook', tenantId, hookId)).toString('hex'),
  });
  return { ...row, url: `${baseUrl}/hooks/mail/${tenantId}.${token}` };
}

/** The hook of this address. Throws SecretBoxError where its key cannot be read. */
export async function findHook(db: Runner, box: SecretBox, tenantId: number, token: string): Promise<Hook | undefined> {
  if (!Number.isSafeInteger(tenantId) || tenantId < 1) return undefined;
  const tokenHash = hash('sha256', token);
  const row = await findHookRow(db, tenantId, tokenHash);
  if (!row || !timingSafeEqual(Buffer.from(row.tokenHash, 'hex'), Buffer.from(tokenHash, 'hex'))) return undefined;
  const key = row.sealedKey && box.open(Buffer.from(row.sealedKey, 'hex'), about('hook', tenantId, row.hookId));
  return { tenantId, provider: row.provider, key: key ? key.toString() : null };
}

const topic = /^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w-]{1,256}(\.fifo)?$/;

function checkedKey(provider: Provider, key: string | undefined): string | null {
  switch (provider) {
    case 'generic':
    case 'postmark':
      if (key !== undefined) throw invalid('key', `must be left out: ${provider} signs nothing`);
      return null;
    case 'ses':
      if (key !== undefined && key !== 'raw' && !topic.test(key))
        throw invalid(
          'key',
          'must be the ARN of an SNS topic, such as arn:aws:sns:eu-west-1:123456789012:bounces, or raw for raw delivery',
        );
      return key ?? null;
    case 'sendgrid':
      if (key === undefined)
        throw invalid('key', 'is required: the verification key of SendGrid’s signed event webhook');
      return sendgridKey(key);
    case 'mailgun':
      if (key === undefined) throw invalid('key', 'is required: the HTTP webhook signing key of Mailgun');
      if (!/^[\x21-\x7e]+$/.test(key)) throw invalid('key', 'must be visible characters without spaces');
      return key;
  }
}

/** As base64 without the lines around it, which is how SendGrid shows it. */
function sendgridKey(text: string): string {
  const key = text.replace(/-----[A-Z ]+-----|\s/g, '');
  try {
    const { asymmetricKeyType } = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' });
    if (asymmetricKeyType === 'ec') return key;
  } catch {
    // Told below.
  }
  throw invalid('key', 'must be the verification key that SendGrid shows: a public key of ECDSA in base64');
}
