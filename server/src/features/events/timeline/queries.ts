import type { Database, Runner, Transaction } from '../../../db/database.js';
import { lines, type Sql, sql } from '../../../db/sql.js';
import type { Span } from '../../../lib/month.js';
import type { MonthCount, Place } from './place.js';

/** A table with one partition per month and a count per contact and month, and the columns to show. */
export interface Source {
  table: Sql;
  counts: Sql;
  /** Earlier months have been dropped: their counts may still be there, but no longer count. */
  floor: Sql;
  columns: Sql;
}

export const productEvents: Source = {
  table: sql`event`,
  counts: sql`event_count`,
  floor: sql`(select month from event_floor)`,
  columns: sql`user_id as "userId", org_id as "orgId", event_name as "eventName", event_date as "eventDate",
    coalesce(properties, '{}') as "eventProperties"`,
};

export const marketingEvents: Source = {
  table: sql`marketing_activity`,
  counts: sql`marketing_activity_count`,
  floor: sql`0`,
  columns: sql`event_name as "eventName", event_date as "eventDate", journey_id as "journeyId",
    journey_run_id as "journeyRunId", email_id as "emailId", email_subject as "emailSubject", link_url as "linkUrl",
    is_machine as "isMachine", topic_id as "topicId", language`,
};

/** How many events a contact has in a month. */
export interface MonthTally {
  contactId: string;
  month: number;
  events: number;
}

/**
 * Counts what was stored. Under the tenant's lock, so no two writers want the same row. In key order: neighbouring rows
 * are then on cached pages, which saves a fifth.
 */
export async function addToMonths(
  tx: Transaction,
  { counts }: Source,
  tenantId: number,
  tallies: readonly MonthTally[],
): Promise<void> {
  await tx.run(sql`
    insert into ${counts} as c (tenant_id, contact_id, month, events)
    select ${tenantId}, contact_id::uuid, month::integer, events::bigint
    from rows from (string_to_table(${lines(tallies.map((t) => t.contactId))}, E'\n'),
      string_to_table(${lines(tallies.map((t) => String(t.month)))}, E'\n'),
      string_to_table(${lines(tallies.map((t) => String(t.events)))}, E'\n')) as t (contact_id, month, events)
    order by 2, 3
    on conflict (tenant_id, contact_id, month) do update set events = c.events + excluded.events`);
}

export interface Owner {
  tenantId: number;
  contactId: string;
}

/** Newest month first. */
export function selectMonths(
  db: Runner,
  { counts, floor }: Source,
  { tenantId, contactId }: Owner,
  first: number,
  last: number,
): Promise<MonthCount[]> {
  return db.rows(sql<MonthCount>`
    select month, events from ${counts}
    where tenant_id = ${tenantId} and contact_id = ${contactId} and month between ${first} and ${last} and month >= ${floor}
    order by month desc`);
}

/** How many events there are in part of a month: read only from the index. */
export async function countEvents(db: Database, { table }: Source, owner: Owner, span: Span): Promise<number> {
  const row = await db
    .slow(owner.tenantId)
    .row(sql<{ events: number }>`select count(*) as events from ${table} where ${within(owner, span)}`);
  return row?.events ?? 0;
}

function within({ tenantId, contactId }: Owner, { from, before }: Span): Sql {
  return sql`tenant_id = ${tenantId} and contact_id = ${contactId} and event_date >= ${from}::timestamptz
    and event_date < ${before}::timestamptz`;
}

const newestFirst = sql`order by event_date desc, event_no desc`;
// From this many on, reading skipped rows takes longer than finding the wanted ones again.
const farFromStart = 400;

/** The rows of a page. Far from the start, skipped rows are read only from the index, on a connection of its own. */
export function selectPage<Row>(
  db: Database,
  { table, columns }: Source,
  owner: Owner,
  { span, skip, take }: Place,
): Promise<Row[]> {
  if (skip < farFromStart)
    return db.rows(sql<Row>`
      select ${columns} from ${table} where ${within(owner, span)} ${newestFirst} limit ${take} offset ${skip}`);
  return db.slow(owner.tenantId).rows(sql<Row>`
    select ${columns} from (
      select event_date as at, event_no as no from ${table} where ${within(owner, span)} ${newestFirst}
      limit ${take} offset ${skip}
    ) page cross join lateral (
      select * from ${table} where ${within(owner, span)} and event_date = at and event_no = no limit 1
    ) e ${newestFirst}`);
}

/** The position of a row in its contact's timeline. */
export interface TimelineKey {
  eventDate: string;
  eventNo: number;
}

/** The rows of a contact, newest first, in whatever month: by key, without the counts. */
export function selectTimelineAfter<Row>(
  db: Runner,
  { table, columns }: Source,
  { tenantId, contactId }: Owner,
  after: TimelineKey | undefined,
  limit: number,
): Promise<(Row & TimelineKey)[]> {
  const behind = after
    ? sql`and (event_date, event_no) < (${after.eventDate}::timestamptz, ${after.eventNo}::bigint)`
    : sql``;
  return db.rows(sql<Row & TimelineKey>`
    select ${columns}, event_no as "eventNo" from ${table}
    where tenant_id = ${tenantId} and contact_id = ${contactId} ${behind}
    order by event_date desc, event_no desc limit ${limit}`);
}
