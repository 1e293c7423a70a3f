import type { Runner } from '../../../db/database.js';
import { sql } from '../../../db/sql.js';
import type { ContactIds } from '../search/queries.js';

/** Newer than any contact. */
const end = 'f'.repeat(32);

/** Contacts before this one, the newest first: of everyone, or of those who are members. */
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

/** Which of these contacts a search finds. */
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
