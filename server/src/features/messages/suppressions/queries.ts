import { type Suppression, type SuppressionReason, suppressionReasons } from '@rapport/contract';
import type { Static } from 'typebox';
import { counters, counterValue, intoCounters } from '../../../db/counters.js';
import type { Database, Runner, Transaction } from '../../../db/database.js';
import { type Page, type PageOf, paged } from '../../../db/paged.js';
import { bytes, type Sql, sql } from '../../../db/sql.js';
import { hashSql, hasRefusals, saltTable } from '../../consent/index.js';
import { accountShown } from '../../tenants/index.js';

export type SuppressionRow = Static<typeof Suppression>;
const columns = sql`address as email, reason, created_at as "createdAt"`;
const counter = counters.suppressions;

/** An address by its hash, and why it must get no mail. */
export interface NewSuppression {
  /** Null: the person was erased, and only the hash is kept. */
  address: string | null;
  /** Hex, as computed by AddressHashes. */
  hash: string;
  reason: SuppressionReason;
}

// Weakest first. The reason that blocks more mail wins, whichever came first.
const strength = (reason: Sql) => sql`array_position(${suppressionReasons}::text[], ${reason})`;

/** Suppresses addresses; an existing suppression gets the stronger reason. In key order, so that two callers cannot deadlock. */
export async function strengthenSuppressions(
  tx: Runner,
  tenantId: number,
  wanted: readonly NewSuppression[],
): Promise<void> {
  if (wanted.length === 0) return;
  const strongest = new Map<string, NewSuppression>();
  for (const each of wanted) {
    const known = strongest.get(each.hash) ?? each;
    const isStronger = suppressionReasons.indexOf(known.reason) < suppressionReasons.indexOf(each.reason);
    const reason = isStronger ? each.reason : known.reason;
    strongest.set(each.hash, { ...each, reason, address: known.address ?? each.address });
  }
  const rows = [...strongest.values()];
  await tx.run(sql`
    with ${lockedBefore(
      tenantId,
      sql`unnest(${rows.map((r) => bytes(r.hash))}::bytea[], ${rows.map((r) => r.address)}::text[], ${rows.map((r) => r.reason)}::text[])`,
    )}, put as (
      insert into suppression as s (tenant_id, address_hash, address, reason)
      select ${tenantId}, hash, address, reason from before order by hash
      on conflict (tenant_id, address_hash) do update set address = coalesce(excluded.address, s.address),
        suppressed_by = case when ${strength(sql`s.reason`)} < ${strength(sql`excluded.reason`)} then null else s.suppressed_by end,
        reason = case when ${strength(sql`s.reason`)} < ${strength(sql`excluded.reason`)} then excluded.reason else s.reason end
      returning address_hash, address, xmax = 0 as is_new
    )
    ${intoCounters}
    select ${tenantId}, ${counter}, count(*) from ${newlyShown} having count(*) > 0`);
}

/** What to store, and whether it is visible already: the hash of an erased person is not, until the address comes back. */
const lockedBefore = (tenantId: number, wanted: Sql) => sql`
  before as materialized (
    select w.*, s.is_shown from (select * from ${wanted} as w (hash, address, reason) order by hash) w left join lateral (
      select address is not null as is_shown from suppression where tenant_id = ${tenantId} and address_hash = w.hash limit 1 for update
    ) s on true
  )`;
const newlyShown = sql`
  put p join before b on b.hash = p.address_hash where p.address is not null and (p.is_new or not b.is_shown)`;

/** Replaces the reason, whatever it was; with another one, it counts from now. */
export async function putSuppression(
  tx: Transaction,
  tenantId: number,
  { address, hash, reason }: NewSuppression,
  accountId: number | null,
): Promise<SuppressionRow> {
  const row = await tx.row(sql<SuppressionRow>`
    with ${lockedBefore(tenantId, sql`(values (${bytes(hash)}::bytea, ${address}::text, ${reason}::text))`)}, put as (
      insert into suppression as s (tenant_id, address_hash, address, reason, suppressed_by)
      select ${tenantId}, hash, address, reason, ${accountId}::bigint from before
      on conflict (tenant_id, address_hash) do update set address = excluded.address, reason = excluded.reason,
        suppressed_by = case when s.reason = excluded.reason then s.suppressed_by else excluded.suppressed_by end,
        created_at = case when s.reason = excluded.reason then s.created_at else now() end
      returning *, xmax = 0 as is_new
    ), counted as (
      ${intoCounters}
      select ${tenantId}, ${counter}, count(*) from ${newlyShown} having count(*) > 0
    )
    select ${columns} from put`);
  return row as SuppressionRow;
}

