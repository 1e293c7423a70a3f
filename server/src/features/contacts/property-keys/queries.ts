import type { Database, Runner } from '../../../db/database.js';
import { type Page, type PageOf, paged } from '../../../db/paged.js';
import { type Sql, sql } from '../../../db/sql.js';

/** Returns which of these keys any contact of the tenant has ever had. */
export async function selectKnownKeys(db: Runner, tenantId: number, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const rows = await db.rows(sql<{ key: string }>`
    select key from property_key where tenant_id = ${tenantId} and key = any(${keys}::text[])`);
  return new Set(rows.map((row) => row.key));
}

/** Every key that a contact of the tenant has ever had, as a query with a column `key`. */
export function propertyKeysSql(tenantId: number): Sql {
  return sql`select key from property_key where tenant_id = ${tenantId}`;
}

/** A page of the keys that contacts of the tenant have ever had, sorted by name, with the total. */
export function selectPropertyKeys(
  db: Database,
  tenantId: number,
  except: readonly string[],
  page: PageOf,
): Promise<Page<{ key: string }>> {
  const own = sql`tenant_id = ${tenantId} and key <> all(${except}::text[])`;
  const total = sql`(select count(*) from property_key where ${own})`;
  const rows = sql<{ key: string }>`
    select key from property_key where ${own} order by key limit ${page.limit} offset ${page.offset}`;
  return paged(db, tenantId, page, { total, rows });
}
