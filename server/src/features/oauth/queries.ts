import type { Database, Runner, Transaction } from '../../db/database.js';
import { bytes, type Sql, sql } from '../../db/sql.js';
import { personTable } from '../accounts/index.js';
import {
  activeAccounts,
  type GrantUse,
  grantOfToken,
  hasLiveToken,
  intoAppTokens,
  members,
  revokeTokens,
} from '../tenants/index.js';

/** What is stored, except for access tokens. Ids and grants are SHA-256 (hex): the ids of codes and tokens are secrets. */
interface NewRecord {
  kind: string;
  idHash: string;
  /** JSON, without the id in it. */
  payload: string;
  grantHash: string | null;
  clientId: string | null;
  /** Null: for good. */
  expiresAt: string | null;
}

export async function upsertRecord(db: Runner, record: NewRecord): Promise<void> {
  const { kind, idHash, payload, grantHash, clientId, expiresAt } = record;
  await db.run(sql`
    insert into oauth_record (kind, id_hash, payload, grant_hash, client_id, expires_at)
    values (${kind}, ${bytes(idHash)}, ${payload}::jsonb, ${grantHash && bytes(grantHash)}::bytea, ${clientId}, ${expiresAt}::timestamptz)
    on conflict (kind, id_hash) do update set payload = excluded.payload, expires_at = excluded.expires_at`);
}

/**
 * The same for what hangs on a grant, such as a code. A revocation of the grant waits until this is there and takes it away as well;
 * once it is revoked, nothing is stored, and the answer is false.
 */
export async function insertOfGrant(db: Runner, record: NewRecord & { grantHash: string }): Promise<boolean> {
  const { kind, idHash, payload, grantHash, clientId, expiresAt } = record;
  const touched = await db.run(sql`
    insert into oauth_record (kind, id_hash, payload, grant_hash, client_id, expires_at)
    select ${kind}, ${bytes(idHash)}::bytea, ${payload}::jsonb, ${bytes(grantHash)}::bytea, ${clientId}::text, ${expiresAt}::timestamptz
    from (select from oauth_record where kind = 'Grant' and id_hash = ${bytes(grantHash)} for key share) g
    on conflict (kind, id_hash) do update set payload = excluded.payload, expires_at = excluded.expires_at`);
  return touched === 1;
}

interface RecordRow {
  payload: Record<string, unknown>;
  consumedAt: string | null;
}

export function findRecord(db: Runner, kind: string, idHash: string): Promise<RecordRow | undefined> {
  return db.row(sql<RecordRow>`
    select payload, consumed_at as "consumedAt" from oauth_record where kind = ${kind} and id_hash = ${bytes(idHash)}`);
}

/** Of people who are on their way to let an app in, so many are remembered: the oldest go. */
export function evictInteractions(db: Runner, most: number): Promise<number> {
  return db.run(sql`
    delete from oauth_record where kind = 'Interaction' and id_hash in (
      select id_hash from oauth_record where kind = 'Interaction' order by created_at desc, id_hash offset ${most} limit 100)`);
}

/**
 * Returns false if another request was faster: of two at the same time, one gets it. It stays for a week, to be known when it comes again:
 * an app that refreshes all the time would leave thousands otherwise.
 */
export async function consumeRecord(db: Runner, kind: string, idHash: string): Promise<boolean> {
  const touched = await db.run(sql`
    update oauth_record set consumed_at = now(), expires_at = least(expires_at, now() + interval '7 days')
    where kind = ${kind} and id_hash = ${bytes(idHash)} and consumed_at is null`);
  return touched === 1;
}

/** The grant that a record belongs to, hex. */
export async function grantOfRecord(db: Runner, kind: string, idHash: string): Promise<string | undefined> {
  const row = await db.row(sql<{ grantHash: string | null }>`
    select encode(grant_hash, 'hex') as "grantHash" from oauth_record where kind = ${kind} and id_hash = ${bytes(idHash)}`);
  return row?.grantHash ?? undefined;
}

