// Tokens of signatures that do not cover the body: each is valid with one body, on all nodes, for as long as its time is recent.
import { hash } from 'node:crypto';
import type { Runner } from '../../../db/database.js';
import { bytes, sql } from '../../../db/sql.js';
import { longestAgo } from './reading.js';

/** Whether the token was first seen with this body, or is new. */
export async function claimToken(db: Runner, tenantId: number, token: string, body: Buffer): Promise<boolean> {
  const [tokenHash, bodyHash] = [hash('sha256', token), hash('sha256', body)];
  // A time may be in the future by as much as it may be in the past.
  const row = await db.row(sql<{ isSame: boolean }>`
    insert into mail_hook_token as t (tenant_id, token_hash, body_hash, expires_at)
    values (${tenantId}, ${bytes(tokenHash)}, ${bytes(bodyHash)}, now() + make_interval(secs => ${2 * longestAgo}))
    on conflict (tenant_id, token_hash) do update set expires_at = t.expires_at
    returning t.body_hash = ${bytes(bodyHash)} as "isSame"`);
  return row?.isSame ?? false;
}

/** Tokens whose time is no longer recent: they are refused anyway. */
export async function sweepTokens(db: Runner, atMost: number): Promise<number> {
  return db.run(sql`
    /* all tenants */ delete from mail_hook_token where (tenant_id, token_hash) in (
      select tenant_id, token_hash from mail_hook_token where expires_at < now() order by expires_at limit ${atMost})`);
}
