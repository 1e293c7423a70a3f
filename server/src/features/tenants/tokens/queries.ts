// Access tokens as features above make and end them: those of apps and of browsers.
import type { Runner, Transaction } from '../../../db/database.js';
import { bytes, type Sql, sql } from '../../../db/sql.js';

/** Ends the live tokens that a condition on `a`, a row of tokens, means. */
export async function revokeTokens(db: Runner, which: Sql): Promise<void> {
  await db.run(sql`update access_token a set revoked_at = now() where ${which} and a.revoked_at is null`);
}

export function revokeTokensOf(db: Runner, tenantId: number, accountId: number): Promise<void> {
  return revokeTokens(db, sql`a.tenant_id = ${tenantId} and a.account_id = ${accountId}`);
}

/** Begins a statement that makes a token of an app. */
export const intoAppTokens = sql`
  insert into access_token (kind, token_hash, tenant_id, account_id, name, scopes, grant_hash, client_id, payload, expires_at)`;

interface NewSessionToken {
  tokenHash: string;
  tenantId: number;
  accountId: number;
  sessionId: number;
  scopes: string[];
  expiresAt: string;
}

export async function insertSessionToken(tx: Transaction, token: NewSessionToken): Promise<void> {
  await tx.run(sql`
    insert into access_token (token_hash, tenant_id, account_id, name, scopes, expires_at, kind, session_id)
    values (${bytes(token.tokenHash)}, ${token.tenantId}, ${token.accountId}, 'Browser', ${token.scopes},
      ${token.expiresAt}::timestamptz, 'session', ${token.sessionId})`);
}

/** Of apps and browsers, a day after they ended: personal ones stay, so that people see what they had. */
export function sweepTokens(db: Runner, atMost: number): Promise<number> {
  return db.run(sql`
    delete from access_token where token_hash in (
      select token_hash from access_token where kind <> 'personal' and expires_at < now() - interval '1 day' limit ${atMost})`);
}
