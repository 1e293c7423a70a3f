import type { DataValue, listMailHooks, Provider, RecordPurpose, RecordState } from '@rapport/contract';
import type { Database, Runner } from '../../db/database.js';
import { type Page, type PageOf, paged } from '../../db/paged.js';
import { bytes, type Sql, sql } from '../../db/sql.js';

/** Results of checks of a domain's records, see records.ts. */
export type Seen = Partial<
  Record<RecordPurpose, { value: string; state: RecordState; detail: string; last: RecordState }>
>;

export interface DomainRow {
  domain: string;
  /** Null, like the key, in rows of an older build. */
  selector: string | null;
  publicKey: string | null;
  seen: Seen | null;
  isVerified: boolean;
  /** Until when a link shows its records. */
  sharedUntil: string | null;
}
const domainColumns = sql`
  domain, dkim_selector as selector, dkim_public as "publicKey", records as seen, verified_at is not null as "isVerified",
  case when share_expires_at > now() then share_expires_at end as "sharedUntil"`;

/** Returns whether it is new. It has no key yet: the chore makes that, or approving or checking the domain. */
export async function insertSendingDomain(db: Runner, tenantId: number, domain: string): Promise<boolean> {
  const added = await db.run(
    sql`insert into sending_domain (tenant_id, domain) values (${tenantId}, ${domain}) on conflict do nothing`,
  );
  return added === 1;
}

export async function countDomains(db: Runner, tenantId: number): Promise<number> {
  const row = await db.row(sql<{ count: number }>`select count(*) from sending_domain where tenant_id = ${tenantId}`);
  return row?.count ?? 0;
}

export interface DomainSummary {
  approved: number;
  unverified: number;
  /** One unverified domain, and since when there has been any. */
  example: string | null;
  since: string | null;
}

export async function summarizeDomains(db: Runner, tenantId: number): Promise<DomainSummary> {
  const row = await db.row(sql<DomainSummary>`
    select count(*) as approved, count(*) filter (where verified_at is null) as unverified,
      min(domain) filter (where verified_at is null) as example, min(created_at) filter (where verified_at is null) as since
    from sending_domain where tenant_id = ${tenantId}`);
  return row as DomainSummary;
}

/** Unverified domains, by name. `domains`: only these. */
export async function selectUnverified(
  db: Runner,
  tenantId: number,
  domains: readonly string[] | undefined,
): Promise<string[]> {
  const rows = await db.rows(sql<{ domain: string }>`
    select domain from sending_domain
    where tenant_id = ${tenantId} and verified_at is null and (${domains ?? null}::text[] is null or domain = any(${domains ?? null}::text[]))
    order by domain limit 100`);
  return rows.map(({ domain }) => domain);
}

export async function isSendingDomain(db: Runner, tenantId: number, domain: string): Promise<boolean> {
  const row = await db.row(sql`select 1 from sending_domain where tenant_id = ${tenantId} and domain = ${domain}`);
  return row !== undefined;
}

/** Which of these domains are approved. */
export async function selectApproved(db: Runner, tenantId: number, domains: readonly string[]): Promise<Set<string>> {
  if (domains.length === 0) return new Set();
  const rows = await db.rows(sql<{ domain: string }>`
    select domain from sending_domain where tenant_id = ${tenantId} and domain = any(${domains}::text[])`);
  return new Set(rows.map(({ domain }) => domain));
}

/** The domain that was approved first. */
export async function findFirstDomain(db: Runner, tenantId: number): Promise<string | undefined> {
  const row = await db.row(sql<{ domain: string }>`
    select domain from sending_domain where tenant_id = ${tenantId} order by created_at, domain limit 1`);
  return row?.domain;
}

export function findDomain(db: Runner, tenantId: number, domain: string): Promise<DomainRow | undefined> {
  return db.row(sql<DomainRow>`
    select ${domainColumns} from sending_domain where tenant_id = ${tenantId} and domain = ${domain}`);
}

export function selectDomains(db: Database, tenantId: number, page: PageOf): Promise<Page<DomainRow>> {
  const total = sql`(select count(*) from sending_domain where tenant_id = ${tenantId})`;
  const rows = sql<DomainRow>`
    select ${domainColumns} from sending_domain where tenant_id = ${tenantId}
    order by domain limit ${page.limit} offset ${page.offset}`;
  return paged(db, tenantId, page, { total, rows });
}

