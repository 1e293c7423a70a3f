// Accounts of people, as features above read and change them.
import type { Role } from '@rapport/contract';
import type { Runner, Transaction } from '../../../db/database.js';
import { sql } from '../../../db/sql.js';

/** Who an account belongs to. */
interface Holder {
  personId: number;
  name: string;
  email: string;
}

export interface Membership {
  tenantId: number;
  accountId: number;
  role: Role;
  isActive: boolean;
}
const membershipColumns = sql`
  tenant_id as "tenantId", account_id as "accountId", role, deactivated_at is null as "isActive"`;

/** Where a person has an account, deactivated ones too. */
export function selectMemberships(db: Runner, personId: number): Promise<Membership[]> {
  return db.rows(sql<Membership>`
    select ${membershipColumns} from account where person_id = ${personId} order by tenant_id`);
}

/** Makes a person a member of a workspace. Undefined if they have an account there already. */
export function insertMembership(
  db: Runner,
  { tenantId, role }: { tenantId: number; role: Role },
  { personId, name, email }: Holder,
): Promise<Membership | undefined> {
  return db.row(sql<Membership>`
    insert into account (tenant_id, name, email, role, person_id)
    values (${tenantId}, ${name}, ${email}, ${role}, ${personId})
    on conflict (tenant_id, person_id) where person_id is not null do nothing returning ${membershipColumns}`);
}

/** Gives an account without an owner to a person; what it made stays made by it. */
export async function adoptAccount(
  db: Runner,
  { tenantId, accountId }: { tenantId: number; accountId: number },
  { personId, name, email }: Holder,
): Promise<boolean> {
  const touched = await db.run(sql`
    update account set person_id = ${personId}, name = ${name}, email = ${email}
    where tenant_id = ${tenantId} and account_id = ${accountId} and person_id is null
      and not exists (select from account a where a.tenant_id = ${tenantId} and a.person_id = ${personId})`);
  return touched === 1;
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

/** Only the identity provider says whose account this is. */
export async function markBySso(tx: Transaction, tenantId: number, accountId: number): Promise<void> {
  await tx.run(sql`update account set is_by_sso = true where tenant_id = ${tenantId} and account_id = ${accountId}`);
}

/** Serializes changes of roles and access. A transaction that only refers to the tenant does not wait. */
export async function holdWorkspace(tx: Transaction, tenantId: number): Promise<void> {
  await tx.run(sql`select from tenant where tenant_id = ${tenantId} for no key update`);
}

/** Gives a person's accounts their new name. A different name was set by an admin and stays. */
export async function renameAccounts(db: Runner, personId: number, from: string, to: string): Promise<void> {
  await db.run(sql`update account set name = ${to} where person_id = ${personId} and name = ${from}`);
}

interface Seat {
  accountId: number;
  role: Role;
  isActive: boolean;
  isOwn: boolean;
}

/** The account that a person would have in a workspace: their own, else an unowned one with their address. Locked. */
export function lockSeat(
  tx: Transaction,
  tenantId: number,
  personId: number,
  emailFolded: string,
): Promise<Seat | undefined> {
  return tx.row(sql<Seat>`
    select account_id as "accountId", role, deactivated_at is null as "isActive", person_id is not null as "isOwn" from account
    where tenant_id = ${tenantId} and (person_id = ${personId} or person_id is null and lower(trim(email)) = ${emailFolded})
    order by person_id nulls last, deactivated_at is not null, account_id limit 1 for update`);
}

interface Others {
  /** Whether any person of the workspace can sign in, admin or not. */
  hasPeople: boolean;
  /** How many other active admins there are: those who can sign in, and all. */
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
