// A sample of a tenant's rows: as fast for ten million as for ten thousand.
import { type Sql, sql } from './sql.js';

/** A table with tenant_id and properties. */
interface SampledTable {
  table: Sql;
  /** The key of its rows, besides the tenant. */
  id: Sql;
  /** The order of an index on (tenant_id, key), roughly by creation time. */
  key: Sql;
  /** Whether the key is an id, which begins with its creation time in milliseconds (12 hex digits), or a time. */
  keyIs: 'id' | 'time';
}

const places = 25;

/**
 * Properties of at most this many rows, as a query with a column `properties`: half are the newest, half are spread evenly over the
 * time in which rows arrived. By time and not by number: counting rows would read the whole index.
 */
export function propertySample({ table, id, key, keyIs }: SampledTable, tenantId: number, wanted: number): Sql {
  const own = sql`${table} where tenant_id = ${tenantId}`;
  const isId = keyIs === 'id';
  const ms = isId
    ? sql`('x' || left(replace(${key}::text, '-', ''), 12))::bit(48)::bigint`
    : sql`(extract(epoch from ${key}) * 1000)::bigint`;
  const edge = (order: Sql) => sql`(select ${ms} from ${own} order by ${key} ${order} limit 1)`;
  const msOf = sql`(oldest + (newest - oldest) * place / ${places}::bigint)`;
  const from = isId
    ? sql`(lpad(to_hex(${msOf}), 12, '0') || repeat('0', 20))::uuid`
    : sql`to_timestamp(${msOf} / 1000.0)`;
  return sql`
    select one.properties from (
      (select ${id} as id from ${own} order by ${key} desc limit ${Math.ceil(wanted / 2)})
      union
      select spread.id from (select ${edge(sql`asc`)} as oldest, ${edge(sql`desc`)} as newest) edges
      cross join generate_series(0, ${places - 1}::bigint) as place
      cross join lateral (
        select ${id} as id from ${own} and ${key} >= ${from} order by ${key} limit ${Math.floor(wanted / 2 / places)}
      ) spread
    ) ids cross join lateral (select properties from ${own} and ${id} = ids.id limit 1) one`;
}