export async function deleteDomain(db: Runner, tenantId: number, domain: string): Promise<boolean> {
  return (await db.run(sql`delete from sending_domain where tenant_id = ${tenantId} and domain = ${domain}`)) === 1;
}

export interface DomainKey {
  selector: string;
  publicKey: string;
  /** Hex. */
  sealed: string;
}

/** Gives a domain its key unless it has one. Of two at once, one wins and both go on. */
export async function updateDomainKey(db: Runner, tenantId: number, domain: string, key: DomainKey): Promise<void> {
  await db.run(sql`
    update sending_domain
    set dkim_selector = ${key.selector}, dkim_public = ${key.publicKey}, dkim_sealed = ${bytes(key.sealed)}
    where tenant_id = ${tenantId} and domain = ${domain} and dkim_sealed is null`);
}

export function selectKeyless(db: Runner, atMost: number): Promise<{ tenantId: number; domain: string }[]> {
  return db.rows(sql<{ tenantId: number; domain: string }>`
    /* all tenants */ select tenant_id as "tenantId", domain from sending_domain where dkim_sealed is null
    order by tenant_id, domain limit ${atMost}`);
}

/** Undefined if the domain, or its key, is no longer the one that was checked. */
export function updateSeen(
  db: Runner,
  tenantId: number,
  { domain, selector }: DomainRow,
  seen: Seen,
  isVerified: boolean,
): Promise<DomainRow | undefined> {
  return db.row(sql<DomainRow>`
    update sending_domain set records = ${JSON.stringify(seen)}::jsonb, checked_at = now(),
      verified_at = case when ${isVerified}::boolean then coalesce(verified_at, now()) end
    where tenant_id = ${tenantId} and domain = ${domain} and dkim_selector = ${selector}
    returning ${domainColumns}`);
}

export interface SignerRow {
  domain: string;
  selector: string;
  /** Hex. */
  sealed: string;
  seen: Seen | null;
  isVerified: boolean;
}

export function selectSigners(db: Runner, tenantId: number, domains: readonly string[]): Promise<SignerRow[]> {
  return db.rows(sql<SignerRow>`
    select domain, dkim_selector as selector, dkim_sealed as sealed, records as seen, verified_at is not null as "isVerified"
    from sending_domain
    where tenant_id = ${tenantId} and domain = any(${domains}::text[]) and dkim_sealed is not null`);
}

export interface TransportRow {
  tenantId: number;
  /** Hex. */
  sealed: string;
  rate: number | null;
  maxConnections: number | null;
  /** It must be on the public internet: the workspace set it, not an operator. */
  isGuarded: boolean;
  updatedAt: string;
}
const transportColumns = sql`
  tenant_id as "tenantId", sealed_url as sealed, rate, max_connections as "maxConnections", is_guarded as "isGuarded",
  updated_at as "updatedAt"`;

export async function upsertTransport(
  db: Runner,
  tenantId: number,
  transport: Pick<TransportRow, 'sealed' | 'rate' | 'maxConnections' | 'isGuarded'>,
): Promise<TransportRow> {
  const row = await db.row(sql<TransportRow>`
    insert into mail_transport (tenant_id, sealed_url, rate, max_connections, is_guarded)
    values (${tenantId}, ${bytes(transport.sealed)}, ${transport.rate}, ${transport.maxConnections}, ${transport.isGuarded})
    on conflict (tenant_id) do update set sealed_url = excluded.sealed_url, rate = excluded.rate,
      max_connections = excluded.max_connections, is_guarded = excluded.is_guarded, updated_at = now()
    returning ${transportColumns}`);
  return row as TransportRow;
}

export function selectTransportRows(db: Runner, tenantIds: readonly number[]): Promise<TransportRow[]> {
  return db.rows(sql<TransportRow>`
    select ${transportColumns} from mail_transport where tenant_id = any(${tenantIds}::bigint[])`);
}

export async function deleteTransport(db: Runner, tenantId: number): Promise<boolean> {
  return (await db.run(sql`delete from mail_transport where tenant_id = ${tenantId}`)) === 1;
}

type HookRow = DataValue<typeof listMailHooks>;
const hookColumns = sql`hook_id as "hookId", provider, created_at as "createdAt"`;

export async function insertHook(
  db: Runner,
  hook: { tenantId: number; hookId: string; provider: Provider; tokenHash: string; sealedKey: string | null },
): Promise<HookRow> {
  const row = await db.row(sql<HookRow>`
    insert into mail_hook (tenant_id, hook_id, token_hash, provider, sealed_key)
    values (${hook.tenantId}, ${bytes(hook.hookId)}, ${bytes(hook.tokenHash)}, ${hook.provider},
      ${hook.sealedKey === null ? null : bytes(hook.sealedKey)})
    returning ${hookColumns}`);
  return row as HookRow;
}

