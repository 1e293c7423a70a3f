// Tables with one partition a month: a backup keeps the months as they are, a restore makes them before their rows.
import { ahead, type DatabaseClient, firstMonth, locks, monthOf } from '@rapport/server/operator';
import type { Table } from './tables.js';

/**
 * Until the transaction ends no month is made or dropped: that waits for this lock, which is that of
 * make_month(). A waiter at the table itself would block everything behind it, readers too.
 */
export async function holdMonths(client: DatabaseClient, tables: Table[]): Promise<void> {
  for (const { name } of tables.filter(({ monthColumn }) => monthColumn !== null))
    await client.query('select pg_advisory_xact_lock_shared($1::integer, hashtext($2))', [locks.months, name]);
}

/**
 * Makes the months of rows that are about to be restored, as far as the service would. Without it every row would wait
 * in the default partition, and the service would move them all at its first start.
 * @param known months that were seen before; those of these lines are added.
 */
export async function makeMonths(
  client: DatabaseClient,
  { name, monthColumn }: Table,
  known: Set<number>,
  lines: string[],
): Promise<void> {
  if (monthColumn === null) return;
  const seen = new Set(lines.map((line) => monthIn(line, monthColumn)));
  const fresh = [...seen].filter((month) => month !== undefined).filter((month) => !known.has(month));
  for (const month of fresh) known.add(month);
  if (fresh.length === 0) return;
  await client.query(
    `select make_month($1, month) from unnest($2::integer[]) as m (month)
     where month between $3 and month_of(now()) + $4`,
    [name, fresh, firstMonth, ahead],
  );
}

// Without parsing the row: a quote inside a value has a backslash before it, so this is found only as a key.
function monthIn(line: string, column: string): number | undefined {
  const start = `"${column}":"`;
  const at = line.indexOf(start);
  return at < 0 ? undefined : monthOf(line.slice(at + start.length, at + start.length + 7));
}
