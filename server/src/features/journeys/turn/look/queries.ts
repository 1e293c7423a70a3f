// The loop's looks: which tenants' journeys have something to do, and where their news begin.
import type { Runner } from '../../../../db/database.js';
import { type Sql, sql } from '../../../../db/sql.js';
import type { Due, Waiting } from '../../../../work/queue.js';
import { isKnown, type NewsHead, type NewsStart } from '../queries.js';

const own = (table: Sql) => sql`${table}.tenant_id = j.tenant_id and ${table}.journey_no = j.journey_no`;

function headsJoin({ heads }: NewsStart): Sql {
  return sql`left join unnest(${heads.map((head) => head.tenantId)}::bigint[], ${heads.map((head) => head.journeyNo)}::integer[],
      ${heads.map((head) => head.newsNo)}::bigint[]) as f (tenant_id, journey_no, news_no)
      on f.tenant_id = j.tenant_id and f.journey_no = j.journey_no`;
}

/** Of the journey `j`. */
function startOf({ base }: NewsStart): Sql {
  return sql`coalesce(f.news_no, ${base}::bigint)`;
}

/** The first news of every journey that has some up to this number. Also of those that are not live: they may be again. */
export function selectNewsHeads(db: Runner, start: NewsStart, upTo: number): Promise<NewsHead[]> {
  return db.rows(sql<NewsHead>`
    /* all tenants */ select j.tenant_id as "tenantId", j.journey_no as "journeyNo", h.news_no as "newsNo"
    from journey j ${headsJoin(start)} cross join lateral (
      select n.news_no from journey_news n where ${own(sql`n`)} and n.news_no >= ${startOf(start)} order by n.news_no limit 1
    ) h where h.news_no <= ${upTo}`);
}

/**
 * Tenants whose journeys have something to do, and when the next one has. One look a live journey, however many are on their way. The
 * first of its news, not whether there are any: for that the planner begins to read the table, which is full of what is gone.
 */
export async function selectDue(db: Runner, start: NewsStart): Promise<Due> {
  const rows = await db.rows(sql<{ tenantId: number; waitMs: number }>`
    /* all tenants */ select w.tenant_id as "tenantId", min(w.wait_ms)::float8 as "waitMs" from (
      select j.tenant_id, case
        when j.is_stopping or cardinality(j.moves) > 0 or not j.dates_built then 0
        when (
          select n.news_no from journey_news n where ${own(sql`n`)} and n.news_no >= ${startOf(start)} and n.${isKnown}
          order by n.news_no limit 1
        ) is not null then 0
        when exists (select from journey_run r where ${own(sql`r`)} and r.ended_at is null) then 0
        else extract(epoch from least(j.next_run_at,
          (select e.due_at from enrolment e where ${own(sql`e`)} and e.state = 'active' order by e.due_at limit 1),
          (select d.due_at from journey_date d where ${own(sql`d`)} order by d.due_at limit 1)) - clock_timestamp()) * 1000
        end as wait_ms
      from journey j ${headsJoin(start)} where (j.state = 'active' and j.paused_at is null) or j.is_stopping
      union all
      select tenant_id, 0 from journey_news where journey_no = 0
    ) w where w.wait_ms is not null group by w.tenant_id`);
  const waits = rows.filter((row) => row.waitMs > 0).map((row) => row.waitMs);
  return {
    tenants: rows.filter((row) => row.waitMs <= 0).map((row) => row.tenantId),
    nextInMs: waits.length > 0 ? Math.min(...waits) : undefined,
  };
}

export function selectWaiting(db: Runner): Promise<Waiting[]> {
  const rest = sql`0 as attempts, null::text as "lastError", null::timestamptz as "dueAt"`;
  return db.rows(sql<Waiting>`
    /* all tenants */ select n.tenant_id as "tenantId", 'journey.news' as kind, count(*) as count, min(n.at) as since, ${rest}
    from journey_news n group by n.tenant_id
    union all
    select e.tenant_id, 'journey.step', count(*), min(e.due_at), ${rest} from journey j
    join enrolment e on e.tenant_id = j.tenant_id and e.journey_no = j.journey_no and e.state = 'active' and e.due_at <= now()
    where j.state = 'active' and j.paused_at is null group by e.tenant_id`);
}
