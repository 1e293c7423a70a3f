// Messages of journeys that do not leave any more.
import type { Transaction } from '../../../../db/database.js';
import { type Sql, sql } from '../../../../db/sql.js';
import { waiting } from '../queries.js';

/** Ends some waiting messages of a journey that no other transaction holds at the moment. Returns how many. */
export function skipWaiting(
  tx: Transaction,
  tenantId: number,
  journeyId: string,
  reason: string,
  atMost: number,
): Promise<number> {
  return skip(tx, tenantId, sql`${waiting(tenantId, journeyId)} order by due_at limit ${atMost}`, reason);
}

/** The same of one enrolment, all of them. */
export function skipWaitingOf(tx: Transaction, tenantId: number, enrolmentId: string, reason: string): Promise<number> {
  const own = sql`tenant_id = ${tenantId} and enrolment_id = ${enrolmentId} and state = 'queued'`;
  return skip(tx, tenantId, own, reason);
}

async function skip(tx: Transaction, tenantId: number, which: Sql, reason: string): Promise<number> {
  const row = await tx.row(sql<{ n: number }>`
    with skipped as (
      update message m set state = 'skipped', reason = ${reason}, due_at = coalesce(m.held_due_at, m.due_at), held_due_at = null
      where m.tenant_id = ${tenantId} and m.message_id = any(array(
        select message_id from message where ${which} for update skip locked))
      returning message_id
    ), noted as (
      insert into message_event (tenant_id, message_id, at, what, detail)
      select ${tenantId}, message_id, now(), 'skipped', ${reason}::text from skipped
    )
    select count(*) as n from skipped`);
  return row?.n ?? 0;
}
