import { counterOf } from '../../../db/counters.js';
import type { Database } from '../../../db/database.js';
import { bytes, sql } from '../../../db/sql.js';
import { type DynamicListRow, dynamicColumns } from '../../lists/index.js';
import { usedByFilter } from '../references/queries.js';

export interface Details extends DynamicListRow {
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
         where tenant_id = ${tenantId} and list_no = any(w.nos) and due_at <= clock_timestamp())) as at
      from wanted w
    )
    select ${dynamicColumns}, l.filter, l.is_built as "isBuilt", l.attempts, l.computed_at as "computedAt",
      greatest(0, (select coalesce(sum(delta), 0)::int8 from counter_delta
        where tenant_id = ${tenantId} and counter = ${counterOf.dynamicMembers(sql`l.list_no`)})) as "memberCount",
      greatest(0, coalesce(round(extract(epoch from clock_timestamp() - o.at), 3), 0))::float8 as "lagSeconds"
    from dynamic_list l cross join oldest o left join folder f on f.tenant_id = l.tenant_id and f.folder_id = l.folder_id
    where l.tenant_id = ${tenantId} and l.list_id = ${bytes(listId)} and l.deleted_at is null`);
}
