import type { Runner, Transaction } from '../../../db/database.js';
import { lines, type Sql, sql } from '../../../db/sql.js';
import { contactTable } from '../../contacts/index.js';

/** Per name, in a run and in total: as many as one read may ask for. */
export const mostKept = 200;

export interface ArrivalRow {
  eventName: string;
  keys: readonly { eventNo: number; contactId: string; eventDate: string }[];
}

export interface DeltaRow {
  eventName: string;
  /** YYYY-MM-DD */
  day: string;
  events: number;
  firstAt: string;
  lastAt: string;
}

/** All names of a run share one number, so that their events can be put in order again. */
export async function insertArrivals(
  tx: Transaction,
  tenantId: number,
  now: string,
  arrivals: readonly ArrivalRow[],
  deltas: readonly DeltaRow[],
): Promise<void> {
  // Ids, dates and numbers need no quoting and are sent as they are: quoting them in an array took as long as making them.
  const list = (of: (key: ArrivalRow['keys'][number]) => string | number) =>
    lines(arrivals.map(({ keys }) => `{${keys.map(of).join(',')}}`));
  await tx.run(sql`
    with run as materialized (select nextval('event_arrival_no') as no), arrived as (
      insert into event_arrival (tenant_id, event_name, arrival_no, received_at, kept, event_nos, contact_ids, event_dates)
      select ${tenantId}, a.name, run.no, ${now}::timestamptz, a.kept, a.nos::bigint[], a.ids::uuid[], a.dates::timestamptz(3)[]
      from run, rows from (unnest(${arrivals.map(({ eventName }) => eventName)}::text[]),
        unnest(${arrivals.map(({ keys }) => keys.length)}::integer[]), string_to_table(${list((key) => key.eventNo)}, E'\n'),
        string_to_table(${list((key) => key.contactId)}, E'\n'), string_to_table(${list((key) => key.eventDate)}, E'\n'))
        as a (name, kept, nos, ids, dates)
    )
    insert into event_delta (tenant_id, event_name, day, events, first_at, last_at)
    select ${tenantId}, d.* from unnest(${deltas.map((d) => d.eventName)}::text[], ${deltas.map((d) => d.day)}::date[],
      ${deltas.map((d) => d.events)}::bigint[], ${deltas.map((d) => d.firstAt)}::timestamptz[],
      ${deltas.map((d) => d.lastAt)}::timestamptz[]) as d (name, day, events, first_at, last_at)`);
}

export interface RecentRow {
  no: number;
  eventName: string;
  eventDate: string;
  receivedAt: string | null;
  contactId: string;
  email: string;
  userId: string | null;
  orgId: string | null;
  eventProperties: Record<string, unknown>;
}

/** Which events are requested. `after`: those that arrived after this number. */
interface RecentOf {
  eventName: string | undefined;
  after: number;
  limit: number;
}

/** The number of the last arrival; 0 if there is none. It never decreases, except when a backup is restored. */
export async function readLastArrival(db: Runner, tenantId: number): Promise<number> {
  const row = await db.row(sql<{ no: number }>`
    select coalesce(max(arrival_no), 0) as no from event_arrival where tenant_id = ${tenantId}`);
  return row?.no ?? 0;
}

// No reader sees months that are about to be dropped.
const floor = sql`(select month_start(greatest(month, 12)) from event_floor)`;

/**
 * Newest first. Rows of whole runs are taken, because the events of a run are in order only among each other; then as many keys
 * as are wanted, and only those events are looked up, each by its primary key in its one partition.
 */
export function selectRecent(
  db: Runner,
  tenantId: number,
  { eventName, after, limit }: RecentOf,
  upTo: number,
): Promise<RecentRow[]> {
  const named: Sql = eventName === undefined ? sql`true` : sql`event_name = ${eventName}`;
  // An order that no index has: otherwise the plan would walk through all names of the tenant to find a rare one.
  const order: Sql = eventName === undefined ? sql`arrival_no` : sql`arrival_no + 0`;
  return db.rows(sql<RecentRow>`
    with runs as materialized (
      select event_name, arrival_no, kept from event_arrival
      where tenant_id = ${tenantId} and arrival_no > ${after} and arrival_no <= ${upTo} and kept > 0 and ${named}
      order by ${order} desc fetch first (${limit}) rows with ties
    ), enough as (
      select event_name, arrival_no, coalesce(sum(kept) over (
        order by arrival_no desc groups between unbounded preceding and 1 preceding), 0) as newer from runs
    ), keys as materialized (
      select a.arrival_no, a.received_at, k.* from enough join event_arrival a
        on a.tenant_id = ${tenantId} and a.event_name = enough.event_name and a.arrival_no = enough.arrival_no
      cross join lateral unnest(a.event_nos, a.contact_ids, a.event_dates) as k (event_no, contact_id, event_date)
      where enough.newer < ${limit} and k.event_date >= ${floor}
      order by a.arrival_no desc, k.event_no desc limit ${limit}
    )
    select k.event_no as no, e.event_name as "eventName", k.event_date as "eventDate", k.received_at as "receivedAt",
      k.contact_id as "contactId", c.email, e.user_id as "userId", e.org_id as "orgId",
      coalesce(e.properties, '{}') as "eventProperties"
    from keys k cross join lateral (
      select event_name, user_id, org_id, properties from event
      where tenant_id = ${tenantId} and contact_id = k.contact_id and event_date = k.event_date and event_no = k.event_no limit 1
    ) e cross join lateral (
      select email from ${contactTable} where tenant_id = ${tenantId} and contact_id = k.contact_id limit 1
    ) c order by k.arrival_no desc, k.event_no desc`);
}

/** Removes keys from the rows that have some of these. */
function takeKeys(rows: Sql, stays: Sql): Sql {
  return sql`
    /* all tenants */ update event_arrival a set (kept, event_nos, contact_ids, event_dates) = (
      select count(*), coalesce(array_agg(k.event_no order by k.event_no), '{}'),
        coalesce(array_agg(k.contact_id order by k.event_no), '{}'), coalesce(array_agg(k.event_date order by k.event_no), '{}')
      from unnest(a.event_nos, a.contact_ids, a.event_dates) as k (event_no, contact_id, event_date) where ${stays}
    ) where ${rows}`;
}

/** Erases a person. `eventNames`: the names of their events, so that few rows are searched. */
export async function forgetArrivals(
  tx: Transaction,
  tenantId: number,
  contactId: string,
  eventNames: readonly string[],
): Promise<void> {
  await tx.run(
    takeKeys(
      sql`a.tenant_id = ${tenantId} and a.event_name = any(${eventNames}::text[]) and ${contactId}::uuid = any(a.contact_ids)`,
      sql`k.contact_id <> ${contactId}::uuid`,
    ),
  );
}

/** Removes dropped months. Reads the whole table, which is small, once a month. */
export async function forgetMonths(db: Runner, before: number): Promise<void> {
  const start = sql`month_start(greatest(${before}::integer, 12))`;
  await db.run(takeKeys(sql`${start} > any(a.event_dates)`, sql`k.event_date >= ${start}`));
}
