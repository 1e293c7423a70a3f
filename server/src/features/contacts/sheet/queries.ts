import type { Runner } from '../../../db/database.js';
import { sql } from '../../../db/sql.js';
import type { ContactIds } from '../search/queries.js';

/** Sorts after every contact id. */
const end = 'f'.repeat(32);

/** The contacts before this one, newest first: all contacts, or only the members. */
export async function selectIdsBefore(
  db: Runner,
  tenantId: number,
  members: ContactIds | undefined,
  before: string | undefined,
  limit: number,
): Promise<string[]> {
  const among = members ? sql`(${members})` : sql`(select contact_id from contact where tenant_id = ${tenantId})`;
  const rows = await db.rows(sql<{ id: string }>`
    select m.contact_id as id from ${among} m where m.contact_id < ${before ?? end}::uuid
    order by m.contact_id desc limit ${limit}`);
  return rows.map((row) => row.id);
}

/** Returns which of these contacts match the search. */
export async function selectFound(
  db: Runner,
  tenantId: number,
  ids: readonly string[],
  folded: string,
): Promise<ReadonlySet<string>> {
  const rows = await db.rows(sql<{ id: string }>`
    select one.contact_id as id from unnest(${ids}::uuid[]) as w (id) cross join lateral (
      select contact_id, search_text from contact where tenant_id = ${tenantId} and contact_id = w.id limit 1
    ) one where position(${folded} in one.search_text) > 0`);
  return new Set(rows.map((row) => row.id));
}
