import type { Database, Runner, Transaction } from './database.js';
import { type Sql, sql } from './sql.js';

// A counter is the sum of its deltas. Writers only add rows, so no two of them wait for each other; folding joins the
// rows of a counter into one, in one statement, so that a reader sees the same sum before and after.

export async function addToCounter(tx: Transaction, tenantId: number, counter: string, delta: number): Promise<void> {
  if (delta !== 0)
    await tx.run(sql`insert into counter_delta (tenant_id, counter, delta) values (${tenantId}, ${counter}, ${delta})`);
}

/** The value of a counter, as an expression inside another statement. */
export function counterValue(tenantId: number, counter: string): Sql {
  return sql`(select coalesce(sum(delta), 0)::int8 from counter_delta where tenant_id = ${tenantId} and counter = ${counter})`;
}

export async function readCounter(db: Runner, tenantId: number, counter: string): Promise<number> {
  const row = await db.row(sql<{ value: number }>`select ${counterValue(tenantId, counter)} as value`);
  return row?.value ?? 0;
}

/** Joins the deltas of counters that have more than `rows` of them. Answers how many counters were folded. */
export async function foldCounters(db: Database, rows: number): Promise<number> {
  const crowded = await db.background.rows(sql<{ tenant_id: number; counter: string }>`
    select tenant_id, counter from counter_delta group by tenant_id, counter having count(*) > ${rows} limit 1000`);
  for (const { tenant_id, counter } of crowded) await foldCounter(db, tenant_id, counter);
  return crowded.length;
}

async function foldCounter(db: Database, tenantId: number, counter: string): Promise<void> {
  await db.background.run(sql`
    with gone as (delete from counter_delta where tenant_id = ${tenantId} and counter = ${counter} returning delta)
    insert into counter_delta (tenant_id, counter, delta)
    select ${tenantId}, ${counter}, sum(delta) from gone having sum(delta) <> 0`);
}
