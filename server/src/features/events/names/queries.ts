import type { Database, Runner } from '../../../db/database.js';
import { type Page, type PageOf, paged } from '../../../db/paged.js';
import { type Sql, sql } from '../../../db/sql.js';
import { foldCase } from '../../../lib/text.js';
import { mostKept } from '../recent/index.js';

/**
 * Adds the oldest deltas to the days and totals of their names, and drops keys of those names that can no longer be requested. Returns how many
 * deltas. One statement, so no reader sees an event twice or not at all; in key order, so that concurrent processes wait for each
 * other without a deadlock.
 */
export async function foldEventDeltas(db: Runner, atMost: number): Promise<number> {
  const row = await db.row(sql<{ folded: number }>`
    /* all tenants */ with oldest as (
      select tenant_id, delta_no from event_delta order by tenant_id, delta_no limit ${atMost} for update skip locked
    ), gone as (
      delete from event_delta d using oldest o where d.tenant_id = o.tenant_id and d.delta_no = o.delta_no returning d.*
    ), days as (
      insert into event_day as t (tenant_id, event_name, day, events)
      select tenant_id, event_name, day, sum(events) from gone group by 1, 2, 3 order by 1, 2, 3
      on conflict (tenant_id, event_name, day) do update set events = t.events + excluded.events
    ), names as (
      insert into event_name as t (tenant_id, name, events, first_at, last_at)
      select tenant_id, event_name, sum(events), min(first_at), max(last_at) from gone group by 1, 2 order by 1, 2
      on conflict (tenant_id, name) do update set events = t.events + excluded.events,
        first_at = least(t.first_at, excluded.first_at), last_at = greatest(t.last_at, excluded.last_at)
      returning tenant_id, name
    ), passed as (
      select tenant_id, event_name, arrival_no from (
        select a.tenant_id, a.event_name, a.arrival_no, sum(a.kept) over newer - a.kept as newer
        from names n join event_arrival a on a.tenant_id = n.tenant_id and a.event_name = n.name
        window newer as (partition by a.tenant_id, a.event_name order by a.arrival_no desc)
      ) a where newer >= ${mostKept}
    ), pruned as (
      delete from event_arrival a using passed p
      where a.tenant_id = p.tenant_id and a.event_name = p.event_name and a.arrival_no = p.arrival_no
    )
    select count(*) as folded from gone`);
  return row?.folded ?? 0;
}

interface NameRow {
  eventName: string;
  firstSeenAt: string | null;
  lastSeenAt: string | null;
  total: number;
  days: { day: string; count: number }[];
}

// The row of a page already has a column `total`: that of all rows.
type PagedName = Omit<NameRow, 'total'> & { events: number };

/** By name. Folded and unfolded counts, added up. */
export async function listNames(
  db: Database,
  tenantId: number,
  search: string | undefined,
  page: PageOf,
): Promise<Page<NameRow>> {
  const found =
    search === undefined ? sql`true` : sql`position(${foldCase(search)} in coalesce(name_folded, lower(name))) > 0`;
  const which = sql`tenant_id = ${tenantId} and ${found}`;
  const { rows, total } = await paged(
    db,
    tenantId,
    { ...page, isSearch: search !== undefined },
    {
      total: sql`(select count(*) from event_name where ${which})`,
      rows: sql<PagedName>`
      with here as materialized (
        select name, events, first_at, last_at from event_name where ${which}
        order by name limit ${page.limit} offset ${page.offset}
      ), fresh as materialized (
        select event_name, day, events, first_at, last_at from event_delta
        where tenant_id = ${tenantId} and event_name in (select name from here)
      ), since as materialized (
        select event_name, sum(events)::int8 as events, min(first_at) as first_at, max(last_at) as last_at from fresh group by 1
      ), counted as materialized (
        select event_name, day, sum(events)::int8 as events from (
          select d.event_name, d.day, d.events from here h join event_day d
            on d.tenant_id = ${tenantId} and d.event_name = h.name and ${isLately(sql`d.day`)}
          union all select event_name, day, events from fresh where ${isLately(sql`day`)}
        ) d group by 1, 2
      ), days as materialized (
        select event_name, json_agg(json_build_object('day', day::text, 'count', events) order by day) as days from counted group by 1
      )
      select h.name as "eventName", least(h.first_at, s.first_at) as "firstSeenAt", greatest(h.last_at, s.last_at) as "lastSeenAt",
        h.events + coalesce(s.events, 0) as events, coalesce(d.days, '[]') as days
      from here h left join since s on s.event_name = h.name left join days d on d.event_name = h.name order by h.name`,
    },
  );
  return { rows: rows.map(({ events, ...row }) => ({ ...row, total: events })), total };
}

/** Today and the 29 days before it, in UTC. */
function isLately(day: Sql): Sql {
  const today = sql`(now() at time zone 'UTC')::date`;
  return sql`${day} > ${today} - 30 and ${day} <= ${today}`;
}
