// What statistics need to know of journeys.
import type { Runner } from '../../../../db/database.js';
import { bytes, type Sql, sql } from '../../../../db/sql.js';
import {
  type JourneyFilter,
  type JourneyStatus,
  type JourneyType,
  type Json,
  matchingJourneys,
} from '../../queries.js';

export interface NamedJourney {
  journeyNo: number;
  journeyId: string;
  name: string;
  type: JourneyType;
  status: JourneyStatus;
  hasGoal: boolean;
}

// Of `j`, a journey.
const columns = sql`j.journey_no as "journeyNo", j.journey_id as "journeyId", j.name, j.type, j.state as status, j.has_goal as "hasGoal"`;

/** Those that a filter of the collection means, in its order: one more than the limit where there are more. */
export function selectJourneysForStats(
  db: Runner,
  tenantId: number,
  filter: JourneyFilter,
  limit: number,
): Promise<NamedJourney[]> {
  return db.rows(firstJourneys<NamedJourney>(tenantId, filter, limit, columns));
}

const anyJourney: JourneyFilter = { status: [], type: [], tag: [], search: undefined, folderId: undefined };

/** The same of all journeys, as a query. With `createdAt`: sort again after joining it to others. */
export function allJourneysForStats(tenantId: number, limit: number): Sql {
  return firstJourneys(tenantId, anyJourney, limit, sql`${columns}, j.created_at as "createdAt"`);
}

function firstJourneys<Row>(tenantId: number, filter: JourneyFilter, limit: number, shown: Sql): Sql<Row> {
  return sql<Row>`
    select ${shown} from journey j where ${matchingJourneys(tenantId, filter)}
    order by j.created_at desc, j.journey_id desc limit ${limit + 1}`;
}

interface BegunBroadcast {
  broadcastId: string;
  name: string;
  startedAt: string;
}

/** All that began by then, deleted ones too. They are sent one at a time by people, so there are hundreds, not millions. */
export function selectBroadcastsForStats(db: Runner, tenantId: number, by: string | null): Promise<BegunBroadcast[]> {
  return db.rows(sql<BegunBroadcast>`
    select j.journey_id as "broadcastId", j.name, r.run_at as "startedAt" from journey j
    join lateral (
      select run_at from journey_run r where r.tenant_id = j.tenant_id and r.journey_no = j.journey_no order by run_at limit 1
    ) r on true
    where j.tenant_id = ${tenantId} and j.broadcast is not null and r.run_at <= coalesce(${by}::timestamptz, 'infinity')`);
}

/** The arm that every contact takes, and how certain it was when that was decided. */
export interface WonSplit {
  arm: string;
  decidedAt: string;
  isSignificant: boolean | null;
  against: string | null;
  difference: number | null;
  interval: [number, number] | null;
}

interface StoredForStats extends NamedJourney {
  /** What was last saved. */
  saved: Json | null;
  /** All that were ever active, the newest first. `winners` by step. */
  versions: { version: number; definition: Json; winners: Record<string, WonSplit> }[];
}

export function findStoredForStats(
  db: Runner,
  tenantId: number,
  journeyId: string,
): Promise<StoredForStats | undefined> {
  return db.row(sql<StoredForStats>`
    select ${columns}, j.definition as saved, coalesce((
      select jsonb_agg(jsonb_build_object('version', v.version, 'definition', v.definition, 'winners', coalesce((
        select jsonb_object_agg(w.step_id, jsonb_build_object('arm', w.arm, 'decidedAt', to_char(w.decided_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'isSignificant', w.is_significant,
          'against', w.against, 'difference', w.difference,
          'interval', case when w.interval_low is not null then jsonb_build_array(w.interval_low, w.interval_high) end))
        from split_winner w
        where w.tenant_id = v.tenant_id and w.journey_no = v.journey_no and w.version = v.version), '{}')) order by v.version desc)
      from journey_version v where v.tenant_id = j.tenant_id and v.journey_no = j.journey_no), '[]') as versions
    from journey j where j.tenant_id = ${tenantId} and j.journey_id = ${bytes(journeyId)} and j.deleted_at is null`);
}

/** A journey that people enter one by one. */
export interface LiveEntries {
  tenantId: number;
  journeyId: string;
  journeyNo: number;
  /** Null: somebody entered in the last 24 hours. Else how many entered in each of the seven times 24 hours before, the latest first. */
  days: number[] | null;
}

interface JourneyPlace {
  tenantId: number;
  journeyNo: number;
}

/**
 * Some journeys of all tenants that have been active for 24 hours and are not paused, and whether anybody entered; not those that start
 * for all their members at once. The last 24 hours are whole ones, and the part of one that it is now.
 */
export function selectLiveEntries(
  db: Runner,
  after: JourneyPlace,
  now: string,
  atMost: number,
): Promise<LiveEntries[]> {
  const hour = sql`date_trunc('hour', ${now}::timestamptz, 'UTC')`;
  const ago = (days: Sql) => sql`(${hour} - make_interval(hours => 24 * (${days})))`;
  const own = sql`tenant_id = j.tenant_id and journey_no = j.journey_no and step_id = '' and part = '' and what = 'entered'`;
  const folded = sql`journey_tally where span = 'hour' and ${own}`;
  const fresh = sql`journey_tally_delta where ${own}`;
  return db.rows(sql<LiveEntries>`
    /* all tenants */ select j.tenant_id as "tenantId", j.journey_id as "journeyId", j.journey_no as "journeyNo",
      case when not exists (select from ${folded} and since >= ${ago(sql`1`)})
        and not exists (select from ${fresh} and hour >= ${ago(sql`1`)})
      then array(
        select coalesce((
          select sum(n) from (select n from ${folded} and since >= ${ago(sql`d + 1`)} and since < ${ago(sql`d`)}
            union all select n from ${fresh} and hour >= ${ago(sql`d + 1`)} and hour < ${ago(sql`d`)}) e), 0)::integer
        from generate_series(1, 7) d order by d) end as days
    from (
      select tenant_id, journey_id, journey_no from journey
      where state = 'active' and type = 'trigger' and broadcast is null and deleted_at is null and paused_at is null and not is_stopping
        and activated_at <= ${now}::timestamptz - interval '24 hours'
        and (tenant_id, journey_no) > (${after.tenantId}::bigint, ${after.journeyNo}::integer)
      order by tenant_id, journey_no limit ${atMost}
    ) j order by j.tenant_id, j.journey_no`);
}
