import type { Runner } from '../../../db/database.js';
import { bytes, sql } from '../../../db/sql.js';

// Long enough for a ticket at another company.
const days = 30;

/** Returns when it expires; undefined if there is no such domain. Replaces the link before it. */
export async function updateShare(
  db: Runner,
  tenantId: number,
  domain: string,
  tokenHash: string,
): Promise<string | undefined> {
  const row = await db.row(sql<{ expiresAt: string }>`
    update sending_domain set share_hash = ${bytes(tokenHash)}, share_expires_at = now() + make_interval(days => ${days})
    where tenant_id = ${tenantId} and domain = ${domain} returning share_expires_at as "expiresAt"`);
  return row?.expiresAt;
}

/** Returns whether there was a link. */
export async function endShare(db: Runner, tenantId: number, domain: string): Promise<boolean> {
  const ended = await db.run(sql`
    update sending_domain set share_hash = null, share_expires_at = null
    where tenant_id = ${tenantId} and domain = ${domain} and share_hash is not null`);
  return ended === 1;
}

/** The domain that the token of a link shows. */
export async function findShared(
  db: Runner,
  tenantId: number,
  tokenHash: string,
): Promise<{ domain: string; hash: string } | undefined> {
  return db.row(sql<{ domain: string; hash: string }>`
    select domain, share_hash as hash from sending_domain
    where tenant_id = ${tenantId} and share_hash = ${bytes(tokenHash)} and share_expires_at > now()`);
}