export async function deleteRecord(db: Runner, kind: string, idHash: string): Promise<void> {
  await db.run(sql`delete from oauth_record where kind = ${kind} and id_hash = ${bytes(idHash)}`);
}

interface NewGrant extends NewRecord {
  tenantId: number;
  accountId: number;
  clientId: string;
}

/** A person allowed an app. From then on the app's registration, if it has one, is kept. */
export async function insertGrant(tx: Transaction, grant: NewGrant, clientHash: string): Promise<void> {
  const { idHash, payload, tenantId, accountId, clientId, expiresAt } = grant;
  await tx.run(sql`
    insert into oauth_record (kind, id_hash, payload, of_tenant_id, account_id, client_id, expires_at)
    values ('Grant', ${bytes(idHash)}, ${payload}::jsonb, ${tenantId}, ${accountId}, ${clientId}, ${expiresAt}::timestamptz)`);
  await tx.run(sql`
    update oauth_record set used_at = now() where kind = 'Client' and id_hash = ${bytes(clientHash)}`);
}

export interface RevokedGrant {
  tenantId: number;
  accountId: number;
  clientId: string;
}

/**
 * Ends a grant with all its codes and tokens. The grant goes first, in a statement of its own: a transaction that adds a token to it locks it,
 * and the later statements see that token.
 */
export async function revokeGrantRows(tx: Transaction, grantHash: string): Promise<RevokedGrant | undefined> {
  const revoked = await tx.row(sql<RevokedGrant>`
    delete from oauth_record where kind = 'Grant' and id_hash = ${bytes(grantHash)}
    returning of_tenant_id as "tenantId", account_id as "accountId", client_id as "clientId"`);
  await revokeTokens(tx, sql`a.grant_hash = ${bytes(grantHash)}`);
  await tx.run(sql`delete from oauth_record where grant_hash = ${bytes(grantHash)}`);
  return revoked;
}

/** Ends the grants that a condition on `o`, a grant, means, with every code of theirs; their tokens are for the caller to end, next. */
async function endGrants(tx: Transaction, which: Sql): Promise<void> {
  // In a statement of its own: adding a token to a grant locks the grant, and later statements see that token.
  const grants = await tx.rows(sql<{ hash: string }>`
    delete from oauth_record o where o.kind = 'Grant' and ${which} returning o.id_hash as hash`);
  const hashes = grants.map(({ hash }) => Buffer.from(hash, 'hex'));
  await tx.run(sql`delete from oauth_record where grant_hash = any(${hashes}::bytea[])`);
}

export function endGrantsOfAccount(tx: Transaction, tenantId: number, accountId: number): Promise<void> {
  return endGrants(tx, sql`o.of_tenant_id = ${tenantId} and o.account_id = ${accountId}`);
}

export function endGrantsOfPerson(tx: Transaction, personId: number): Promise<void> {
  return endGrants(
    tx,
    sql`(o.of_tenant_id, o.account_id) in (select tenant_id, account_id from ${members} a where a.person_id = ${personId})`,
  );
}

/** Locks the grant behind an app's token: ending the grant waits, and then ends what the token makes meanwhile. */
export async function holdGrantOf(tx: Transaction, tenantId: number, tokenId: number): Promise<void> {
  await tx.run(sql`
    select from oauth_record where kind = 'Grant' and id_hash = ${grantOfToken(tenantId, tokenId)} for key share`);
}

/** What an app is allowed to do already, by grants of this account. */
export async function findHeldScopes(
  db: Runner,
  { tenantId, accountId }: { tenantId: number; accountId: number },
  { clientId }: { clientId: string },
): Promise<string[]> {
  const rows = await db.rows(sql<{ scope: string | null }>`
    select payload #>> '{openid,scope}' as scope from oauth_record
    where kind = 'Grant' and of_tenant_id = ${tenantId} and account_id = ${accountId} and client_id = ${clientId}
      and expires_at > now()`);
  return rows.flatMap(({ scope }) => scope?.split(' ') ?? []);
}

