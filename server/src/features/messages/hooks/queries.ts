// Tokens of signatures that do not cover the body: each is good for one body, on all nodes, for as long as its time is recent.
import { hash } from 'node:crypto';
import type { Runner } from '../../../db/database.js';
import { bytes, sql } from '../../../db/sql.js';
import { longestAgo } from './reading.js';

/** Whether it came first with this body, or comes now for the first time. */
export async function claimToken(db: Runner, tenantId: number, token: string, body: Buffer): Promise<boolean> {
  const [tokenHash, bodyHash] = [hash('sha256', token), hash('sha256', body)];
  // A time may lie ahead by as much as it may lie behind.
  const row = await db.row(sql<{ isSame: boolean }>`
    insert into mail_hook_token as t (tenant_id, token_hash, body_hash, expires_at)
    values (${tenantId}, ${bytes(tokenHash)}, ${bytes(bodyHash)}, now() + make_interval(secs => ${2 * longestAgo}))
    on conflict (tenant_id, token_hash) do update set expires_at = t.expires_at
    returning t.body_hash = ${bytes(bodyHash)} as "isSame"`);
  return row?.isSame ?? false;
}

/** Those whose time is no longer recent: they are refused without being known. */
export async function sweepTokens(db: Runner, atMost: number): Promise<number> {
  return db.run(sql`
    /* all tenants */ delete from mail_hook_token where (tenant_id, token_hash) in (
      select tenant_id, token_hash from mail_hook_token where expires_at < now() order by expires_at limit ${atMost})`);
}
