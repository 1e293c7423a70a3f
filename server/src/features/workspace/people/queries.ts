import type { DataValue, listPeople, Role } from '@rapport/contract';
import type { Database, Runner, Transaction } from '../../../db/database.js';
import { type Page, type PageOf, paged } from '../../../db/paged.js';
import { sql } from '../../../db/sql.js';

export type PersonRow = DataValue<typeof listPeople>;

/** Who looks: admins are told all, others of themselves alone how safe an account is and when it was used. */
export interface Viewer {
  tenantId: number;
  accountId: number;
  isAdmin: boolean;
}

function columnsFor({ accountId, isAdmin }: Viewer) {
  const isTold = sql`(${isAdmin}::boolean or a.account_id = ${accountId})`;
  return sql`
    a.account_id as "accountId", a.name, coalesce(p.email, a.email) as email, a.role,
    case when a.deactivated_at is null then 'active' else 'deactivated' end as state, a.person_id is not null as "isPerson",
    case when ${isTold} then p.totp_since is not null end as "hasSecondFactor",
    case when ${isTold} then greatest(
      (select max(t.last_used_at) from access_token t where t.tenant_id = a.tenant_id and t.account_id = a.account_id),
      (select max(s.seen_at) from session s where s.person_id = a.person_id and s.in_tenant_id = a.tenant_id)) end as "lastSeenAt",
    a.account_id = ${accountId} as "isYou"`;
}

export function selectPeople(db: Database, viewer: Viewer, page: PageOf): Promise<Page<PersonRow>> {
  const { tenantId } = viewer;
  const total = sql`(select count(*) from account where tenant_id = ${tenantId})`;
  const rows = sql<PersonRow>`
    select ${columnsFor(viewer)} from account a left join person p using (person_id)
    where a.tenant_id = ${tenantId} order by a.account_id limit ${page.limit} offset ${page.offset}`;
  return paged(db, tenantId, page, { total, rows });
}

export function findPerson(db: Runner, viewer: Viewer, accountId: number): Promise<PersonRow | undefined> {
  return db.row(sql<PersonRow>`
    select ${columnsFor(viewer)} from account a left join person p using (person_id)
    where a.tenant_id = ${viewer.tenantId} and a.account_id = ${accountId}`);
}

/** Of several that change who may do what, one goes first. A transaction that only refers to the tenant does not wait. */
export async function holdWorkspace(tx: Transaction, tenantId: number): Promise<void> {
  await tx.run(sql`select from tenant where tenant_id = ${tenantId} for no key update`);
}

export interface Others {
  /** Whether anybody of the workspace signs in, admin or not. */
  hasPeople: boolean;
  /** Active admins besides the one in question: those who sign in, and all. */
  adminPeople: number;
  admins: number;
}

export async function selectOthers(tx: Transaction, tenantId: number, accountId: number): Promise<Others> {
  const row = await tx.row(sql<Others>`
    select count(person_id) > 0 as "hasPeople",
      count(person_id) filter (where isAdmin and account_id <> ${accountId}) as "adminPeople",
      count(*) filter (where isAdmin and account_id <> ${accountId}) as admins
    from (select *, role = 'admin' and deactivated_at is null as isAdmin from account where tenant_id = ${tenantId}) a`);
  return row as Others;
}

export async function updateAccount(
  tx: Transaction,
  tenantId: number,
  accountId: number,
  { role, name }: { role?: Role | undefined; name?: string | undefined },
): Promise<void> {
  await tx.run(sql`
    update account set role = coalesce(${role ?? null}::text, role), name = coalesce(${name ?? null}::text, name)
    where tenant_id = ${tenantId} and account_id = ${accountId}`);
}

export async function setDeactivated(
  tx: Transaction,
  tenantId: number,
  accountId: number,
  isDeactivated: boolean,
): Promise<void> {
  await tx.run(sql`
    update account set deactivated_at = case when ${isDeactivated}::boolean then now() end
    where tenant_id = ${tenantId} and account_id = ${accountId}`);
}

/**
 * Ends every token of an account, and what its apps could get new ones with. The grants go first, in a statement of their own: a transaction that is
 * adding a token to one holds it, and is seen by the statements after.
 */
export async function endAccess(tx: Transaction, tenantId: number, accountId: number): Promise<void> {
  const grants = await tx.rows(sql<{ hash: string }>`
    delete from oauth_record where kind = 'Grant' and of_tenant_id = ${tenantId} and account_id = ${accountId}
    returning id_hash as hash`);
  await tx.run(sql`
    update access_token set revoked_at = now()
    where tenant_id = ${tenantId} and account_id = ${accountId} and revoked_at is null`);
  const hashes = grants.map(({ hash }) => Buffer.from(hash, 'hex'));
  await tx.run(sql`delete from oauth_record where grant_hash = any(${hashes}::bytea[])`);
}

/** Takes the person's browsers out of the workspace. Those that can go nowhere else are signed out. */
export async function leaveSessions(tx: Transaction, tenantId: number, accountId: number): Promise<void> {
  await tx.run(sql`
    update session s set ended_at = now() from account a
    where a.tenant_id = ${tenantId} and a.account_id = ${accountId} and s.person_id = a.person_id and s.ended_at is null
      and (s.sso_tenant_id = a.tenant_id
        or not exists (select from account o where o.person_id = a.person_id and o.deactivated_at is null))`);
  await tx.run(sql`
    update session s set in_tenant_id = null from account a
    where a.tenant_id = ${tenantId} and a.account_id = ${accountId} and s.person_id = a.person_id
      and s.in_tenant_id = a.tenant_id`);
}
