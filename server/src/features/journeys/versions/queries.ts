// Definitions that were ever active, the contacts under way in them, and the runs of batch journeys.
import type { DataValue, JourneyVersion, listJourneyRuns } from '@rapport/contract';
import type { Static } from 'typebox';
import type { Database, Runner } from '../../../db/database.js';
import { type Page, type PageOf, paged } from '../../../db/paged.js';
import { sql } from '../../../db/sql.js';
import { hideHeaders } from '../headers/hide.js';
import type { Json } from '../queries.js';
import type { Standing } from './compare.js';

/** Without what headers of webhooks say. */
export async function selectVersions(
  db: Database,
  tenantId: number,
  journeyNo: number,
  page: PageOf,
): Promise<Page<Static<typeof JourneyVersion>>> {
  const own = sql`v.tenant_id = ${tenantId} and v.journey_no = ${journeyNo}`;
  const total = sql`(select count(*) from journey_version v where ${own})`;
  const rows = sql<Static<typeof JourneyVersion>>`
    select v.version, v.activated_at as "activatedAt", v.definition,
      (select count(*) from enrolment e where e.tenant_id = v.tenant_id and e.journey_no = v.journey_no
        and e.version = v.version and e.state = 'active') as "inProgress"
    from (
      select * from journey_version v where ${own} order by v.version desc limit ${page.limit} offset ${page.offset}
    ) v order by v.version desc`;
  // Not a short read: a million may be on the way.
  const found = await paged(db, tenantId, { ...page, isSearch: true, isFat: true }, { total, rows });
  return { ...found, rows: found.rows.map((row) => ({ ...row, definition: hideHeaders(row.definition as Json) })) };
}

type RunRow = DataValue<typeof listJourneyRuns>;

/** Newest first. */
export function selectRuns(db: Database, tenantId: number, journeyNo: number, page: PageOf): Promise<Page<RunRow>> {
  const own = sql`tenant_id = ${tenantId} and journey_no = ${journeyNo}`;
  const total = sql`(select count(*) from journey_run where ${own})`;
  const rows = sql<RunRow>`
    select run_id as "runId", run_at as "runAt", ended_at as "endedAt", version, members, enrolled from journey_run
    where ${own} order by run_at desc, run_id desc limit ${page.limit} offset ${page.offset}`;
  return paged(db, tenantId, page, { total, rows });
}

/** Where those who are on the way stand. */
export function selectStanding(db: Runner, tenantId: number, journeyNo: number): Promise<Standing[]> {
  return db.rows(sql<Standing>`
    select version, step_id as "stepId", count(*) as "inProgress" from enrolment
    where tenant_id = ${tenantId} and journey_no = ${journeyNo} and state = 'active'
    group by version, step_id order by version desc, step_id`);
}

export async function selectDefinitions(
  db: Runner,
  tenantId: number,
  journeyNo: number,
  versions: readonly number[],
): Promise<Map<number, Json>> {
  const rows = await db.rows(sql<{ version: number; definition: Json }>`
    select version, definition from journey_version
    where tenant_id = ${tenantId} and journey_no = ${journeyNo} and version = any(${versions}::integer[])`);
  return new Map(rows.map((row) => [row.version, row.definition]));
}
