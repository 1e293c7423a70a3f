import type { AlertKind, AlertSubjectType, alertStates } from '@rapport/contract';
import type { Database, Runner, Transaction } from '../../db/database.js';
import { type Page, type PageOf, paged } from '../../db/paged.js';
import { bytes, sql } from '../../db/sql.js';
import { personTable } from '../accounts/index.js';
import { activeAccounts } from '../tenants/index.js';

/** What an alert is about. */
export interface AlertKey {
  tenantId: number;
  kind: AlertKind;
  /** The id of the journey or the list; '' for mail. */
  subject: string;
}

export interface AlertRow {
  alertId: string;
  kind: AlertKind;
  subject: string;
  subjectType: AlertSubjectType;
  count: number;
  comparedWith: number;
  openedAt: string;
  closedAt: string | null;
}

const columns = sql`
  alert_id as "alertId", kind, subject, subject_type as "subjectType", count, compared_with as "comparedWith", opened_at as "openedAt", closed_at as "closedAt"`;

export function selectAlerts(
  db: Database,
  tenantId: number,
  state: (typeof alertStates)[number] | undefined,
  page: PageOf,
): Promise<Page<AlertRow>> {
  const own = sql`tenant_id = ${tenantId} and (${state ?? null}::text is null or (closed_at is null) = (${state ?? null}::text = 'open'))`;
  const rows = sql<AlertRow>`
    select ${columns} from alert where ${own} order by opened_at desc, alert_id desc limit ${page.limit} offset ${page.offset}`;
  return paged(db, tenantId, page, { total: sql`(select count(*) from alert where ${own})`, rows });
}

/** The open ones of a tenant, oldest first. */
export function selectOpen(db: Runner, tenantId: number): Promise<AlertRow[]> {
  return db.rows(sql<AlertRow>`
    select ${columns} from alert where tenant_id = ${tenantId} and closed_at is null order by opened_at, alert_id`);
}

/** Some open ones of all tenants. */
export function selectOpenAfter(db: Runner, after: AlertKey, atMost: number): Promise<AlertKey[]> {
  return db.rows(sql<AlertKey>`
    /* all tenants */ select tenant_id as "tenantId", kind, subject from alert
    where closed_at is null and (tenant_id, kind, subject) > (${after.tenantId}::bigint, ${after.kind}, ${after.subject})
    order by tenant_id, kind, subject limit ${atMost}`);
}

type NewAlert = Omit<AlertRow, 'openedAt' | 'closedAt'>;

interface OpeningRules {
  /** Open ones of a kind at once. */
  mostOpen: number;
  /** Hours that one stays closed. */
  restHours: number;
}

/** Opens those that are not open, in this order while there is room. Returns them: of many processes, one opens each. */
export function insertAlerts(
  tx: Transaction,
  tenantId: number,
  alerts: readonly NewAlert[],
  now: string,
  { mostOpen, restHours }: OpeningRules,
): Promise<AlertRow[]> {
  return tx.rows(sql<AlertRow>`
    with wanted as (
      select w.*, row_number() over (partition by kind order by n) as place from unnest(${alerts.map((a) => bytes(a.alertId))}::bytea[],
        ${alerts.map((a) => a.kind)}::text[], ${alerts.map((a) => a.subject)}::text[], ${alerts.map((a) => a.subjectType)}::text[], ${alerts.map((a) => a.count)}::bigint[],
        ${alerts.map((a) => a.comparedWith)}::bigint[]) with ordinality w (alert_id, kind, subject, subject_type, count, compared_with, n)
      where not exists (select from alert a where a.tenant_id = ${tenantId} and a.kind = w.kind and a.subject = w.subject
        and (a.closed_at is null or a.closed_at > ${now}::timestamptz - make_interval(hours => ${restHours})))
    )
    insert into alert (tenant_id, alert_id, kind, subject, subject_type, count, compared_with, opened_at)
    select ${tenantId}::bigint, alert_id, kind, subject, subject_type, count, compared_with, ${now}::timestamptz from wanted w
    where place + (select count(*) from alert a where a.tenant_id = ${tenantId} and a.kind = w.kind and a.closed_at is null) <= ${mostOpen}
    order by kind, subject
    on conflict (tenant_id, kind, subject) where closed_at is null do nothing
    returning ${columns}`);
}

/** Closes those of these that are open. */
export async function closeAlerts(
  tx: Transaction,
  tenantId: number,
  keys: readonly AlertKey[],
  now: string,
): Promise<void> {
  await tx.run(sql`
    with over as (
      select a.alert_id from alert a
      join unnest(${keys.map((k) => k.kind)}::text[], ${keys.map((k) => k.subject)}::text[]) k (kind, subject) using (kind, subject)
      where a.tenant_id = ${tenantId} and a.closed_at is null order by a.kind, a.subject for update of a
    )
    update alert a set closed_at = ${now}::timestamptz from over
    where a.tenant_id = ${tenantId} and a.alert_id = over.alert_id and a.closed_at is null`);
}

/** Removes those that were closed before. */
export function sweepAlerts(db: Runner, days: number, atMost: number): Promise<number> {
  return db.run(sql`
    /* all tenants */ delete from alert a using (
      select tenant_id, alert_id from alert where closed_at < now() - make_interval(days => ${days}) order by closed_at limit ${atMost}
    ) old where a.tenant_id = old.tenant_id and a.alert_id = old.alert_id`);
}

export function countOpen(db: Runner): Promise<{ kind: AlertKind; n: number }[]> {
  return db.rows(sql<{ kind: AlertKind; n: number }>`
    /* all tenants */ select kind, count(*) as n from alert where closed_at is null group by kind`);
}

/** Who gets them by mail. */
export async function hasMail(db: Runner, tenantId: number, accountId: number): Promise<boolean> {
  const row = await db.row(sql`
    select 1 from alert_mail where tenant_id = ${tenantId} and account_id = ${accountId}`);
  return row !== undefined;
}

export async function insertMail(db: Runner, tenantId: number, accountId: number): Promise<void> {
  await db.run(sql`
    insert into alert_mail (tenant_id, account_id) values (${tenantId}, ${accountId}) on conflict do nothing`);
}

export async function deleteMail(db: Runner, tenantId: number, accountId: number): Promise<void> {
  await db.run(sql`delete from alert_mail where tenant_id = ${tenantId} and account_id = ${accountId}`);
}

export function selectReaders(db: Runner, tenantId: number): Promise<{ accountId: number; address: string }[]> {
  return db.rows(sql<{ accountId: number; address: string }>`
    select m.account_id as "accountId", p.email as address
    from alert_mail m join ${activeAccounts} a using (tenant_id, account_id) join ${personTable} p using (person_id)
    where m.tenant_id = ${tenantId} order by m.account_id`);
}

/** Of accounts that were deactivated, or whose person is gone. */
export function dropOrphans(db: Runner): Promise<unknown> {
  return db.run(sql`
    /* all tenants */ delete from alert_mail m where not exists (
      select from ${activeAccounts} a where a.tenant_id = m.tenant_id and a.account_id = m.account_id and a.person_id is not null)`);
}
