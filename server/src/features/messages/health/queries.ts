import { countSome, type Some } from '../../../db/count-some.js';
import type { Runner, Transaction } from '../../../db/database.js';
import { sql } from '../../../db/sql.js';
import { tenantTable } from '../../tenants/index.js';
import type { Tally } from '../fates/story.js';

/** A tenant's mail results over a period. */
export interface Figures {
  sent: number;
  delivered: number;
  hardBounced: number;
  complained: number;
}

/** In blocks of ten minutes, and a block from a resumption on. Call under the tenant's lock, so that there is no other writer. */
export async function addTallies(
  tx: Transaction,
  tenantId: number,
  tallies: readonly Required<Tally>[],
): Promise<void> {
  await tx.run(sql`
    insert into sending_tally as t (tenant_id, since, sent, delivered, hard_bounced, complained)
    select ${tenantId}, since, sum(sent), sum(delivered), sum(hard_bounced), sum(complained)
    from (
      select greatest(date_bin('10 minutes', n.at, 'epoch'), case when r.at <= n.at then r.at end) as since,
        sent, delivered, hard_bounced, complained
      from unnest(${tallies.map((t) => t.at)}::timestamptz[], ${tallies.map((t) => t.sent)}::bigint[],
        ${tallies.map((t) => t.delivered)}::bigint[], ${tallies.map((t) => t.hardBounced)}::bigint[],
        ${tallies.map((t) => t.complained)}::bigint[]) as n (at, sent, delivered, hard_bounced, complained)
      left join sending_resumption r on r.tenant_id = ${tenantId}
    ) binned group by since order by since
    on conflict (tenant_id, since) do update set sent = t.sent + excluded.sent, delivered = t.delivered + excluded.delivered,
      hard_bounced = t.hard_bounced + excluded.hard_bounced, complained = t.complained + excluded.complained`);
}

const figures = sql`
  coalesce(sum(sent), 0)::int8 as sent, greatest(coalesce(sum(delivered), 0), 0)::int8 as delivered,
  coalesce(sum(hard_bounced), 0)::int8 as "hardBounced", coalesce(sum(complained), 0)::int8 as complained`;
/** Counted in whole blocks, including the one in which the day began. */
const ofTheDay = (now: string) => sql`since > ${now}::timestamptz - interval '24 hours 10 minutes'`;

/** For the last day, or the part of it after sending was resumed. */
export async function selectFiguresSince(db: Runner, tenantId: number, now: string): Promise<Figures> {
  const row = await db.row(sql<Figures>`
    select ${figures} from sending_tally where tenant_id = ${tenantId} and ${ofTheDay(now)}
      and since >= coalesce((select at from sending_resumption where tenant_id = ${tenantId}), '-infinity')`);
  return row as Figures;
}

export interface FiguresOfTenant extends Figures {
  tenantId: number;
}

/** Of the last day, by tenant, some tenants at a time; every one is named, with zeros if nothing was sent. */
export function selectFiguresAfter(db: Runner, after: number, now: string, atMost: number): Promise<FiguresOfTenant[]> {
  return db.rows(sql<FiguresOfTenant>`
    /* all tenants */ select t.tenant_id as "tenantId", f.* from (
      select tenant_id from ${tenantTable} where tenant_id > ${after} order by tenant_id limit ${atMost}
    ) t cross join lateral (select ${figures} from sending_tally y where y.tenant_id = t.tenant_id and ${ofTheDay(now)}) f
    order by t.tenant_id`);
}

interface SendingRow extends Figures {
  reason: string | null;
  since: string | null;
}

export async function selectSending(db: Runner, tenantId: number, now: string): Promise<SendingRow> {
  const row = await db.row(sql<SendingRow>`
    select f.*, p.reason, p.since from (
      select ${figures} from sending_tally where tenant_id = ${tenantId} and ${ofTheDay(now)}
    ) f left join sending_pause p on p.tenant_id = ${tenantId}`);
  return row as SendingRow;
}

/** Why a tenant's mail, except transactional mail, is not sent. */
export function findPause(db: Runner, tenantId: number): Promise<{ reason: string; since: string } | undefined> {
  return db.row(sql<{ reason: string; since: string }>`
    select reason, since from sending_pause where tenant_id = ${tenantId}`);
}

/** Returns whether it was not paused before. */
export async function insertPause(tx: Transaction, tenantId: number, reason: string, now: string): Promise<boolean> {
  return (
    (await tx.run(sql`
      insert into sending_pause (tenant_id, reason, since) values (${tenantId}, ${reason}, ${now}) on conflict do nothing`)) >
    0
  );
}

export async function deletePause(tx: Transaction, tenantId: number): Promise<boolean> {
  if ((await tx.run(sql`delete from sending_pause where tenant_id = ${tenantId}`)) === 0) return false;
  await tx.run(sql`
    insert into sending_resumption (tenant_id) values (${tenantId}) on conflict (tenant_id) do update set at = now()`);
  return true;
}

/** Messages that would be sent now if sending were not paused. */
export function countHeld(db: Runner, tenantId: number): Promise<Some> {
  return countSome(
    db,
    sql`select due_at as at from message
      where tenant_id = ${tenantId} and state = 'queued' and kind <> 'transactional' and due_at <= now() order by due_at`,
  );
}

export async function selectPaused(db: Runner): Promise<number[]> {
  const rows = await db.rows(
    sql<{ tenantId: number }>`/* all tenants */ select tenant_id as "tenantId" from sending_pause`,
  );
  return rows.map(({ tenantId }) => tenantId);
}

/** Removes counts of days that are no longer read. */
export async function sweepTallies(db: Runner, atMost: number): Promise<number> {
  return db.run(sql`
    delete from sending_tally where (tenant_id, since) in (
      select tenant_id, since from sending_tally where since < now() - interval '3 days' limit ${atMost})`);
}
