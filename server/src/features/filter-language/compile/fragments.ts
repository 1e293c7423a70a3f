// Small parts that every statement of a filter is made of. All are unnamed: a filter's text varies without bound.
import { Sql, sql, unnamed } from '../../../db/sql.js';

/** The name of a table or a column: the one thing that has to be text. Names are made here, never taken from a filter. */
export function identifier(name: string): Sql {
  if (!/^[a-z][a-z0-9_]{0,40}$/.test(name)) throw new Error(`Not a name for a column: ${name}`);
  return new Sql(name, '', []);
}

/**
 * A tenant that PostgreSQL does not know when it plans. Of one that came after the statistics were made it would expect no row at all: then any
 * index seems as good as the right one, and it read all rows of the tenant for each row that it looked up.
 */
export function tenantSql(tenantId: number): Sql {
  return sql`(select ${tenantId}::bigint)`;
}

const yes = unnamed(sql`true`);
export const no = unnamed(sql`false`);

export function every(parts: readonly Sql[]): Sql {
  return parts.length === 0 ? yes : sql`(${joined(parts, (a, b) => sql`${a} and ${b}`)})`;
}

export function some(parts: readonly Sql[]): Sql {
  return parts.length === 0 ? no : sql`(${joined(parts, (a, b) => sql`${a} or ${b}`)})`;
}

export function not(part: Sql): Sql {
  return unnamed(sql`not ${part}`);
}

/** With a space before each: what is put after a first one. */
export function inRow(parts: readonly Sql[]): Sql {
  return parts.length === 0 ? unnamed(sql``) : joined(parts, (a, b) => sql`${a} ${b}`);
}

export function listed(parts: readonly Sql[]): Sql {
  return joined(parts, (a, b) => sql`${a}, ${b}`);
}

/** The earliest of some moments, any of them possibly null. Undefined for no moments. */
export function earliest(parts: readonly (Sql | undefined)[]): Sql | undefined {
  const given = parts.filter((part) => part !== undefined);
  if (given.length < 2) return given[0];
  return sql`least(${listed(given)})`;
}

// In halves: one after the other would number the parameters of the first part again for every later one.
function joined(parts: readonly Sql[], pair: (a: Sql, b: Sql) => Sql): Sql {
  if (parts.length === 1) return unnamed(parts[0] as Sql);
  const middle = parts.length >> 1;
  return unnamed(pair(joined(parts.slice(0, middle), pair), joined(parts.slice(middle), pair)));
}
