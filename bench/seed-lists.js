// Many static lists at once, as the service itself would have stored them.

import { storedGrams } from '../server/dist/lib/grams.js';
import { newAssetId } from '../server/dist/lib/ids.js';
import { foldCase } from '../server/dist/lib/text.js';

const batch = 5000;

/**
 * @param {import('pg').Client} client
 * @param {{ tenantId: number, accountId: number }} owner
 * @param {number} count
 * @param {(i: number) => string} nameOf
 */
export async function seedLists(client, { tenantId, accountId }, count, nameOf) {
  for (let from = 0; from < count; from += batch) {
    const rows = Array.from({ length: Math.min(batch, count - from) }, (_, i) => {
      const name = nameOf(from + i);
      const grams = storedGrams(tenantId, name);
      return { id: newAssetId(), name, folded: foldCase(name), grams, second: from + i };
    });
    await client.query(
      `insert into static_list (tenant_id, list_id, name, name_folded, name_grams, created_by, updated_by, created_at)
       select $1, decode(id, 'hex'), name, folded, grams, $2, $2, now() - interval '30 days' + second * interval '1 second'
       from jsonb_to_recordset($3) as r (id text, name text, folded text, grams integer[], second integer)`,
      [tenantId, accountId, JSON.stringify(rows)],
    );
  }
  await client.query(`insert into counter_delta (tenant_id, counter, delta) values ($1, 'static_lists', $2)`, [
    tenantId,
    count,
  ]);
  await client.query('vacuum analyze');
}
