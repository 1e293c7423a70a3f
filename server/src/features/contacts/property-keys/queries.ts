import type { Runner } from '../../../db/database.js';
import { sql } from '../../../db/sql.js';

/** Which of these keys contacts of the tenant have had. */
export async function selectKnownKeys(db: Runner, tenantId: number, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const rows = await db.rows(sql<{ key: string }>`
    select key from property_key where tenant_id = ${tenantId} and key = any(${keys}::text[])`);
  return new Set(rows.map((row) => row.key));
}

/** A page of the keys that contacts of the tenant have had, by name, and how many there are. */
export async function selectPropertyKeys(
  db: Runner,
  tenantId: number,
  except: readonly string[],
  limit: number,
  offset: number,
): Promise<{ keys: string[]; total: number }> {
  const own = sql`tenant_id = ${tenantId} and key <> all(${except}::text[])`;
  const rows = await db.rows(sql<{ key: string | null; total: number }>`
    select t.total, k.key from (select count(*) as total from property_key where ${own}) t left join lateral (
      select key from property_key where ${own} order by key limit ${limit} offset ${offset}
    ) k on true`);
  return { keys: rows.flatMap((row) => row.key ?? []), total: rows[0]?.total ?? 0 };
}
