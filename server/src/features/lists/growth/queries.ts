// How lists of both kinds grow: their size by day, who joined and who left.
import { counterOf, counters, counterValue } from '../../../db/counters.js';
import type { Database, Runner, Transaction } from '../../../db/database.js';
import { type Page, type PageOf, paged } from '../../../db/paged.js';
import { bytes, type Sql, sql } from '../../../db/sql.js';
import { contactTable } from '../../contacts/index.js';
import { type MemberRow, memberColumns } from '../members/queries.js';

// Days. A year of sizes, and the same days of the year before at its edges.
const sizesKept = 400;
const daysShown = 90;
// Days that "this week" has, and that a departure is kept.
const week = 7;
const departuresKept = 30;

/** A live list of either kind. */
export interface GrowingList {
  readonly listId: string;
  /** Its members as a query: contact_id, joined_at. */
  readonly members: Sql;
  /** How many they are. */
  readonly size: Sql;
}

/** The same for a static list. */
export function growingStatic(tenantId: number, listId: string): GrowingList {
  return {
    listId,
    members: sql`
      select contact_id, added_at as joined_at from list_member
      where tenant_id = ${tenantId} and list_id = ${bytes(listId)}`,
    size: counterValue(tenantId, counters.listMembers(listId)),
  };
}

const since = sql`(statement_timestamp() - make_interval(days => ${week}))`;

interface Growth {
  members: number;
  days: { day: string; members: number }[];
  joined: number;
  left: number;
  since: string;
}

/** Its sizes by day, and how many joined and left in the last seven days. Who left and came back did not leave. */
export async function findGrowth(
  db: Runner,
  tenantId: number,
  { listId, members, size }: GrowingList,
): Promise<Growth> {
  const row = await db.row(sql<Growth>`
    select ${size} as members, ${since} as since, (
      select coalesce(jsonb_agg(jsonb_build_object('day', y.day, 'members', y.members) order by y.day), '[]') from list_day y
      where y.tenant_id = ${tenantId} and y.list_id = ${bytes(listId)}
        and y.day > (statement_timestamp() at time zone 'UTC')::date - ${daysShown}::integer
    ) as days,
    (select count(*) from (${members}) m where m.joined_at >= ${since}) as joined,
    (select count(*) from (${departed(tenantId, listId, members)}) d) as "left"`);
  return row as Growth;
}

function departed(tenantId: number, listId: string, members: Sql): Sql {
  return sql`
    select d.contact_id, d.left_at as at from list_departure d
    where d.tenant_id = ${tenantId} and d.list_id = ${bytes(listId)} and d.left_at >= ${since}
      and not exists (select from (${members}) m where m.contact_id = d.contact_id)`;
}

interface Movement extends MemberRow {
  at: string;
}

/** Who joined or left in the last seven days; the last one first. */
export function selectMovements(
  db: Database,
  tenantId: number,
  { listId, members }: GrowingList,
  what: 'joined' | 'left',
  page: PageOf,
): Promise<Page<Movement>> {
  const moved =
    what === 'joined'
      ? sql`select m.contact_id, m.joined_at as at from (${members}) m where m.joined_at >= ${since}`
      : departed(tenantId, listId, members);
  const rows = sql<Movement>`
    select ${memberColumns}, v.at from (
      select * from (${moved}) moved order by at desc, contact_id desc limit ${page.limit} offset ${page.offset}
    ) v join ${contactTable} c on c.tenant_id = ${tenantId} and c.contact_id = v.contact_id
    order by v.at desc, v.contact_id desc`;
  // Both count members, which are not in an index by their time: a slow read.
  return paged(db, tenantId, { ...page, isSearch: true }, { total: sql`(select count(*) from (${moved}) n)`, rows });
}

/** The day that it is in UTC. */
export const today = sql`(statement_timestamp() at time zone 'UTC')::date`;

/** The head of a statement that keeps sizes: what follows selects tenant_id, list_id, day and members. A day that has one keeps it. */
export const intoDays = sql`insert into list_day (tenant_id, list_id, day, members)`;

/** Whether `l`, a list, has no size of today yet. */
export const lacksToday = sql`not exists (
  select from list_day y where y.tenant_id = l.tenant_id and y.list_id = l.list_id and y.day = ${today})`;

