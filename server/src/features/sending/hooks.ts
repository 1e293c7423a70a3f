// Addresses that mail providers report to. Knowing one is enough to report, so it is a secret; signatures are checked as well.
import { createPublicKey, hash, timingSafeEqual } from 'node:crypto';
import { type createMailHook, type DataValue, mailProviders, type Provider } from '@rapport/contract';
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
  /** The key that checks the provider's signature. */
  key: string | null;
}

/** Makes a hook with a token of 256 random bits. Only its hash is stored. */
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

/** The hook of this address. Throws SecretBoxError if its key cannot be read. */
export async function findHook(db: Runner, box: SecretBox, tenantId: number, token: string): Promise<Hook | undefined> {
  if (!Number.isSafeInteger(tenantId) || tenantId < 1) return undefined;
  const tokenHash = hash('sha256', token);
  const row = await findHookRow(db, tenantId, tokenHash);
  if (!row || !timingSafeEqual(Buffer.from(row.tokenHash, 'hex'), Buffer.from(tokenHash, 'hex'))) return undefined;
  const key = row.sealedKey && box.open(Buffer.from(row.sealedKey, 'hex'), about('hook', tenantId, row.hookId));
  return { tenantId, provider: row.provider, key: key ? key.toString() : null };
}

function checkedKey(provider: Provider, given: string | undefined): string | null {
  const { key } = mailProviders[provider];
  if (!key && given !== undefined) throw invalid('key', `must be left out: ${provider} signs nothing`);
  if (key?.isRequired && given === undefined) throw invalid('key', `is required: ${key.what}`);
  if (!key || given === undefined) return null;
  if (key.form === 'ECDSA public key') return checkedPublicKey(given, key.mustBe);
  if (!key.form.test(given)) throw invalid('key', `must be ${key.mustBe}`);
  return given;
}

/** As base64, without the first and last line of a PEM file. */
function checkedPublicKey(text: string, mustBe: string): string {
  const key = text.replace(/-----[A-Z ]+-----|\s/g, '');
  try {
    const { asymmetricKeyType } = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' });
    if (asymmetricKeyType === 'ec') return key;
  } catch {
    // Reported below.
  }
  throw invalid('key', `must be ${mustBe}`);
}
