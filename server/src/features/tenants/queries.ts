import type { Role, TokenScope } from '@rapport/contract';
import type { Database, Runner, Transaction } from '../../db/database.js';
import { type Page, type PageOf, paged } from '../../db/paged.js';
import { bytes, type Sql, sql } from '../../db/sql.js';

/** Tables that features above may read; only this one writes them: see scripts/table-owners.js. */
export const accountTable = sql`account`;
export const tenantTable = sql`tenant`;

/** Active accounts. */
export const activeAccounts = sql`
  (select tenant_id, account_id, person_id, name, email, role, is_by_sso from account where deactivated_at is null)`;
/** Names and roles of accounts, deactivated ones too. */
export const accountNames = sql`(select tenant_id, account_id, name, role from account)`;
/** Which accounts belong to people. */
export const members = sql`
  (select tenant_id, account_id, person_id, deactivated_at is null as is_active from account where person_id is not null)`;

/** An account as answers show it, `{id, name}` in JSON: the one whose number is in a column of the row `of`. Null if there is none. */
export function accountShown(of: Sql, column: Sql): Sql {
  return sql`(select json_build_object('id', shown.account_id, 'name', shown.name) from account shown
    where shown.tenant_id = ${of}.tenant_id and shown.account_id = ${of}.${column})`;
}

export interface TenantRow {
  tenantId: number;
  name: string;
  rateLimit: number;
  timeZone: string | null;
}
const tenantColumns = sql`tenant_id as "tenantId", name, rate_limit as "rateLimit", time_zone as "timeZone"`;

// Requests a second.
const defaultRateLimit = 1000;

export interface NewTenant {
  name: string;
  rateLimit?: number | null;
  timeZone?: string | null;
}

export async function insertTenant(tx: Transaction, { name, rateLimit, timeZone }: NewTenant): Promise<TenantRow> {
  const row = await tx.row(sql<TenantRow>`
    insert into tenant (name, rate_limit, time_zone)
    values (${name}, ${rateLimit ?? defaultRateLimit}, ${timeZone ?? null}) returning ${tenantColumns}`);
  return row as TenantRow;
}

// The operator takes turns for slow reads like a tenant.
const administration = 0;

export function selectTenants(db: Database, page: PageOf): Promise<Page<TenantRow>> {
  const total = sql`(select count(*) from tenant)`;
  const rows = sql<TenantRow>`
    select ${tenantColumns} from tenant order by tenant_id desc limit ${page.limit} offset ${page.offset}`;
  return paged(db, administration, page, { total, rows });
}

/** All tenants, a few at a time, in the order of their numbers. */
export function selectTenantsAfter(db: Runner, tenantId: number, limit: number): Promise<TenantRow[]> {
  return db.rows(sql<TenantRow>`
    select ${tenantColumns} from tenant where tenant_id > ${tenantId} order by tenant_id limit ${limit}`);
}

export function findTenant(db: Runner, tenantId: number): Promise<TenantRow | undefined> {
  return db.row(sql<TenantRow>`select ${tenantColumns} from tenant where tenant_id = ${tenantId}`);
}

/** Fields that are not given stay; null clears. */
export type TenantChange = { [K in keyof NewTenant]?: NewTenant[K] | undefined };

export function updateTenantRow(db: Runner, tenantId: number, change: TenantChange): Promise<TenantRow | undefined> {
  return db.row(sql<TenantRow>`
    update tenant set name = coalesce(${change.name ?? null}::text, name),
      rate_limit = coalesce(${change.rateLimit === null ? defaultRateLimit : (change.rateLimit ?? null)}::integer, rate_limit),
      time_zone = case when ${change.timeZone === undefined}::boolean then time_zone else ${change.timeZone ?? null}::text end
    where tenant_id = ${tenantId} returning ${tenantColumns}`);
}

interface AccountRow {
  accountId: number;
  name: string;
  email: string | null;
}
const accountColumns = sql`account_id as "accountId", name, email`;

export async function insertAccount(
  db: Runner,
  tenantId: number,
  name: string,
  email: string | null,
): Promise<AccountRow> {
  const row = await db.row(sql<AccountRow>`
    insert into account (tenant_id, name, email) values (${tenantId}, ${name}, ${email}) returning ${accountColumns}`);
  return row as AccountRow;
}