/** Keeps the size of some lists that have none of today. Returns how many. */
export function keepStaticSizes(db: Runner, atMost: number): Promise<number> {
  return db.run(sql`
    /* all tenants */ ${intoDays}
    select l.tenant_id, l.list_id, ${today}, ${counterValue(sql`l.tenant_id`, counterOf.listMembers(sql`l.list_id`))}
    from static_list l where l.deleted_at is null and ${lacksToday} limit ${atMost}
    on conflict do nothing`);
}

/** A list beside what it had a day before. */
export interface SizeNow {
  tenantId: number;
  listId: string;
  /** The most of the sizes that were seen first yesterday and today, in UTC; 0 if there are none. */
  before: number;
  /** Null: it is being built, or `before` is too small to matter. */
  now: number | null;
}

export interface ListPlace {
  tenantId: number;
  listId: string;
}

/** Some live lists of all tenants by their ids, from `l`: tenant_id, list_id. `size` is what one has now, null while it is not known. */
export function sizesAfter(lists: Sql, size: Sql, after: ListPlace, least: number, atMost: number): Sql<SizeNow> {
  return sql<SizeNow>`
    select l.tenant_id as "tenantId", l.list_id as "listId", b.before, case when b.before >= ${least} then ${size} end as now
    from (
      select * from (${lists}) l where (tenant_id, list_id) > (${after.tenantId}::bigint, ${bytes(after.listId)}::bytea)
      order by tenant_id, list_id limit ${atMost}
    ) l cross join lateral (
      select coalesce(max(members), 0)::int8 as before from list_day y
      where y.tenant_id = l.tenant_id and y.list_id = l.list_id and y.day >= ${today} - 1
    ) b order by l.tenant_id, l.list_id`;
}

/** The same of static lists. */
export function selectStaticSizes(db: Runner, after: ListPlace, least: number, atMost: number): Promise<SizeNow[]> {
  const size = counterValue(sql`l.tenant_id`, counterOf.listMembers(sql`l.list_id`));
  const lists = sql`select tenant_id, list_id from static_list where deleted_at is null`;
  return db.rows(sql<SizeNow>`/* all tenants */ ${sizesAfter(lists, size, after, least, atMost)}`);
}

/** Removes sizes and departures that are too old. Returns how many at least of either. */
export async function sweepGrowth(db: Runner, atMost: number): Promise<number> {
  const days = await db.run(sql`
    /* all tenants */ delete from list_day y using (
      select tenant_id, list_id, day from list_day where day < ${today} - ${sizesKept}::integer order by day limit ${atMost}
    ) old where y.tenant_id = old.tenant_id and y.list_id = old.list_id and y.day = old.day`);
  const departures = await db.run(sql`
    /* all tenants */ delete from list_departure d using (
      select tenant_id, list_id, contact_id from list_departure
      where left_at < statement_timestamp() - make_interval(days => ${departuresKept}) order by left_at limit ${atMost}
    ) old where d.tenant_id = old.tenant_id and d.list_id = old.list_id and d.contact_id = old.contact_id`);
  return Math.max(days, departures);
}

/** The sizes of a list go with it. Who left it may be very many, and is kept for a month only. */
export async function forgetSizes(tx: Transaction, tenantId: number, listId: string): Promise<void> {
  await tx.run(sql`delete from list_day where tenant_id = ${tenantId} and list_id = ${bytes(listId)}`);
}

/** Forgets which lists a person left. */
export async function forgetDepartures(tx: Transaction, tenantId: number, contactId: string): Promise<void> {
  await tx.run(sql`delete from list_departure where tenant_id = ${tenantId} and contact_id = ${contactId}`);
}

interface Departure {
  listId: string;
  leftAt: string;
}

/** The lists of either kind that a contact left lately, by id. */
export function selectDeparturesAfter(
  db: Runner,
  tenantId: number,
  contactId: string,
  after: string | undefined,
  limit: number,
): Promise<Departure[]> {
  return db.rows(sql<Departure>`
    select list_id as "listId", left_at as "leftAt" from list_departure
    where tenant_id = ${tenantId} and contact_id = ${contactId} and list_id > ${bytes(after ?? '')}::bytea
    order by list_id limit ${limit}`);
}