/** Returns whether there was one. With a reason: only a suppression for that reason. */
export async function deleteSuppression(
  tx: Transaction,
  tenantId: number,
  hash: string,
  reason: SuppressionReason | null = null,
): Promise<boolean> {
  const gone = await tx.row(sql<{ n: number }>`
    with gone as (
      delete from suppression where tenant_id = ${tenantId} and address_hash = ${bytes(hash)}
        and (${reason}::text is null or reason = ${reason}) returning address
    ), counted as (
      ${intoCounters} select ${tenantId}, ${counter}, -1 from gone where address is not null
    )
    select count(*) as n from gone`);
  return (gone?.n ?? 0) > 0;
}

/** The reasons of suppressed addresses by hex hash; others are missing. */
export async function selectReasons(
  db: Runner,
  tenantId: number,
  hashes: readonly string[],
): Promise<Map<string, SuppressionReason>> {
  if (hashes.length === 0) return new Map();
  const rows = await db.rows(sql<{ hash: string; reason: SuppressionReason }>`
    select s.address_hash as hash, s.reason from unnest(${hashes.map(bytes)}::bytea[]) as w (hash) cross join lateral (
      select address_hash, reason from suppression where tenant_id = ${tenantId} and address_hash = w.hash limit 1
    ) s`);
  return new Map(rows.map(({ hash, reason }) => [hash, reason]));
}

/** Whether any address of a tenant is suppressed, or was erased after unsubscribing from topics. */
export async function findKept(db: Runner, tenantId: number): Promise<{ suppressed: boolean; refused: boolean }> {
  const row = await db.row(sql<{ suppressed: boolean; refused: boolean }>`
    select exists (select from suppression where tenant_id = ${tenantId}) as suppressed, ${hasRefusals(tenantId)} as refused`);
  return row as { suppressed: boolean; refused: boolean };
}

/** Newest first. Addresses of erased people are not shown. */
export function selectSuppressions(
  db: Database,
  tenantId: number,
  search: string | undefined,
  page: PageOf,
): Promise<Page<SuppressionRow>> {
  const shown = sql`tenant_id = ${tenantId} and address is not null`;
  const matches = search === undefined ? shown : sql`${shown} and position(${search} in address) > 0`;
  const total =
    search === undefined ? counterValue(tenantId, counter) : sql`(select count(*) from suppression where ${matches})`;
  const rows = sql<SuppressionRow>`
    select ${columns} from suppression where ${matches} order by suppression_no desc limit ${page.limit} offset ${page.offset}`;
  return paged(db, tenantId, { ...page, isSearch: search !== undefined }, { total, rows });
}

/** The reason of a suppressed address, or null, as an expression. Hashes like AddressHashes. */
export function suppressionReason(tenantId: number, email: Sql): Sql {
  return sql`(
    select p.reason from ${saltTable} s join suppression p
      on p.tenant_id = s.tenant_id and p.address_hash = ${hashSql(sql`${email}`)}
    where s.tenant_id = ${tenantId})`;
}

/** For an address, even if only its hash is kept. Hashes like AddressHashes. */
export function findSuppression(db: Runner, tenantId: number, email: string): Promise<SuppressionRow | undefined> {
  return db.row(sql<SuppressionRow>`
    select ${email}::text as email, p.reason, p.created_at as "createdAt"
    from ${saltTable} s join suppression p
      on p.tenant_id = s.tenant_id and p.address_hash = ${hashSql(sql`${email}`)}
    where s.tenant_id = ${tenantId}`);
}

/** Who suppressed an address by hand; null if it came about by itself. */
export async function findSuppressor(
  db: Runner,
  tenantId: number,
  email: string,
): Promise<{ id: number; name: string } | null> {
  const row = await db.row(sql<{ by: { id: number; name: string } | null }>`
    select ${accountShown(sql`p`, sql`suppressed_by`)} as by from ${saltTable} s join suppression p
      on p.tenant_id = s.tenant_id and p.address_hash = ${hashSql(sql`${email}`)}
    where s.tenant_id = ${tenantId}`);
  return row?.by ?? null;
}

/** The hash stays, so that the person gets no mail if the address is added again. */
export async function forgetAddress(tx: Transaction, tenantId: number, hash: string): Promise<void> {
  await tx.run(sql`
    with forgotten as (
      update suppression set address = null
      where tenant_id = ${tenantId} and address_hash = ${bytes(hash)} and address is not null returning 1
    )
    ${intoCounters}
    select ${tenantId}, ${counter}, -count(*) from forgotten having count(*) > 0`);
}
