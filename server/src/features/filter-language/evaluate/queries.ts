import { counters, counterValue } from '../../../db/counters.js';
import type { Runner } from '../../../db/database.js';
import { type Sql, sql, unnamed } from '../../../db/sql.js';
import { listed, tenantSql } from '../compile/fragments.js';
import type { At, Compiled, CompiledNode } from '../compile/index.js';

/** The moment of an evaluation, and how many contacts there are. `exact` has the microseconds: what was just written has happened. */
export interface Moment {
  exact: string;
  shown: string;
  contacts: number;
  /** Pages on disk of the table of contacts, those of other tenants too. */
  pages: number;
}

/** By the database's clock. */
export async function readMoment(db: Runner, tenantId: number): Promise<Moment> {
  const row = await db.row(sql<Moment>`
    select t.now::text as exact, t.now as shown, ${counterValue(tenantId, counters.contacts)} as contacts,
      pg_relation_size('contact') / current_setting('block_size')::int as pages
    from (select clock_timestamp() as now) t`);
  return row as Moment;
}

/** Whom and when a filter is compiled for: everyone, or these contacts. */
export function groundFor(tenantId: number, { exact }: Pick<Moment, 'exact'>, contactIds?: readonly string[]): At {
  const scope = contactIds ? among(contactIds) : () => everybody;
  return { tenantId, now: sql`${exact}::timestamptz`, scope };
}

const everybody = sql`true`;

function among(contactIds: readonly string[]): (contactId: Sql) => Sql {
  const [one] = contactIds;
  if (contactIds.length === 1) return (contactId) => sql`${contactId} = ${one}::uuid`;
  return (contactId) => sql`${contactId} = any(${contactIds}::uuid[])`;
}

export interface Hits {
  count: number;
  /** The newest five. */
  ids: string[];
}

// One lookup a key, whatever the planner knows: of `= any(…)` over a million contacts it made one long read.
function someContacts(tenantId: number, contactIds: readonly string[]): Sql {
  return sql`(
    select one.* from unnest(${contactIds}::uuid[]) as w (id) cross join lateral (
      select * from contact where tenant_id = ${tenantSql(tenantId)} and contact_id = w.id limit 1
    ) one) c`;
}

/** The contacts for whom a filter holds, as a query with a column contact_id: of everyone, or of those that it was compiled for. */
export function hitsOf(
  tenantId: number,
  { joins, narrow, holds }: Compiled,
  contactIds?: readonly string[],
): Sql<{ contact_id: string }> {
  const all = sql`(select * from contact where tenant_id = ${tenantSql(tenantId)}) c`;
  return unnamed(sql<{ contact_id: string }>`
    select c.contact_id from ${contactIds ? someContacts(tenantId, contactIds) : all} ${joins}
    where ${narrow ?? sql`true`} and ${holds}`);
}

/**
 * How many contacts each pattern of conditions has: `holds` says of some conditions whether they hold. Every condition is looked at once a
 * contact; what is counted is an expression over the pattern `p`.
 */
export async function countPatterns(
  db: Runner,
  tenantId: number,
  { joins, holds }: { joins: Sql; holds: readonly Sql[] },
  counted: readonly Sql[],
  contactIds?: readonly string[],
): Promise<number[]> {
  const all = sql`(select * from contact where tenant_id = ${tenantSql(tenantId)}) c`;
  const sums = counted.map((one) => sql`coalesce(sum(p.n) filter (where ${one}), 0)`);
  const row = await db.row(
    unnamed(sql<{ counts: number[] }>`
      with held as materialized (
        select array[${holds.length === 0 ? sql`` : listed(holds)}]::boolean[] as holds
        from ${contactIds ? someContacts(tenantId, contactIds) : all} ${joins}
      ), pattern as materialized (select holds, count(*) as n from held group by holds)
      select to_jsonb(array[${listed(sums)}]::bigint[]) as counts from pattern p`),
  );
  return row?.counts ?? [];
}

/** For how many contacts a filter holds, and some of them. */
export async function countHits(
  db: Runner,
  tenantId: number,
  compiled: Compiled,
  contactIds?: readonly string[],
): Promise<Hits> {
  const row = await db.row(
    unnamed(sql<{ count: number; ids: string[] | null }>`
      with hit as materialized (${hitsOf(tenantId, compiled, contactIds)})
      select (select count(*) from hit) as count, (
        select array_agg(replace(contact_id::text, '-', '')) from (
          select contact_id from hit order by contact_id desc limit 5
        ) newest
      ) as ids`),
  );
  return { count: row?.count ?? 0, ids: row?.ids ?? [] };
}