/** When grants were used, by any of their tokens. */
export async function touchGrants(db: Runner, uses: readonly GrantUse[]): Promise<void> {
  await db.run(sql`
    update oauth_record o set used_at = g.at
    from unnest(${uses.map((use) => Buffer.from(use.grantHash, 'hex'))}::bytea[], ${uses.map((use) => use.at)}::timestamptz[]) as g (grant_hash, at)
    where o.kind = 'Grant' and o.id_hash = g.grant_hash and (o.used_at is null or o.used_at < g.at)`);
}

export interface NewAppToken {
  tokenHash: string;
  tenantId: number;
  accountId: number;
  scopes: string[];
  isForMcp?: boolean;
  grantHash: string;
  clientId: string;
  payload: string;
  expiresAt: string;
}

/** Only for a grant that still holds; returns false otherwise. */
export async function insertAppToken(db: Runner, token: NewAppToken): Promise<boolean> {
  const { tokenHash, tenantId, accountId, scopes, isForMcp = false, grantHash, clientId, payload, expiresAt } = token;
  const touched = await db.run(sql`
    with used as (
      update oauth_record set used_at = now() where kind = 'Grant' and id_hash = ${bytes(grantHash)} returning 1)
    ${intoAppTokens}
    select 'app', ${bytes(tokenHash)}::bytea, ${tenantId}::bigint, ${accountId}::bigint, 'app', ${scopes}::text[], ${isForMcp}::boolean,
      ${bytes(grantHash)}::bytea, ${clientId}::text, ${payload}::jsonb, ${expiresAt}::timestamptz
    from used`);
  return touched === 1;
}

export async function revokeAppToken(db: Runner, tokenHash: string): Promise<void> {
  await revokeTokens(db, sql`a.token_hash = ${bytes(tokenHash)} and a.kind = 'app'`);
}

export interface Holder {
  name: string;
  email: string | null;
}

/** Who a token acts for, unless they are deactivated. */
export function findHolder(db: Runner, tenantId: number, accountId: number): Promise<Holder | undefined> {
  return db.row(sql<Holder>`
    select coalesce(p.name, a.name) as name, coalesce(p.email, a.email) as email
    from ${activeAccounts} a left join ${personTable} p using (person_id)
    where a.tenant_id = ${tenantId} and a.account_id = ${accountId}`);
}

/** Deletes what expired. Access tokens are swept with those of browsers. */
export function sweepExpired(db: Runner, atMost: number): Promise<number> {
  return db.run(sql`
    delete from oauth_record where (kind, id_hash) in (
      select kind, id_hash from oauth_record where expires_at < now() - interval '1 minute' limit ${atMost})`);
}

/**
 * Grants that nothing can use any more: the app let its last token expire. An hour is left for people who are just allowing an app, a minute for
 * an app that is just exchanging one token for another.
 */
export function sweepGrants(db: Database['background'], atMost: number): Promise<number> {
  return db.run(sql`
    delete from oauth_record where kind = 'Grant' and id_hash in (
      select g.id_hash from oauth_record g
      where g.kind = 'Grant' and g.created_at < now() - interval '1 hour' and g.account_id is not null
        and not ${hasLiveToken(sql`g.id_hash`)}
        and not exists (select from oauth_record r
          where r.grant_hash = g.id_hash and r.expires_at > now()
            and (r.consumed_at is null or r.consumed_at > now() - interval '1 minute'))
      limit ${atMost})`);
}

/** Apps that registered and were never allowed. */
export function sweepClients(db: Runner, days: number, atMost: number): Promise<number> {
  return db.run(sql`
    delete from oauth_record where kind = 'Client' and id_hash in (
      select id_hash from oauth_record
      where kind = 'Client' and used_at is null and created_at < now() - make_interval(days => ${days}) limit ${atMost})`);
}