export function selectHooks(db: Database, tenantId: number, page: PageOf): Promise<Page<HookRow>> {
  const total = sql`(select count(*) from mail_hook where tenant_id = ${tenantId})`;
  const rows = sql<HookRow>`
    select ${hookColumns} from mail_hook where tenant_id = ${tenantId}
    order by hook_id desc limit ${page.limit} offset ${page.offset}`;
  return paged(db, tenantId, page, { total, rows });
}

export async function deleteHook(db: Runner, tenantId: number, hookId: string): Promise<boolean> {
  return (await db.run(sql`delete from mail_hook where tenant_id = ${tenantId} and hook_id = ${bytes(hookId)}`)) === 1;
}

interface SealedHook {
  hookId: string;
  provider: Provider;
  /** Hex, both. */
  tokenHash: string;
  sealedKey: string | null;
}

export function findHookRow(db: Runner, tenantId: number, tokenHash: string): Promise<SealedHook | undefined> {
  return db.row(sql<SealedHook>`
    select hook_id as "hookId", provider, token_hash as "tokenHash", sealed_key as "sealedKey"
    from mail_hook where tenant_id = ${tenantId} and token_hash = ${bytes(tokenHash)}`);
}

export async function findTenantSecret(db: Runner, tenantId: number, purpose: string): Promise<string | undefined> {
  const row = await db.row(sql<{ sealed: string }>`
    select sealed from tenant_secret where tenant_id = ${tenantId} and purpose = ${purpose}`);
  return row?.sealed;
}

export async function insertTenantSecret(db: Runner, tenantId: number, purpose: string, sealed: string): Promise<void> {
  await db.run(sql`
    insert into tenant_secret (tenant_id, purpose, sealed) values (${tenantId}, ${purpose}, ${bytes(sealed)})
    on conflict do nothing`);
}

/** A place where sealed secrets are stored. `kind` is what messages call them, `name` distinguishes those of a tenant. */
export interface Drawer {
  readonly kind: string;
  readonly table: Sql;
  /** For a table whose rows belong to no tenant: `0::bigint`. */
  readonly tenant?: Sql;
  readonly name: Sql;
  readonly column: Sql;
}

export const ownDrawers: readonly Drawer[] = [
  { kind: 'dkim', table: sql`sending_domain`, name: sql`domain`, column: sql`dkim_sealed` },
  { kind: 'smtp', table: sql`mail_transport`, name: sql`''::text`, column: sql`sealed_url` },
  { kind: 'hook', table: sql`mail_hook`, name: sql`encode(hook_id, 'hex')`, column: sql`sealed_key` },
  { kind: 'secret', table: sql`tenant_secret`, name: sql`purpose`, column: sql`sealed` },
];

const tenantColumn = sql`tenant_id`;

export interface SealedRow {
  tenantId: number;
  name: string;
  /** Hex. */
  sealed: string;
}

export function selectSealed(
  db: Runner,
  { table, tenant = tenantColumn, name, column }: Drawer,
  after: { tenantId: number; name: string },
  atMost: number,
): Promise<SealedRow[]> {
  return db.rows(sql<SealedRow>`
    /* all tenants */ select ${tenant} as "tenantId", ${name} as name, ${column} as sealed from ${table}
    where ${column} is not null and (${tenant}, ${name}) > (${after.tenantId}::bigint, ${after.name}::text)
    order by 1, ${name} limit ${atMost}`);
}

/** Changes nothing if the secret was replaced meanwhile. */
export function updateSealed(
  db: Runner,
  { table, tenant = tenantColumn, name, column }: Drawer,
  row: SealedRow,
  sealed: string,
): Promise<number> {
  return db.run(sql`
    update ${table} set ${column} = ${bytes(sealed)}
    where ${tenant} = ${row.tenantId} and ${name} = ${row.name} and ${column} = ${bytes(row.sealed)}`);
}

/** How many secrets of a drawer each key sealed; `head` identifies the key, hex. */
export function selectHeads(db: Runner, { table, column }: Drawer): Promise<{ head: string; secrets: number }[]> {
  return db.rows(sql<{ head: string; secrets: number }>`
    /* all tenants */ select substring(${column} from 1 for 5) as head, count(*) as secrets from ${table} where ${column} is not null group by 1`);
}
