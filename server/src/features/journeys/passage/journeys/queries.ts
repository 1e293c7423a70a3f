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
}

// Of `j`, a journey.
const columns = sql`j.journey_no as "journeyNo", j.journey_id as "journeyId", j.name, j.type, j.state as status`;

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
