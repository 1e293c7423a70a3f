// DKIM keys: made here, sealed at once, opened again for signing.
import type { Database, Runner } from '../../db/database.js';
import { randomBytes } from '../../lib/random.js';
import type { SecretBox } from '../../lib/secret-box.js';
import { keyMaker } from './key-maker.js';
import { type DomainKey, type SignerRow, selectKeyless, selectSigners, updateDomainKey } from './queries.js';
import { returnPathOf, trackingOf } from './records.js';
import { about } from './secrets.js';

/** Waits its turn, and may take seconds: never call it while a transaction is open. */
export async function makeKey(box: SecretBox, tenantId: number, domain: string): Promise<DomainKey> {
  const pair = await keyMaker.make(tenantId);
  return {
    // Different for each key: two tenants may send from one domain, and an old key may still be cached.
    selector: `rapport-${randomBytes(4).toString('hex')}`,
    publicKey: pair.publicKey,
    sealed: box.seal(pair.privateKey, about('dkim', tenantId, domain)).toString('hex'),
  };
}

export async function giveKey(db: Runner, box: SecretBox, tenantId: number, domain: string): Promise<void> {
  await updateDomainKey(db, tenantId, domain, await makeKey(box, tenantId, domain));
}

/** Gives keys to domains that an older build, or the demo, left without one. Returns how many it found. */
export async function giveKeys(db: Database, box: SecretBox, atMost: number): Promise<number> {
  const keyless = await selectKeyless(db.background, atMost);
  for (const { tenantId, domain } of keyless) await giveKey(db.background, box, tenantId, domain);
  return keyless.length;
}

/** Who signs mail of a domain, and where its bounces go. */
export interface Signer {
  domain: string;
  selector: string;
  /** PEM. */
  privateKey: string;
  /** Null unless a check has found that bounces to it arrive here. */
  returnPathDomain: string | null;
  /** Null unless a check has found that it leads to the host in `trackingHost`. */
  trackingHost: string | null;
  trackingDomain: string | null;
  isVerified: boolean;
}

/** One read for many domains. Those that are not approved, or have no key yet, are left out. */
export async function findSigners(
  db: Runner,
  box: SecretBox,
  tenantId: number,
  domains: readonly string[],
): Promise<Map<string, Signer>> {
  const rows = await selectSigners(db, tenantId, domains);
  return new Map(rows.map((row) => [row.domain, signerOf(box, tenantId, row)]));
}

function signerOf(box: SecretBox, tenantId: number, { sealed, seen, ...row }: SignerRow): Signer {
  return {
    ...row,
    privateKey: openOnce(box, sealed, about('dkim', tenantId, row.domain)),
    returnPathDomain: seen?.['return-path']?.last === 'found' ? returnPathOf(row.domain) : null,
    trackingDomain: seen?.tracking?.last === 'found' ? trackingOf(row.domain) : null,
    trackingHost: seen?.tracking?.last === 'found' ? seen.tracking.value : null,
  };
}

// A key takes 5 KB here, sealed and decrypted together.
const mostOpened = 500;
const openedOf = new WeakMap<SecretBox, Map<string, string>>();

/** A sender asks for the same few keys all day. Keyed by the whole sealed text, so that one key is never mistaken for another. */
function openOnce(box: SecretBox, sealed: string, words: string): string {
  const opened = openedOf.get(box) ?? new Map<string, string>();
  openedOf.set(box, opened);
  const key = `${words} ${sealed}`;
  const known = opened.get(key);
  const text = known ?? box.open(Buffer.from(sealed, 'hex'), words).toString();
  // The least recently used one comes first, and is dropped first.
  opened.delete(key);
  opened.set(key, text);
  const [oldest] = opened.keys();
  if (opened.size > mostOpened && oldest !== undefined) opened.delete(oldest);
  return text;
}
