import type { Runner, Transaction } from '../../db/database.js';
import { locks } from '../../db/locks.js';
import { lines, sql } from '../../db/sql.js';
import { foldCase } from '../../lib/text.js';
import { roomForItems } from './plan-events.js';

/** Tables that features above may read. Only this feature writes them: see scripts/table-owners.js. */
export const eventTable = sql`event`;
export const eventFloorTable = sql`event_floor`;

/**
 * The first month that events are kept for. It cannot change until the transaction ends. The lock is a statement of its own: the
 * next one then sees what was written when the floor was raised.
 */
export async function holdFloor(tx: Transaction): Promise<number> {
  await tx.run(sql`select pg_advisory_xact_lock_shared(${locks.eventFloor}::bigint)`);
  return readFloor(tx);
}

export async function readFloor(db: Runner): Promise<number> {
  const row = await db.row(sql<{ month: number }>`select month from event_floor`);
  return row?.month ?? 0;
}

/** Waits for every transaction that holds the floor. Before it is lowered, everything below it has been swept. */
export async function moveFloor(tx: Transaction, month: number): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(${locks.eventFloor}::bigint)`);
  await tx.run(sql`update event_floor set month = ${month}, swept_to = least(swept_to, ${month})`);
}

export async function readSweptTo(db: Runner): Promise<number> {
  const row = await db.row(sql<{ month: number }>`select swept_to as month from event_floor`);
  return row?.month ?? 0;
}

export async function noteSweptTo(db: Runner, month: number): Promise<void> {
  await db.run(sql`update event_floor set swept_to = greatest(swept_to, ${month}) where month >= ${month}`);
}

/** Which of these names an event of the tenant has ever had. */
export async function selectKnownNames(db: Runner, tenantId: number, names: readonly string[]): Promise<Set<string>> {
  if (names.length === 0) return new Set();
  const rows = await db.rows(sql<{ name: string }>`
    select name from event_name where tenant_id = ${tenantId} and name = any(${names}::text[])`);
  return new Set(rows.map((row) => row.name));
}

/** Whether the tenant has ever had an event. */
export async function hasEvents(db: Runner, tenantId: number): Promise<boolean> {
  return (await db.row(sql`select 1 from event_name where tenant_id = ${tenantId} limit 1`)) !== undefined;
}

/** Rows in COPY's text format, each with the columns named here. */
export function copyEvents(tx: Transaction, rows: string): Promise<void> {
  return tx.copy(
    sql`copy event (tenant_id, contact_id, event_date, event_no, event_name, user_id, org_id, properties) from stdin`,
    rows,
  );
}

export async function insertNames(tx: Transaction, tenantId: number, names: readonly string[]): Promise<void> {
  const sorted = [...names].sort();
  await tx.run(sql`
    insert into event_name (tenant_id, name, name_folded)
    select ${tenantId}, n.* from unnest(${sorted}::text[], ${sorted.map(foldCase)}::text[]) as n (name, folded)
    on conflict do nothing`);
}

/** Which of these keys are taken. `isOld`: more than 30 days ago, so it is free again. */
export function selectKeys(
  tx: Transaction,
  tenantId: number,
  keys: readonly string[],
  now: string,
): Promise<{ key: string; isOld: boolean }[]> {
  // Sorted, so that neighbours in the index are read together.
  return tx.rows(sql<{ key: string; isOld: boolean }>`
    select key, seen_at <= ${now}::timestamptz - interval '30 days' as "isOld" from event_key
    where tenant_id = ${tenantId} and key = any(string_to_array(${lines([...keys].sort())}, E'\n')::uuid[])`);
}

/** Takes keys that are free: the tenant's writes are applied by one worker at a time. */
export function copyKeys(tx: Transaction, tenantId: number, keys: readonly string[], now: string): Promise<void> {
  const rows = [...keys].sort().map((key) => `${tenantId}\t${key}\t${now}\n`);
  return tx.copy(sql`copy event_key (tenant_id, key, seen_at) from stdin`, rows.join(''));
}

export async function deleteKeys(tx: Transaction, tenantId: number, keys: readonly string[]): Promise<void> {
  await tx.run(sql`delete from event_key where tenant_id = ${tenantId} and key = any(${keys}::uuid[])`);
}

/** How many pages the table of keys has. */
export async function countKeyPages(db: Runner): Promise<number> {
  const row = await db.row(sql<{ pages: number }>`
    select pg_relation_size('event_key') / current_setting('block_size')::bigint as pages`);
  return row?.pages ?? 0;
}

/** Removes expired keys from some pages of the table. */
export function sweepKeyPages(db: Runner, from: number, before: number): Promise<number> {
  return db.run(sql`
    /* all tenants */ delete from event_key
    where ctid >= ${`(${from},0)`}::tid and ctid < ${`(${before},0)`}::tid and seen_at < now() - interval '30 days'`);
}

/** Events of one write that are gone. */
interface GoneEvents {
  /** The write's position in the queue. */
  seq: number;
  /** Their positions in the write. */
  items: number[];
  eventNames: string[];
}

/** Removes the events of a contact. Returns which writes they came from. */
export function deleteEventsOf(tx: Transaction, tenantId: number, contactId: string): Promise<GoneEvents[]> {
  return tx.rows(sql<GoneEvents>`
    with gone as (delete from event where tenant_id = ${tenantId} and contact_id = ${contactId} returning event_no, event_name),
    counts as (delete from event_count where tenant_id = ${tenantId} and contact_id = ${contactId})
    select event_no / ${roomForItems}::bigint as seq, array_agg((event_no % ${roomForItems}::bigint)::integer) as items,
      array_agg(distinct event_name) as "eventNames"
    from gone group by 1 order by 1`);
}

/** Writes of events, and those whose results contain repeats. The same conditions as those of the indexes on write_transaction. */
export const ofEvents = sql`kind = 'event.batch'`;
export const ofRepeats = sql`kind = 'event.batch' and results like '{"repeats":true,%'`;
