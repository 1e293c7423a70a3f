// Access tokens as features above make and end them: those of apps and of browsers.
import type { Runner, Transaction } from '../../../db/database.js';
import { bytes, type Sql, sql } from '../../../db/sql.js';
import { activeAccounts, members } from '../queries.js';

/** Ends the live tokens that match a condition on `a`, a row of tokens. */
export async function revokeTokens(db: Runner, which: Sql): Promise<void> {
  await db.run(sql`update access_token a set revoked_at = now() where ${which} and a.revoked_at is null`);
}

export function revokeTokensOf(db: Runner, tenantId: number, accountId: number): Promise<void> {
  return revokeTokens(db, sql`a.tenant_id = ${tenantId} and a.account_id = ${accountId}`);
}

/** Begins a statement that makes a token of an app. */
export const intoAppTokens = sql`
  insert into access_token
    (kind, token_hash, tenant_id, account_id, name, scopes, is_for_mcp, grant_hash, client_id, payload, expires_at)`;

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

/** Deletes tokens of apps and browsers a day after they ended. Personal ones stay, so that people see what they had. */
export function sweepTokens(db: Runner, atMost: number): Promise<number> {
  return db.run(sql`
    delete from access_token where token_hash in (
      select token_hash from access_token where kind <> 'personal' and expires_at < now() - interval '1 day' limit ${atMost})`);
}

/** What the authorization server stored with a live token. */
export async function findAppToken(db: Runner, tokenHash: string): Promise<Record<string, unknown> | undefined> {
  const row = await db.row(sql<{ payload: Record<string, unknown> }>`
    select a.payload from access_token a join ${activeAccounts} c using (tenant_id, account_id)
    where a.token_hash = ${bytes(tokenHash)} and a.kind = 'app' and a.revoked_at is null`);
  return row?.payload;
}

/** The networks that a token works from; null: any. */
export async function findAllowedAddresses(db: Runner, tenantId: number, tokenId: number): Promise<string[] | null> {
  const row = await db.row(sql<{ allowed: string[] | null }>`
    select allowed_addresses as allowed from access_token where tenant_id = ${tenantId} and token_id = ${tokenId}`);
  return row?.allowed ?? null;
}

/** Waits for transactions that make a token with one of these, see holdMaker(): the next statement sees the new token. */
export async function holdTokensOf(tx: Transaction, personId: number): Promise<void> {
  await tx.run(sql`
    select from access_token t join ${members} a using (tenant_id, account_id) where a.person_id = ${personId}
    order by t.tenant_id, t.token_id for update of t`);
}

/** When any of the tokens that match a condition on `t` was last used, as an expression. */
export const lastUse = (which: Sql) => sql`(select max(t.last_used_at) from access_token t where ${which})`;

/** Whether a grant has a token that works, as an expression. */
export const hasLiveToken = (grantHash: Sql) => sql`
  exists (select from access_token a
    where a.grant_hash = ${grantHash} and a.revoked_at is null and (a.expires_at is null or a.expires_at > now()))`;

/** The grant behind an app's token, as an expression. */
export const grantOfToken = (tenantId: number, tokenId: number) => sql`
  (select grant_hash from access_token where tenant_id = ${tenantId} and token_id = ${tokenId})`;

/** The session behind a browser's token, as an expression. */
export const sessionOfToken = (tenantId: number, tokenId: number) => sql`
  (select session_id from access_token where tenant_id = ${tenantId} and token_id = ${tokenId} and kind = 'session')`;

/** A grant was used, by one of its tokens. */
export interface GrantUse {
  grantHash: string;
  at: string;
}

/** Stores when tokens were used. Returns the last use of each of their grants. */
export function touchTokens(
  db: Runner,
  uses: { tenantId: number; tokenId: number; at: string }[],
): Promise<GrantUse[]> {
  return db.rows(sql<GrantUse>`
    with touched as (
      update access_token a set last_used_at = u.at
      from unnest(${uses.map((u) => u.tenantId)}::bigint[], ${uses.map((u) => u.tokenId)}::bigint[],
        ${uses.map((u) => u.at)}::timestamptz[]) as u (tenant_id, token_id, at)
      where a.tenant_id = u.tenant_id and a.token_id = u.token_id and (a.last_used_at is null or a.last_used_at < u.at)
      returning a.grant_hash, u.at)
    select grant_hash as "grantHash", max(at) as at from touched where grant_hash is not null group by grant_hash`);
}
