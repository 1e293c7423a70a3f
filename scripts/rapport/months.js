// Tables with one partition a month: a restore makes the months before their rows come.
import { ahead, firstMonth } from '../../server/dist/features/events/months/keep-months.js';
import { monthOf } from '../../server/dist/lib/month.js';

/**
 * Makes the months of rows that are about to be restored, as far as the service would. Without it every row would wait in
 * the default partition, and the service would move them all at its first start.
 * @param {{ name: string, monthColumn: string | null, months: Set<number> }} table `months`: those that were seen before.
 * @param {string[]} lines rows of a backup
 */
export async function makeMonths(client, { name, monthColumn, months }, lines) {
  if (monthColumn === null) return;
  const seen = new Set(lines.map((line) => monthIn(line, monthColumn)));
  const fresh = [...seen].filter((month) => month !== undefined && !months.has(month));
  for (const month of fresh) months.add(month);
  if (fresh.length === 0) return;
  await client.query(
    `select make_month($1, month) from unnest($2::integer[]) as m (month)
     where month between $3 and month_of(now()) + $4`,
    [name, fresh, firstMonth, ahead],
  );
}

// Without parsing the row: a quote inside a value has a backslash before it, so this is found only as a key.
function monthIn(line, column) {
  const start = `"${column}":"`;
  const at = line.indexOf(start);
  return at < 0 ? undefined : monthOf(line.slice(at + start.length, at + start.length + 7));
}