export function selectAccounts(db: Database, tenantId: number, page: PageOf): Promise<Page<AccountRow>> {
  const total = sql`(select count(*) from account where tenant_id = ${tenantId})`;
  const rows = sql<AccountRow>`
    select ${accountColumns} from account where tenant_id = ${tenantId}
    order by account_id limit ${page.limit} offset ${page.offset}`;
  return paged(db, tenantId, page, { total, rows });
}

/** The account with this id, or the tenant's first one, unless it is deactivated. */
export function findAccount(
  db: Runner,
  tenantId: number,
  accountId: number | undefined,
): Promise<AccountRow | undefined> {
  return db.row(sql<AccountRow>`
    select ${accountColumns} from account
    where tenant_id = ${tenantId} and (${accountId ?? null}::bigint is null or account_id = ${accountId ?? null}::bigint)
      and deactivated_at is null
    order by account_id limit 1`);
}

export interface TokenRow {
  tokenId: number;
  name: string;
  scopes: TokenScope[];
  accountId: number;
  allowedAddresses: string[] | null;
  createdAt: string;
  expiresAt: string | null;
  lastUsedAt: string | null;
  revokedAt: string | null;
}
const tokenColumns = sql`
  token_id as "tokenId", name, scopes, account_id as "accountId", allowed_addresses as "allowedAddresses",
  created_at as "createdAt", expires_at as "expiresAt", last_used_at as "lastUsedAt", revoked_at as "revokedAt"`;

export interface Maker {
  kind: 'personal' | 'app' | 'session';
  grantHash: string | null;
  expiresAt: string | null;
  isRevoked: boolean;
}

/**
 * The token that another one is made with, locked: revoking it waits, and then ends the new token as well; or it came first, and the maker is
 * revoked. If it belongs to an app, the caller has to lock the grant first.
 */
export function holdMaker(tx: Transaction, tenantId: number, tokenId: number): Promise<Maker | undefined> {
  return tx.row(sql<Maker>`
    select kind, grant_hash as "grantHash", expires_at as "expiresAt", revoked_at is not null as "isRevoked" from access_token
    where tenant_id = ${tenantId} and token_id = ${tokenId} for key share`);
}

export async function insertToken(
  db: Runner,
  token: {
    tenantId: number;
    accountId: number;
    tokenHash: string;
    name: string;
    scopes: string[];
    expiresAt: string | null;
    allowedAddresses: string[] | null;
    grantHash: string | null;
    madeWith: number | null;
  },
): Promise<TokenRow> {
  const row = await db.row(sql<TokenRow>`
    insert into access_token (token_hash, tenant_id, account_id, name, scopes, expires_at, allowed_addresses, grant_hash, made_with)
    values (${bytes(token.tokenHash)}, ${token.tenantId}, ${token.accountId}, ${token.name}, ${token.scopes}, ${token.expiresAt},
      ${token.allowedAddresses}::text[], ${token.grantHash && bytes(token.grantHash)}::bytea, ${token.madeWith}::bigint)
    returning ${tokenColumns}`);
  return row as TokenRow;
}

/** Personal tokens. @param ofAccount null: of all accounts. */
export function selectTokens(
  db: Database,
  tenantId: number,
  ofAccount: number | null,
  page: PageOf,
): Promise<Page<TokenRow & { accountName: string }>> {
  const isTheirs = sql`
    tenant_id = ${tenantId} and kind = 'personal' and (${ofAccount}::bigint is null or account_id = ${ofAccount}::bigint)`;
  const total = sql`(select count(*) from access_token where ${isTheirs})`;
  const rows = sql<TokenRow & { accountName: string }>`
    select ${tokenColumns}, (select a.name from ${accountNames} a
      where a.tenant_id = t.tenant_id and a.account_id = t.account_id) as "accountName"
    from access_token t where ${isTheirs} order by token_id desc limit ${page.limit} offset ${page.offset}`;
  return paged(db, tenantId, page, { total, rows });
}

/**
 * Revokes a personal token; those of apps and browsers end with their grant or session.
 * @param ofAccount only where it is this account's.
 * @returns whether it was live until now; undefined where there is none.
 */
