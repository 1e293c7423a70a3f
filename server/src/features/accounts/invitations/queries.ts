import type { Role } from '@rapport/contract';
import type { Database, Runner, Transaction } from '../../../db/database.js';
import { type Page, type PageOf, paged } from '../../../db/paged.js';
import { bytes, sql } from '../../../db/sql.js';
import { accountNames, activeAccounts, members, tenantTable } from '../../tenants/index.js';

export type InvitationStatus = 'open' | 'accepted' | 'revoked' | 'expired';

export interface InvitationRow {
  invitationId: number;
  email: string;
  role: Role;
  status: InvitationStatus;
  /** An account; null for an operator. */
  invitedBy: number | null;
  createdAt: string;
  expiresAt: string;
  acceptedAt: string | null;
  /** The account that accepted it. */
  accountId: number | null;
}

// People who were deactivated, or are no longer admins, must not come back through an invitation that they sent themselves.
const status = sql`
  case when i.accepted_at is not null then 'accepted'
    when i.revoked_at is not null or i.invited_by is not null and not exists (select from ${activeAccounts} b
      where b.tenant_id = i.tenant_id and b.account_id = i.invited_by and b.role = 'admin') then 'revoked'
    when i.expires_at <= now() then 'expired' else 'open' end`;
const invitationColumns = sql`
  i.invitation_id as "invitationId", i.email, i.role, ${status} as status, i.invited_by as "invitedBy", i.created_at as "createdAt",
  i.expires_at as "expiresAt", i.accepted_at as "acceptedAt", i.account_id as "accountId"`;

/** The names of its workspace and of the inviter. Locks the workspace, so that two invitations of one address follow each other. */
export function lockWorkspace(
  tx: Transaction,
  tenantId: number,
  accountId: number | null,
): Promise<{ workspace: string; inviter: string | null } | undefined> {
  return tx.row(sql<{ workspace: string; inviter: string | null }>`
    select name as workspace, (select a.name from ${accountNames} a where a.tenant_id = t.tenant_id and a.account_id = ${accountId}::bigint) as inviter
    from ${tenantTable} t where tenant_id = ${tenantId} for no key update of t`);
}

/** Whether a person with this address has an account in the workspace. */
export function findMember(
  db: Runner,
  tenantId: number,
  emailFolded: string,
): Promise<{ isActive: boolean } | undefined> {
  return db.row(sql<{ isActive: boolean }>`
    select a.is_active as "isActive" from person p join ${members} a using (person_id)
    where p.email_folded = ${emailFolded} and a.tenant_id = ${tenantId}`);
}

/** A new invitation replaces open ones to the same address. Returns the replaced ones. */
export async function revokeOthers(db: Runner, tenantId: number, emailFolded: string): Promise<number[]> {
  const rows = await db.rows(sql<{ invitationId: number }>`
    update invitation set revoked_at = now()
    where tenant_id = ${tenantId} and email_folded = ${emailFolded} and accepted_at is null and revoked_at is null
    returning invitation_id as "invitationId"`);
  return rows.map(({ invitationId }) => invitationId);
}

interface NewInvitation {
  tenantId: number;
  email: string;
  emailFolded: string;
  role: Role;
  invitedBy: number | null;
  secretHash: string;
  days: number;
}

export async function insertInvitation(db: Runner, invitation: NewInvitation): Promise<InvitationRow> {
  const { tenantId, email, emailFolded, role, invitedBy, secretHash, days } = invitation;
  const row = await db.row(sql<InvitationRow>`
    insert into invitation as i (tenant_id, email, email_folded, role, secret_hash, invited_by, expires_at)
    values (${tenantId}, ${email}, ${emailFolded}, ${role}, ${bytes(secretHash)}, ${invitedBy}::bigint, now() + make_interval(days => ${days}))
    returning ${invitationColumns}`);
  return row as InvitationRow;
}

export function selectInvitations(db: Database, tenantId: number, page: PageOf): Promise<Page<InvitationRow>> {
  const total = sql`(select count(*) from invitation where tenant_id = ${tenantId})`;
  const rows = sql<InvitationRow>`
    select ${invitationColumns} from invitation i where i.tenant_id = ${tenantId}
    order by i.invitation_id desc limit ${page.limit} offset ${page.offset}`;
  return paged(db, tenantId, page, { total, rows });
}

/** Locks it: until the transaction ends, nothing else can accept, revoke or resend it. */
export function lockInvitation(
  tx: Transaction,
  tenantId: number,
  invitationId: number,
): Promise<InvitationRow | undefined> {
  return tx.row(sql<InvitationRow>`
    select ${invitationColumns} from invitation i where i.tenant_id = ${tenantId} and i.invitation_id = ${invitationId} for update of i`);
}

