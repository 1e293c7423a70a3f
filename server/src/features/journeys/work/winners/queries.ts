import type { Runner } from '../../../../db/database.js';
import { sql } from '../../../../db/sql.js';
import { sentByEnrolment } from '../../../messages/index.js';
import { isTestAfterwards } from '../../life/queries.js';

export interface UndecidedVersion {
  tenantId: number;
  journeyId: string;
  journeyNo: number;
  version: number;
  type: 'batch' | 'trigger';
  definition: unknown;
  /** Milliseconds since its activation; of a broadcast, since it began, and null before. */
  ageMs: number | null;
  /** Splits that have a winner. */
  decided: string[];
}

/** Live versions of active journeys, and of broadcasts that were sent, with a split that is to have a winner and has none. By an index that has only such versions. */
export function selectUndecided(db: Runner): Promise<UndecidedVersion[]> {
  return db.rows(sql<UndecidedVersion>`
    /* all tenants */ select v.tenant_id as "tenantId", j.journey_id as "journeyId", v.journey_no as "journeyNo", v.version, j.type, v.definition,
      (extract(epoch from now() - case when j.broadcast is null then v.activated_at else (
        select min(run_at) from journey_run r where r.tenant_id = j.tenant_id and r.journey_no = j.journey_no) end) * 1000)::float8 as "ageMs",
      array(select step_id from split_winner w
        where w.tenant_id = v.tenant_id and w.journey_no = v.journey_no and w.version = v.version) as decided
    from journey j join journey_version v on v.tenant_id = j.tenant_id and v.journey_no = j.journey_no and v.is_live
    where (j.state = 'active' or ${isTestAfterwards}) and v.definition @? '$.steps[*].winner'
      and jsonb_array_length(jsonb_path_query_array(v.definition, '$.steps[*].winner')) > (
        select count(*) from split_winner w
        where w.tenant_id = v.tenant_id and w.journey_no = v.journey_no and w.version = v.version)`);
}

export interface ArmFigures {
  arm: string;
  /** That were sent after the split. */
  messages: number;
  /** Of those, how many somebody clicked in. */
  clicks: number;
  enrolments: number;
  goals: number;
}

/** How the arms of a split have done so far, in one version. Those who are held out get no mail whatever their arm, and do not count. */
export function selectArms(
  db: Runner,
  { tenantId, journeyId, journeyNo, version }: UndecidedVersion,
  stepId: string,
  /** That the arms lead to. */
  stepIds: readonly string[],
): Promise<ArmFigures[]> {
  return db.rows(sql<ArmFigures>`
    with own as (
      select enrolment_id, arms ->> ${stepId}::text as arm, goal_at is not null as has_goal from enrolment
      where tenant_id = ${tenantId} and journey_no = ${journeyNo} and version = ${version} and arms ? ${stepId}::text
        and not is_holdout
    ), sent as (${sentByEnrolment(tenantId, journeyId, stepIds)})
    select own.arm, coalesce(sum(sent.messages), 0)::int8 as messages, coalesce(sum(sent.clicks), 0)::int8 as clicks,
      count(*) as enrolments, count(*) filter (where own.has_goal) as goals
    from own left join sent using (enrolment_id) group by own.arm`);
}

/** The arm that everybody takes from now on, and how sure it is that it is the best. */
export interface Decision {
  arm: string;
  /** Better than every other with 95 % confidence. */
  isSignificant: boolean;
  /** Of the others, the one that comes closest. Null: there is none. */
  against: string | null;
  difference: number | null;
  interval: readonly [number, number] | null;
}

export async function insertWinner(
  db: Runner,
  { tenantId, journeyNo, version }: UndecidedVersion,
  stepId: string,
  { arm, isSignificant, against, difference, interval }: Decision,
): Promise<void> {
  await db.run(sql`
    insert into split_winner (tenant_id, journey_no, version, step_id, arm, is_significant, against, difference, interval_low, interval_high)
    values (${tenantId}, ${journeyNo}, ${version}, ${stepId}, ${arm}, ${isSignificant}, ${against}, ${difference},
      ${interval?.[0] ?? null}, ${interval?.[1] ?? null})
    on conflict do nothing`);
}