/** What PostgreSQL expects the evaluation for everyone to cost, in its own unit. */
export async function estimateCost(db: Runner, tenantId: number, { joins, narrow, holds }: Compiled): Promise<number> {
  const row = await db.row(
    unnamed(sql<{ 'QUERY PLAN': [{ Plan: { 'Total Cost': number } }] }>`
      explain (format json) select count(*) from contact c ${joins}
      where c.tenant_id = ${tenantSql(tenantId)} and ${narrow ?? sql`true`} and ${holds}`),
  );
  return Math.round(row?.['QUERY PLAN'][0].Plan['Total Cost'] ?? 0);
}

/** A sample of a tenant's contacts: every n-th, in the order in which they were made. Reads its whole index. */
export function sampleOfIndex(db: Runner, tenantId: number, contacts: number, wanted: number): Promise<string[]> {
  const inARow = 25;
  const every = Math.max(1, Math.floor(contacts / wanted));
  return idsOf(
    db,
    sql`
      select contact_id from (
        select contact_id, row_number() over (order by contact_id) as place from contact where tenant_id = ${tenantId}
      ) numbered where (place / ${inARow}) % ${every} = 0 limit ${wanted * 2}`,
  );
}

/** Contacts on pages from all over the table: its cost does not grow with the number of contacts, but with that of other tenants'. */
export function sampleOfPages(db: Runner, tenantId: number, contacts: number, wanted: number): Promise<string[]> {
  const percent = Math.min(100, (100 * wanted) / contacts);
  return idsOf(
    db,
    sql`
      select contact_id from contact tablesample system (${percent}::float4) repeatable (7)
      where tenant_id = ${tenantId} limit ${wanted * 2}`,
  );
}

async function idsOf(db: Runner, statement: Sql): Promise<string[]> {
  const rows = await db.rows(statement as Sql<{ contact_id: string }>);
  return rows.map((row) => row.contact_id);
}

interface NodeFindings {
  isMember: boolean;
  holds: boolean[];
  values: unknown[];
}

/** What conditions of a filter come to for one contact. Nothing when there is no such contact. */
export function findNodes(
  db: Runner,
  tenantId: number,
  { contactId, isMember }: { contactId: string; isMember: Sql },
  { joins, nodes }: { joins: Sql; nodes: readonly CompiledNode[] },
): Promise<NodeFindings | undefined> {
  const row = (parts: Sql[]) => (parts.length === 0 ? sql`` : listed(parts));
  const holds = row(nodes.map((node) => node.holds));
  const values = row(nodes.map((node) => node.value ?? sql`null`));
  return db.row(
    unnamed(sql<NodeFindings>`
      select ${isMember} as "isMember", to_jsonb(array[${holds}]::boolean[]) as holds, to_jsonb(array[${values}]::jsonb[]) as values
      from contact c ${joins} where c.tenant_id = ${tenantSql(tenantId)} and c.contact_id = ${contactId}`),
  );
}

/** What a filter comes to for a contact. */
export interface Verdict {
  readonly holds: boolean;
  /** The next moment at which that may change by the clock alone, in milliseconds since 1970; it may be too early, never too late. */
  readonly next: number | null;
}

/** What filters come to for some contacts, in the order of the filters. An id without a contact has no row. */
export async function selectVerdicts(
  db: Runner,
  tenantId: number,
  { joins, parts }: { joins: Sql; parts: readonly Pick<Compiled, 'holds' | 'next'>[] },
  contactIds: readonly string[],
): Promise<{ contactId: string; verdicts: Verdict[] }[]> {
  const holds = listed(parts.map((part) => part.holds));
  const timed = parts.flatMap(({ next }, place) => (next ? { next, place } : []));
  const nexts = timed.length === 0 ? sql`null` : momentsOf(timed.map(({ next }) => next));
  const rows = await db.rows(
    unnamed(sql<{ contactId: string; holds: boolean[]; nexts: (number | null)[] | null }>`
      select c.contact_id as "contactId", to_jsonb(array[${holds}]::boolean[]) as holds, ${nexts} as nexts
      from ${someContacts(tenantId, contactIds)} ${joins}`),
  );
  const places = new Map(timed.map(({ place }, i) => [place, i]));
  return rows.map(({ contactId, holds, nexts }) => ({
    contactId,
    verdicts: holds.map((one, place) => ({ holds: one, next: nexts?.[places.get(place) ?? -1] ?? null })),
  }));
}

/** Milliseconds since 1970, as JSON. */
function momentsOf(nexts: readonly Sql[]): Sql {
  return sql`(
    select jsonb_agg(case when n.at < 'infinity' then floor(extract(epoch from n.at) * 1000) end order by n.ord)
    from unnest(array[${listed(nexts)}]::timestamptz[]) with ordinality as n (at, ord))`;
}
