// What messages and journeys have counted, in one statement.
import type { Runner } from '../../db/database.js';
import { sql, unnamed } from '../../db/sql.js';
import { allJourneysForStats, type NamedJourney, sumPassageEver } from '../journeys/index.js';
import { type Counts, sumByJourneyEver } from '../messages/index.js';
import type { Whole } from './passage.js';

type JourneyEver = NamedJourney & Counts & Whole;

/**
 * All journeys of a tenant with their all-time counts; if there are more than the limit, one more, without figures. Three
 * statements, each with the keys that the first had found, took twice as long.
 */
export function selectJourneysEver(db: Runner, tenantId: number, limit: number): Promise<JourneyEver[]> {
  const isAsked = sql`(select count(*) from j) <= ${limit}`;
  const numbers = sql`array(select "journeyNo" from j where ${isAsked})`;
  // Planned for its values: a generic plan assumes few journeys, and compares each with all figures.
  const all = sql<JourneyEver>`
    with j as materialized (${allJourneysForStats(tenantId, limit)}), m as (${sumByJourneyEver(tenantId, isAsked)}),
      p as (${sumPassageEver(tenantId, numbers)})
    select j."journeyNo", j."journeyId", j.name, j.type, j.status, j."hasGoal", ${shown}
    from j left join m on m."journeyId" = encode(j."journeyId", 'hex') left join p on p."journeyNo" = j."journeyNo"
    order by j."createdAt" desc, j."journeyId" desc`;
  return db.rows(unnamed(all));
}
// A journey without counts has zeros.
const shown = sql`
  coalesce(m.sent, 0) as sent, coalesce(m.delivered, 0) as delivered, coalesce(m.opened, 0) as opened,
  coalesce(m."uniqueOpened", 0) as "uniqueOpened", coalesce(m.clicked, 0) as clicked,
  coalesce(m."uniqueClicked", 0) as "uniqueClicked", coalesce(m."hardBounced", 0) as "hardBounced",
  coalesce(m."softBounced", 0) as "softBounced", coalesce(m.unsubscribed, 0) as unsubscribed,
  coalesce(m.complained, 0) as complained, coalesce(m.failed, 0) as failed, coalesce(m."machineOpened", 0) as "machineOpened",
  coalesce(m."machineClicked", 0) as "machineClicked", coalesce(m."clickOnly", 0) as "clickOnly",
  coalesce(p.entered, 0) as entered, coalesce(p.completed, 0) as completed, coalesce(p.exited, 0) as exited,
  coalesce(p.entered - p.completed - p.exited, 0) as "inProgress", coalesce(p."reachedGoal", 0) as "reachedGoal",
  coalesce(p."heldEntered", 0) as "heldEntered", coalesce(p."heldReachedGoal", 0) as "heldReachedGoal"`;
