// The queue of account mail. A row waits until `due_at`. Taking it moves that ahead, so that a row held by a killed process is due again.
import type { Runner } from '../../../db/database.js';
import { bytes, sql } from '../../../db/sql.js';
import type { Waiting } from '../../../work/queue.js';
import { activeAccounts, tenantTable } from '../../tenants/index.js';
import { personTable } from '../people/queries.js';

/** Who gets mail that accounts choose for themselves. */
interface Reader {
  /** The address that the person signs in with; null for a program. */
  address: string | null;
  workspace: string;
  /** Of the workspace. */
  timeZone: string | null;
}

export function findReader(db: Runner, tenantId: number, accountId: number): Promise<Reader | undefined> {
  return db.row(sql<Reader>`
    select p.email as address, t.name as workspace, t.time_zone as "timeZone"
    from ${activeAccounts} a join ${tenantTable} t using (tenant_id) left join ${personTable} p using (person_id)
    where a.tenant_id = ${tenantId} and a.account_id = ${accountId}`);
}

interface NewMail {
  /** Null: none is stored. */
  tenantId: number | null;
  mailId: string;
  address: string;
  /** Hex. */
  sealed: string;
}

export async function insertMail(db: Runner, { tenantId, mailId, address, sealed }: NewMail): Promise<void> {
  await db.run(sql`
    insert into account_mail (tenant_id, mail_id, address, sealed)
    select ${tenantId}::bigint, ${mailId}::uuid, ${address}::text, ${bytes(sealed)}::bytea where ${tenantId}::bigint is not null`);
}

interface MailHead {
  tenantId: number;
  /** Milliseconds until the first is due. */
  waitMs: number;
}

export function selectMailHeads(db: Runner): Promise<MailHead[]> {
  return db.rows(sql<MailHead>`
    /* all tenants */ select tenant_id as "tenantId", ceil(extract(epoch from min(due_at) - clock_timestamp()) * 1000)::float8 as "waitMs"
    from account_mail group by tenant_id`);
}

export interface ClaimedMail extends NewMail {
  tenantId: number;
  /** This one included. */
  attempts: number;
  queuedAt: string;
}

/** Takes the one that has waited longest. It is not taken again until the lease expires. */
export function claimMails(db: Runner, tenantId: number, atMost: number, leaseSeconds: number): Promise<ClaimedMail[]> {
  return db.rows(sql<ClaimedMail>`
    update account_mail set due_at = now() + make_interval(secs => ${leaseSeconds}), attempts = attempts + 1
    where tenant_id = ${tenantId} and mail_id = any(array(
      select mail_id from account_mail where tenant_id = ${tenantId} and due_at <= now()
      order by due_at limit ${atMost} for update skip locked))
    returning tenant_id as "tenantId", mail_id as "mailId", address, sealed, attempts::integer as attempts, queued_at as "queuedAt"`);
}

export async function deleteMail(db: Runner, tenantId: number, mailId: string): Promise<void> {
  await db.run(sql`delete from account_mail where tenant_id = ${tenantId} and mail_id = ${mailId}`);
}

/** @param error one line without addresses. */
export async function putOffMail(
  db: Runner,
  tenantId: number,
  mailId: string,
  waitMs: number,
  error: string,
): Promise<void> {
  await db.run(sql`
    update account_mail set due_at = now() + make_interval(secs => ${waitMs / 1000}::float8), last_error = ${error}
    where tenant_id = ${tenantId} and mail_id = ${mailId}`);
}

export function selectWaitingMail(db: Runner): Promise<Waiting[]> {
  return db.rows(sql<Waiting>`
    /* all tenants */ select tenant_id as "tenantId", 'account-mail' as kind, count(*)::int8 as count, min(queued_at) as since,
      (array_agg(attempts::integer order by queued_at))[1] as attempts,
      (array_agg(last_error order by queued_at))[1] as "lastError",
      (array_agg(case when attempts > 0 then due_at end order by queued_at))[1] as "dueAt"
    from account_mail group by tenant_id`);
}
