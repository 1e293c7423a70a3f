import type { Runner, Transaction } from '../../db/database.js';
import { sql } from '../../db/sql.js';
import { personTable } from '../accounts/index.js';
import { activeAccounts, tenantTable } from '../tenants/index.js';

interface Choice {
  timeZone: string;
  nextAt: string;
}

export function findChoice(db: Runner, tenantId: number, accountId: number): Promise<Choice | undefined> {
  return db.row(sql<Choice>`
    select time_zone as "timeZone", next_at as "nextAt" from weekly_summary
    where tenant_id = ${tenantId} and account_id = ${accountId}`);
}

/** Switching it on again changes when it leaves only if the time zone is another one. */
export async function insertChoice(
  db: Runner,
  tenantId: number,
  accountId: number,
  { timeZone, nextAt }: Choice,
): Promise<void> {
  await db.run(sql`
    insert into weekly_summary as w (tenant_id, account_id, time_zone, next_at)
    values (${tenantId}, ${accountId}, ${timeZone}, ${nextAt}::timestamptz)
    on conflict (tenant_id, account_id) do update set time_zone = excluded.time_zone, next_at = excluded.next_at
    where w.time_zone <> excluded.time_zone`);
}

export async function deleteChoice(db: Runner, tenantId: number, accountId: number): Promise<void> {
  await db.run(sql`delete from weekly_summary where tenant_id = ${tenantId} and account_id = ${accountId}`);
}

export interface DueSummary extends Choice {
  tenantId: number;
  accountId: number;
  address: string;
  workspace: string;
}

/** In order; the first ones, or those after another. */
export function selectDue(
  db: Runner,
  now: string,
  last: DueSummary | undefined,
  atMost: number,
): Promise<DueSummary[]> {
  const after = last
    ? sql`and (w.next_at, w.tenant_id, w.account_id) > (${last.nextAt}::timestamptz, ${last.tenantId}, ${last.accountId})`
    : sql``;
  return db.rows(sql<DueSummary>`
    /* all tenants */ select w.tenant_id as "tenantId", w.account_id as "accountId", w.time_zone as "timeZone", w.next_at as "nextAt",
      p.email as address, t.name as workspace
    from weekly_summary w join ${activeAccounts} a using (tenant_id, account_id)
    join ${personTable} p using (person_id) join ${tenantTable} t using (tenant_id)
    where w.next_at <= ${now}::timestamptz ${after} order by w.next_at, w.tenant_id, w.account_id limit ${atMost}`);
}

/** Returns whether it was still due then: of many processes, one moves it on. */
export async function moveOn(
  tx: Transaction,
  { tenantId, accountId, nextAt }: DueSummary,
  next: string,
): Promise<boolean> {
  const row = await tx.row(sql`
    update weekly_summary set next_at = ${next}::timestamptz
    where tenant_id = ${tenantId} and account_id = ${accountId} and next_at = ${nextAt}::timestamptz returning account_id`);
  return row !== undefined;
}

/** Ends those of accounts that were deactivated, or whose person is gone. */
export function dropOrphans(db: Runner): Promise<unknown> {
  return db.run(sql`
    /* all tenants */ delete from weekly_summary w where not exists (
      select from ${activeAccounts} a where a.tenant_id = w.tenant_id and a.account_id = w.account_id and a.person_id is not null)`);
}