export async function revokeInvitationRow(db: Runner, tenantId: number, invitationId: number): Promise<InvitationRow> {
  const row = await db.row(sql<InvitationRow>`
    update invitation i set revoked_at = now() where i.tenant_id = ${tenantId} and i.invitation_id = ${invitationId}
    returning ${invitationColumns}`);
  return row as InvitationRow;
}

/** A new secret, and as much time again; the person who resends it becomes its inviter. */
export async function renewInvitation(
  db: Runner,
  tenantId: number,
  invitationId: number,
  { secretHash, invitedBy, days }: Pick<NewInvitation, 'secretHash' | 'invitedBy' | 'days'>,
): Promise<InvitationRow> {
  const row = await db.row(sql<InvitationRow>`
    update invitation i set secret_hash = ${bytes(secretHash)}, mail_hash = null, invited_by = ${invitedBy}::bigint,
      expires_at = now() + make_interval(days => ${days})
    where i.tenant_id = ${tenantId} and i.invitation_id = ${invitationId} returning ${invitationColumns}`);
  return row as InvitationRow;
}

/** Hash of the mailed link. */
export async function setMailHash(db: Runner, tenantId: number, invitationId: number, mailHash: string): Promise<void> {
  await db.run(sql`
    update invitation set mail_hash = ${bytes(mailHash)} where tenant_id = ${tenantId} and invitation_id = ${invitationId}`);
}

/** Ends a person's open invitations for good, whatever happens to the person later. */
export async function revokeWrittenBy(db: Runner, tenantId: number, accountId: number): Promise<void> {
  await db.run(sql`
    update invitation set revoked_at = now()
    where tenant_id = ${tenantId} and invited_by = ${accountId} and accepted_at is null and revoked_at is null`);
}

/** An invitation as the holder of its link sees it. */
export interface ShownInvitation extends InvitationRow {
  tenantId: number;
  workspace: string;
  inviter: string | null;
  /** A person with this address signs in here already. */
  personId: number | null;
  /** The link was in the mail, so its holder has the mailbox. */
  isByMail: boolean;
  /** The identity provider through which people of this address must enter the workspace. */
  requiredProvider: { providerId: number; name: string } | null;
}
const shownColumns = sql`
  ${invitationColumns}, i.tenant_id as "tenantId", t.name as workspace,
  (select a.name from ${accountNames} a where a.tenant_id = i.tenant_id and a.account_id = i.invited_by) as inviter,
  (select p.person_id from person p where p.email_folded = i.email_folded) as "personId",
  (select jsonb_build_object('providerId', d.provider_id, 'name', d.name) from identity_provider d
    where d.tenant_id = i.tenant_id and d.is_required and split_part(i.email_folded, '@', 2) = any(d.domains)
    order by d.provider_id limit 1) as "requiredProvider"`;

export function findInvitation(db: Runner, secretHash: string): Promise<ShownInvitation | undefined> {
  return db.row(sql<ShownInvitation>`
    select ${shownColumns}, i.mail_hash is not distinct from ${bytes(secretHash)} as "isByMail"
    from invitation i join ${tenantTable} t using (tenant_id)
    where i.secret_hash = ${bytes(secretHash)} or i.mail_hash = ${bytes(secretHash)}`);
}

/** The same, locked until the transaction ends: of two who accept it at once, the second sees what the first did. */
export async function lockInvitationBySecret(
  tx: Transaction,
  secretHash: string,
): Promise<ShownInvitation | undefined> {
  await tx.run(sql`
    select from invitation where secret_hash = ${bytes(secretHash)} or mail_hash = ${bytes(secretHash)} for update`);
  return findInvitation(tx, secretHash);
}

/** The open invitation to an address, locked. */
export async function lockOpenInvitation(
  tx: Transaction,
  tenantId: number,
  emailFolded: string,
): Promise<ShownInvitation | undefined> {
  await tx.run(sql`
    select from invitation where tenant_id = ${tenantId} and email_folded = ${emailFolded} and accepted_at is null and revoked_at is null
    order by invitation_id for update`);
  return tx.row(sql<ShownInvitation>`
    select ${shownColumns}, false as "isByMail" from invitation i join ${tenantTable} t using (tenant_id)
    where i.tenant_id = ${tenantId} and i.email_folded = ${emailFolded} and ${status} = 'open' order by i.invitation_id desc limit 1`);
}

export async function markAccepted(
  db: Runner,
  tenantId: number,
  invitationId: number,
  accountId: number,
): Promise<void> {
  await db.run(sql`
    update invitation set accepted_at = now(), account_id = ${accountId}
    where tenant_id = ${tenantId} and invitation_id = ${invitationId}`);
}

export async function selectInvitedAddresses(
  db: Runner,
  tenantId: number,
  ids: readonly number[],
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.rows(sql<{ id: number; email: string }>`
    select invitation_id as id, email from invitation where tenant_id = ${tenantId} and invitation_id = any(${ids}::bigint[])`);
  return new Map(rows.map(({ id, email }) => [id, email]));
}
