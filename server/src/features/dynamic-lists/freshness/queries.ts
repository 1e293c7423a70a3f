import type { DataValue, listDynamicListStates } from '@rapport/contract';
import { counterOf, counters, counterValue } from '../../../db/counters.js';
import type { Database } from '../../../db/database.js';
import { type Page, type PageOf, paged } from '../../../db/paged.js';
import { bytes, sql } from '../../../db/sql.js';
import { folderOf } from '../../folders/index.js';
import type { DynamicListRow } from '../../lists/index.js';
import { dynamicColumns } from '../queries.js';
import { usedByFilter } from '../references/queries.js';

interface Details extends DynamicListRow {
  filter: unknown;
  memberCount: number;
  isBuilt: boolean;
  attempts: number;
  computedAt: string | null;
  lagSeconds: number;
}

/**
 * A live list and how far behind it is: the age of the oldest change that it, or a list that it is made of, has not seen. Changes that
 * wait may be many: a slow read.
 */
export function findDetails(db: Database, tenantId: number, listId: string): Promise<Details | undefined> {
  return db.slow(tenantId).row(sql<Details>`
    with recursive part as (
      select l.list_id, l.list_no, l.filter, l.is_built, l.build_began_at from dynamic_list l
      where l.tenant_id = ${tenantId} and l.list_id = ${bytes(listId)} and l.deleted_at is null
      union
      select p.list_id, p.list_no, p.filter, p.is_built, p.build_began_at
      from part l cross join lateral (${usedByFilter}) used
      join dynamic_list p on p.tenant_id = ${tenantId} and p.list_id = used.list_id and p.deleted_at is null
    ), wanted as (
      select array_agg(list_no) as nos, min(build_began_at) filter (where not is_built) as build from part
    ), oldest as (
      select least(w.build,
        (select min(changed_at) from audience_change
         where tenant_id = ${tenantId} and (list_nos = '{}' or list_nos && w.nos or org_list_nos && w.nos)),
        (select min(changed_at) from audience_org_change
         where tenant_id = ${tenantId} and (list_nos && w.nos or org_list_nos && w.nos)),
        (select min(due_at) from dynamic_due
         where tenant_id = ${tenantId} and list_no = any(w.nos) and due_at <= statement_timestamp())) as at
      from wanted w
    )
    select ${dynamicColumns}, l.filter, l.is_built as "isBuilt", l.attempts, l.computed_at as "computedAt",
      greatest(0, ${counterValue(tenantId, counterOf.dynamicMembers(sql`l.list_no`))}) as "memberCount",
      greatest(0, coalesce(round(extract(epoch from clock_timestamp() - o.at), 3), 0))::float8 as "lagSeconds"
    from dynamic_list l cross join oldest o ${folderOf(sql`l`)}
    where l.tenant_id = ${tenantId} and l.list_id = ${bytes(listId)} and l.deleted_at is null`);
}

type ListState = DataValue<typeof listDynamicListStates>;

/** The same for many lists: waiting changes are read once, whichever lists they are for. */
export function selectStates(db: Database, tenantId: number, { limit, offset }: PageOf): Promise<Page<ListState>> {
  const ofTenant = sql`tenant_id = ${tenantId}`;
  const rows = sql<ListState>`
    with recursive shown as (
      select list_no, list_id, filter, is_built, computed_at, created_at from dynamic_list
      where ${ofTenant} and deleted_at is null order by created_at desc, list_id desc limit ${limit} offset ${offset}
    ), part as (
      select list_no as root, list_no, filter from shown
      union
      select l.root, p.list_no, p.filter from part l cross join lateral (${usedByFilter}) used
      join dynamic_list p on p.tenant_id = ${tenantId} and p.list_id = used.list_id and p.deleted_at is null
    ), waiting (list_no, at) as (
      select null::integer, min(changed_at) from audience_change where ${ofTenant} and list_nos = '{}'
      union all
      select no, min(changed_at) from audience_change cross join lateral unnest(list_nos || org_list_nos) as u (no)
      where ${ofTenant} group by no
      union all
      select no, min(changed_at) from audience_org_change cross join lateral unnest(list_nos || org_list_nos) as u (no)
      where ${ofTenant} group by no
      union all
      select list_no, min(due_at) from dynamic_due where ${ofTenant} and due_at <= statement_timestamp() group by list_no
      union all
      select list_no, build_began_at from dynamic_list where ${ofTenant} and deleted_at is null and not is_built
    ), oldest as (
      select p.root, min(w.at) as at from part p join waiting w on w.list_no = p.list_no or w.list_no is null group by p.root
    )
    select l.list_id as "dynamicListId",
      greatest(0, ${counterValue(tenantId, counterOf.dynamicMembers(sql`l.list_no`))}) as "memberCount",
      case when l.is_built then 'ready' else 'building' end as state, l.computed_at as "computedAt",
      greatest(0, coalesce(round(extract(epoch from clock_timestamp() - o.at), 3), 0))::float8 as "lagSeconds"
    from shown l left join oldest o on o.root = l.list_no order by l.created_at desc, l.list_id desc`;
  // A slow read, like the one above.
  const page = { limit, offset, isSearch: true };
  return paged(db, tenantId, page, { total: counterValue(tenantId, counters.dynamicLists), rows });
}
