import { type Sql, sql } from '../db/sql.js';

/**
 * The first waiting row of every tenant. Hops from tenant to tenant through an index that begins with tenant_id and goes on with
 * `order`, so a million rows cost no more than one: bench/results has the plan.
 */
export function headsOf(table: Sql, waiting: Sql, order: Sql, columns: Sql): Sql {
  const head = sql`select tenant_id, ${columns} from ${table} where ${waiting}`;
  const first = sql`order by tenant_id, ${order} limit 1`;
  return sql`(/* all tenants */ with recursive head as (
      (${head} ${first})
      union all
      select next.* from head cross join lateral (${head} and tenant_id > head.tenant_id ${first}) next
    ) select * from head)`;
}
