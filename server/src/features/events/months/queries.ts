import type { Runner, Transaction } from '../../../db/database.js';
import { locks } from '../../../db/locks.js';
import { type Sql, sql } from '../../../db/sql.js';
import { holdFloor } from '../queries.js';

export type MonthlyTable = 'event' | 'marketing_activity';

const elsewhen: Record<MonthlyTable, Sql> = {
  event: sql`event_elsewhen`,
  marketing_activity: sql`marketing_activity_elsewhen`,
};

/** Months that have a partition. Their names end in _YYYY_MM. */
export async function selectMade(db: Runner, table: MonthlyTable): Promise<number[]> {
  const rows = await db.rows(sql<{ month: number }>`
    select (substr(right(c.relname, 7), 1, 4)::integer * 12 + right(c.relname, 2)::integer - 1) as month
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = ${table}::text::regclass and c.relname ~ '_[0-9]{4}_[0-9]{2}$' order by 1`);
  return rows.map((row) => row.month);
}

interface Calendar {
  /** The current month, by the database's clock. */
  current: number;
  /** Months whose events are in the elsewhen partition because they have none of their own. */
  waiting: number[];
}

/** Hops from month to month, so that many events cost no more than few. Months before `first` stay elsewhen for good. */
export async function readCalendar(db: Runner, table: MonthlyTable, first: number, ahead: number): Promise<Calendar> {
  const from = elsewhen[table];
  const row = await db.row(sql<Calendar>`
    /* all tenants */ with recursive hop as (
      select (select month_of(event_date) from ${from} where event_date >= month_start(${first}) order by event_date limit 1) as month
      union all
      select (select month_of(event_date) from ${from} where event_date >= month_start(hop.month + 1) order by event_date limit 1)
      from hop where hop.month < month_of(now()) + ${ahead}
    )
    select month_of(now()) as current,
      array(select month from hop where month <= month_of(now()) + ${ahead} order by month) as waiting`);
  return row as Calendar;
}

// A waiting lock request blocks everyone behind it: better to try again later.
const patience = sql`select set_config('lock_timeout', '200ms', true)`;

/** Creates no month below the floor: the process that drops those has already looked for them. */
export async function makeMonth(tx: Transaction, table: MonthlyTable, month: number): Promise<void> {
  await tx.run(patience);
  if (table === 'event' && month < (await holdFloor(tx))) return;
  await tx.run(sql`select make_month(${table}, ${month})`);
}

export async function dropMonth(tx: Transaction, table: MonthlyTable, month: number): Promise<void> {
  await tx.run(patience);
  await tx.run(sql`select drop_month(${table}, ${month})`);
}

/** One worker drops months at a time, until its transaction ends: another may be configured to keep events for longer. */
export async function lockRetention(tx: Transaction): Promise<void> {
  await tx.run(patience);
  await tx.run(sql`select pg_advisory_xact_lock(${locks.eventRetention}::bigint)`);
}

/** The month that many days ago. */
export async function monthBefore(db: Runner, days: number): Promise<number> {
  const row = await db.row(sql<{ month: number }>`
    select month_of(greatest(now() - make_interval(days => ${days}), '0001-01-01')) as month`);
  return row?.month ?? 0;
}

/** Events of dropped months that never had a partition, a few at a time. Returns how many. */
export function deleteElsewhen(db: Runner, before: number, atMost: number): Promise<number> {
  return db.run(sql`
    /* all tenants */ with old as (
      select tenant_id, contact_id, event_date, event_no from event_elsewhen
      where event_date < month_start(${before}) order by event_date limit ${atMost}
    )
    delete from event_elsewhen e using old
    where e.tenant_id = old.tenant_id and e.contact_id = old.contact_id and e.event_date = old.event_date
      and e.event_no = old.event_no`);
}

/** A place in event_count. */
export interface CountKey {
  tenant_id: number;
  contact_id: string;
  month: number;
}

/**
 * Removes counts of dropped months among the next `atMost` rows after a key. Walks along the key, because an index by month would cost every
 * event, and this runs once a month. Returns how far it got; nothing at the end.
 */
export function deleteCounts(
  db: Runner,
  before: number,
  after: CountKey,
  atMost: number,
): Promise<CountKey | undefined> {
  return db.row(sql<CountKey>`
    /* all tenants */ with next as (
      select tenant_id, contact_id, month from event_count
      where (tenant_id, contact_id, month) > (${after.tenant_id}, ${after.contact_id}::uuid, ${after.month}::integer)
      order by tenant_id, contact_id, month limit ${atMost}
    ), gone as (
      delete from event_count c using next
      where c.tenant_id = next.tenant_id and c.contact_id = next.contact_id and c.month = next.month and next.month < ${before}
    )
    select * from next order by tenant_id desc, contact_id desc, month desc limit 1`);
}
