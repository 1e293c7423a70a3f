// Counts again what journeys counted, from the enrolments and what they noted.
import type { Runner } from '../../../../db/database.js';
import { sql } from '../../../../db/sql.js';
import { armIn, endOf, partsOf } from '../rest/queries.js';

export interface PassageDifference {
  journeyNo: number;
  stepId: string | null;
  part: string;
  what: string;
  /** `hour`: counted against recounted. `day` and `all`: what was folded into them against the hours that were folded. */
  span: 'hour' | 'day' | 'all';
  since: string;
  counted: number;
  recounted: number;
}

const key = sql`journey_no, step_id, part, what`;

// Every happening that there is a figure for: `key`, at. Of the tenant `t`.
const happened = sql`
  visit as (
    select e.journey_no, v.step_id, v.at as began, coalesce(lead(v.at) over (
      partition by v.enrolment_id order by v.no, v.place), e.ended_at) as ended
    from t join enrolment e on e.tenant_id = t.tenant_id
    join enrolment_line v on v.tenant_id = e.tenant_id and v.enrolment_id = e.enrolment_id and v.what = 'step'
  ), taken as (
    select e.journey_no, v.enrolment_id, v.step_id, v.no, v.place, v.at, ${armIn(sql`v`)} as arm
    from t join enrolment e on e.tenant_id = t.tenant_id and not e.is_holdout
    join enrolment_line v on v.tenant_id = e.tenant_id and v.enrolment_id = e.enrolment_id and v.what = 'split'
  ), chosen as (
    select *, lag(arm) over (partition by enrolment_id, step_id order by no, place) as before from taken
  ), earned as (
    select distinct on (s.enrolment_id, s.step_id) s.*, g.at as goal_at
    from t join enrolment_line g on g.tenant_id = t.tenant_id and g.what = 'goal'
    join taken s on s.enrolment_id = g.enrolment_id and (s.no, s.place) < (g.no, g.place)
    order by s.enrolment_id, s.step_id, s.no desc, s.place desc
  ), happened as (
    select e.journey_no, '' as step_id, p.part, h.what, h.at from t join enrolment e on e.tenant_id = t.tenant_id
    cross join lateral (values ('entered', e.entered_at), (e.state, e.ended_at), ('goal', e.goal_at)) as h (what, at)
    cross join lateral ${partsOf} where h.at is not null
    union all select journey_no, step_id, '', 'entered', began from visit
    union all select journey_no, step_id, '', w.what, ended from visit
      cross join lateral ${endOf(sql`began`, sql`ended`)} where ended is not null
    union all select journey_no, step_id, 'arm:' || arm, 'entered', at from chosen where arm is distinct from before
    union all select journey_no, step_id, 'arm:' || arm, 'goal', goal_at from earned
  )`;

/** Where the figures of a tenant's journeys are not what they should be: nowhere. In one statement, so that nothing changes meanwhile. */
export function recountJourneys(db: Runner, tenantId: number): Promise<PassageDifference[]> {
  return db.rows(sql<PassageDifference>`
    with t as (select ${tenantId}::bigint as tenant_id), ${happened}, folded as (
      select span, ${key}, since, n from journey_tally where tenant_id = ${tenantId}
    ), counted as (
      select ${key}, since, sum(n) as n from (
        select ${key}, since, n from folded where span = 'hour'
        union all select ${key}, hour, n from journey_tally_delta where tenant_id = ${tenantId}
      ) c group by ${key}, since
    ), recounted as (
      select journey_no, step_id collate "C" as step_id, part collate "C" as part, what collate "C" as what,
        date_trunc('hour', at, 'UTC')::timestamptz(0) as since, count(*) as n
      from happened group by 1, 2, 3, 4, 5
    ), summed as (
      select s.span collate "C" as span, ${key}, s.since, sum(n) as n from folded cross join lateral (
        values ('day', date_trunc('day', since, 'UTC')), ('all', timestamptz '1970-01-01T00:00:00Z')
      ) s (span, since) where folded.span = 'hour' group by s.span, ${key}, s.since
    ), compared as (
      select 'hour' as span, ${key}, since, coalesce(c.n, 0) as counted, coalesce(r.n, 0) as recounted
      from counted c full join recounted r using (${key}, since)
      union all
      select span, ${key}, since, coalesce(f.n, 0), coalesce(s.n, 0)
      from (select * from folded where span <> 'hour') f full join summed s using (span, ${key}, since)
    )
    select journey_no as "journeyNo", nullif(step_id, '') as "stepId", part, what, span, since, counted::int8 as counted,
      recounted::int8 as recounted
    from compared where counted <> recounted order by journey_no, step_id, part, what, span, since`);
}