export async function revokeTokenRow(
  db: Runner,
  tenantId: number,
  tokenId: number,
  ofAccount: number | null,
): Promise<boolean | undefined> {
  const row = await db.row(sql<{ wasLive: boolean }>`
    with found as (
      select token_hash, revoked_at from access_token
      where tenant_id = ${tenantId} and token_id = ${tokenId} and kind = 'personal'
        and (${ofAccount}::bigint is null or account_id = ${ofAccount}::bigint)
      for update)
    update access_token a set revoked_at = coalesce(a.revoked_at, now()) from found f
    where a.tenant_id = ${tenantId} and a.token_hash = f.token_hash
    returning f.revoked_at is null as "wasLive"`);
  return row?.wasLive;
}

/**
 * Ends the tokens that tokens made, and those that these made in turn. One generation after the other, each in statements of its own: a
 * transaction that makes a token locks its maker, and the next statement sees the new token. Returns which ended.
 */
export async function revokeDescendants(tx: Transaction, tenantId: number, tokenId: number): Promise<number[]> {
  const ended: number[] = [];
  for (let makers = [tokenId]; makers.length > 0; ) {
    const rows = await tx.rows(sql<{ tokenId: number }>`
      select token_id as "tokenId" from access_token
      where tenant_id = ${tenantId} and made_with = any(${makers}::bigint[]) and revoked_at is null order by token_id for update`);
    makers = rows.map((row) => row.tokenId);
    await tx.run(sql`
      update access_token set revoked_at = now() where tenant_id = ${tenantId} and token_id = any(${makers}::bigint[])`);
    ended.push(...makers);
  }
  return ended;
}

interface LiveTokenRow {
  tokenHash: string;
  tenantId: number;
  tokenId: number;
  tokenKind: 'personal' | 'app' | 'session';
  isForMcp: boolean;
  clientId: string | null;
  accountId: number;
  role: Role;
  scopes: string[];
  rateLimit: number;
  expiresAt: string | null;
  allowedAddresses: string[] | null;
}

/**
 * A token that is not revoked, by its hash, of an account that is not deactivated; with the scopes that the account's role still
 * allows. Expiry is for the caller to check, each time.
 */
export function findLiveToken(db: Runner, tokenHash: string): Promise<LiveTokenRow | undefined> {
  return db.row(sql<LiveTokenRow>`
    /* all tenants */ select a.token_hash as "tokenHash", a.tenant_id as "tenantId", a.token_id as "tokenId", a.kind as "tokenKind",
      a.is_for_mcp as "isForMcp", a.client_id as "clientId",
      a.account_id as "accountId", c.role, t.rate_limit as "rateLimit", a.expires_at as "expiresAt",
      case when c.role = 'viewer' then array(select unnest(a.scopes) intersect select unnest(array['READ', 'read', 'people'])) else a.scopes end as scopes,
      a.allowed_addresses as "allowedAddresses"
    from access_token a join tenant t using (tenant_id) join account c using (tenant_id, account_id)
    where a.token_hash = ${bytes(tokenHash)} and a.revoked_at is null and c.deactivated_at is null`);
}

/** The address that a person signs in with, as an expression from a feature above. */
export type AddressOfPerson = (personId: Sql) => Sql;

/**
 * The account that a token of another issuer acts for: the one with this address, a person's rather than a program's, or the tenant's first
 * one. Nothing if that one is deactivated.
 */
export function findOutsideCaller(
  db: Runner,
  tenantId: number,
  email: string | undefined,
  addressOfPerson: AddressOfPerson,
): Promise<{ accountId: number; role: Role; rateLimit: number } | undefined> {
  return db.row(sql<{ accountId: number; role: Role; rateLimit: number }>`
    select c.account_id as "accountId", c.role, t.rate_limit as "rateLimit"
    from (select a.* from account a
      where a.tenant_id = ${tenantId} and (${email ?? null}::text is null
        or coalesce(${addressOfPerson(sql`a.person_id`)}, lower(a.email)) = ${email ?? null}::text)
      order by case when ${email ?? null}::text is not null then a.person_id is null end, a.account_id limit 1) c
    join tenant t using (tenant_id)
    where c.deactivated_at is null`);
}

/** The tenant's default time zone, if it was set. */
export async function selectTimeZone(db: Runner, tenantId: number): Promise<string | undefined> {
  const row = await db.row(sql<{ timeZone: string | null }>`
    select time_zone as "timeZone" from tenant where tenant_id = ${tenantId}`);
  return row?.timeZone ?? undefined;
}
