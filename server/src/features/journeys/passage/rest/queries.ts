// What passed through journeys in parts of an hour, from the rows themselves.
import { type Sql, sql } from '../../../../db/sql.js';
import { type Stretch, within } from '../../../../db/tallies.js';

/** `journeys`: nothing of their steps. `steps`: those too, but not how long visits took. The less, the faster. */
export type PassageDetail = 'journeys' | 'steps' | 'times';

/** The arm that a line about a split names. */
export const armIn = (line: Sql): Sql => sql`(${line}.subjects ->> 'arm')`;

/** Both names of the end of a visit: that it ended, and after about how long. */
export const endOf = (began: Sql, ended: Sql): Sql => sql`
  (values ('left'), ('took:' || round(8 * ln(greatest(1, round(extract(epoch from ${ended} - ${began}) * 1000))::float8) / ln(2::float8))))
    as w (what)`;

/** The last visit of an enrolment `e` that meets a condition. */
export const lastVisit = (tenantId: number, which: Sql): Sql => sql`(
  select b.step_id, b.at from enrolment_line b
  where b.tenant_id = ${tenantId} and b.enrolment_id = e.enrolment_id and b.what = 'step' and ${which}
  order by b.no desc, b.place desc limit 1)`;

/** For an enrolment `e`: its part in the figures of all, and in those of the holdout. */
export const partsOf = sql`(select '' as part union all select 'holdout' where e.is_holdout) as p`;

/** One row for each thing that happened: journey_no, step_id, part, what. */
export function passedIn(
  tenantId: number,
  journeyNos: readonly number[],
  rest: readonly Stretch[],
  detail: PassageDetail,
): Sql {
  const own = sql`e.tenant_id = ${tenantId} and e.journey_no = any(${journeyNos}::integer[])`;
  const lives = livesIn(own, rest);
  if (detail === 'journeys') return lives;
  return sql`${lives} union all ${visitsIn(tenantId, own, rest, detail)} union all ${armsIn(tenantId, own, rest)}`;
}

function livesIn(own: Sql, rest: readonly Stretch[]): Sql {
  const happened = (what: Sql, at: Sql) => sql`
    select e.journey_no, '' as step_id, p.part, ${what} as what from enrolment e cross join lateral ${partsOf}
    where ${own} and ${within(at, rest)}`;
  return sql`${happened(sql`'entered'`, sql`e.entered_at`)}
    union all ${happened(sql`e.state`, sql`e.ended_at`)}
    union all ${happened(sql`'goal'`, sql`e.goal_at`)}`;
}

// The enrolment of a note `v`, by its key.
const whose = sql`join enrolment e on e.tenant_id = v.tenant_id and e.enrolment_id = v.enrolment_id`;

/** A visit ends when the next one begins, or the enrolment ends. */
function visitsIn(tenantId: number, own: Sql, rest: readonly Stretch[], detail: PassageDetail): Sql {
  const begun = sql`from enrolment_line v ${whose}`;
  const isBegun = sql`${own} and v.tenant_id = ${tenantId} and v.what = 'step' and ${within(sql`v.at`, rest)}`;
  const ends = detail === 'times' ? endOf(sql`l.began`, sql`l.ended`) : sql`(values ('left')) as w (what)`;
  return sql`
    select e.journey_no, v.step_id, '', 'entered' ${begun} where ${isBegun}
    union all
    select l.journey_no, l.step_id, '', w.what from (
      select e.journey_no, b.step_id, b.at as began, v.at as ended ${begun}
      cross join lateral ${lastVisit(tenantId, sql`(b.no, b.place) < (v.no, v.place)`)} b where ${isBegun}
      union all
      select e.journey_no, b.step_id, b.at, e.ended_at from enrolment e
      cross join lateral ${lastVisit(tenantId, sql`true`)} b where ${own} and ${within(sql`e.ended_at`, rest)}
    ) l cross join lateral ${ends}`;
}

/** Those who are held out get no mail whatever their arm, and do not count: as when a winner is looked for. */
function armsIn(tenantId: number, own: Sql, rest: readonly Stretch[]): Sql {
  return sql`
    select e.journey_no, v.step_id, 'arm:' || ${armIn(sql`v`)}, 'entered' from enrolment_line v ${whose}
    where ${own} and not e.is_holdout and v.tenant_id = ${tenantId} and v.what = 'split' and ${within(sql`v.at`, rest)}
      and ${armIn(sql`v`)} is distinct from (
        select ${armIn(sql`b`)} from enrolment_line b
        where b.tenant_id = ${tenantId} and b.enrolment_id = v.enrolment_id and b.what = 'split' and b.step_id = v.step_id
          and (b.no, b.place) < (v.no, v.place)
        order by b.no desc, b.place desc limit 1)
    union all
    select e.journey_no, s.step_id, 'arm:' || s.arm, 'goal' from enrolment e cross join lateral (
      select distinct on (b.step_id) b.step_id, ${armIn(sql`b`)} as arm
      from enrolment_line g join enrolment_line b on b.tenant_id = g.tenant_id and b.enrolment_id = g.enrolment_id
      where g.tenant_id = ${tenantId} and g.enrolment_id = e.enrolment_id and g.what = 'goal' and b.what = 'split'
        and (b.no, b.place) < (g.no, g.place)
      order by b.step_id, b.no desc, b.place desc
    ) s where ${own} and not e.is_holdout and ${within(sql`e.goal_at`, rest)}`;
}
