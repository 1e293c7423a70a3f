// Joining a workspace by an invitation: exactly once, even when several try at the same moment.
import type { Role } from '@rapport/contract';
import type { Transaction } from '../../../db/database.js';
import { normalizeEmail } from '../../../lib/text.js';
import { recordAudit } from '../../audit/index.js';
import { adoptAccount, insertMembership, lockSeat, updateAccount } from '../../tenants/index.js';
import { insertPerson, markProven, type PersonRow } from '../people/queries.js';
import type { Session } from '../sessions/sessions.js';
import {
  type InvitationStatus,
  lockInvitationBySecret,
  lockOpenInvitation,
  markAccepted,
  type ShownInvitation,
} from './queries.js';

export type Refusal =
  | 'unknown'
  | Exclude<InvitationStatus, 'open'>
  /** The address has an account: its owner has to sign in first. */
  | 'known-person'
  | 'other-person'
  /** The workspace lets them in only through its identity provider. */
  | 'needs-sso'
  /** They are deactivated in the workspace, and an admin has to let them in again. */
  | 'deactivated';

/** Nothing was done: the transaction rolls back. */
export class InvitationRefused extends Error {
  constructor(readonly why: Refusal) {
    super(`The invitation was refused: ${why}.`);
  }
}

export interface Joined {
  tenantId: number;
  accountId: number;
  personId: number;
  role: Role;
}
type Joining = Pick<PersonRow, 'personId' | 'name' | 'email'>;

/** For a person who is new here. */
export async function acceptAsNew(
  tx: Transaction,
  secretHash: string,
  { name, passwordHash, address }: { name: string; passwordHash: string; address: string },
): Promise<Joined> {
  const invitation = await lockOpen(tx, secretHash);
  if (invitation.requiredProvider) throw new InvitationRefused('needs-sso');
  const person = await insertPerson(tx, { email: invitation.email, name, passwordHash });
  if (!person) throw new InvitationRefused('known-person');
  if (invitation.isByMail) await markProven(tx, person.personId);
  return join(tx, invitation, person, address);
}

/** For a person who is signed in. */
export async function acceptAs(
  tx: Transaction,
  secretHash: string,
  session: Session,
  address: string,
): Promise<Joined> {
  const invitation = await lockOpen(tx, secretHash);
  if (!isFor(invitation, session)) throw new InvitationRefused('other-person');
  if (!mayEnter(invitation, session)) throw new InvitationRefused('needs-sso');
  return join(tx, invitation, session, address);
}

/**
 * For a person whom the workspace's identity provider vouched for: accepts the open invitation to their address, and returns undefined if
 * there is none. Throws InvitationRefused if their account is deactivated.
 */
export async function acceptVouched(
  tx: Transaction,
  tenantId: number,
  person: Joining,
  address: string,
): Promise<Joined | undefined> {
  const invitation = await lockOpenInvitation(tx, tenantId, normalizeEmail(person.email));
  return invitation && join(tx, invitation, person, address);
}

export function isFor(invitation: ShownInvitation, session: Session): boolean {
  return normalizeEmail(session.email) === normalizeEmail(invitation.email);
}

/** An identity provider speaks only for its own workspace, and some workspaces accept nothing else. */
export function mayEnter({ tenantId, requiredProvider }: ShownInvitation, { ssoTenantId }: Session): boolean {
  return ssoTenantId === null ? requiredProvider === null : ssoTenantId === tenantId;
}

async function lockOpen(tx: Transaction, secretHash: string): Promise<ShownInvitation> {
  const invitation = await lockInvitationBySecret(tx, secretHash);
  if (!invitation) throw new InvitationRefused('unknown');
  if (invitation.status !== 'open') throw new InvitationRefused(invitation.status);
  return invitation;
}

async function join(tx: Transaction, invitation: ShownInvitation, person: Joining, address: string): Promise<Joined> {
  const { tenantId, invitationId } = invitation;
  const { accountId, role } = await takeSeat(tx, invitation, person);
  await markAccepted(tx, tenantId, invitationId, accountId);
  await recordAudit(tx, { tenantId, accountId, address }, 'person.joined', accountId, { invitationId, role });
  return { tenantId, accountId, role, personId: person.personId };
}

/** A person who already belongs to the workspace, perhaps through its identity provider, keeps their role. */
async function takeSeat(
  tx: Transaction,
  { tenantId, role }: Pick<ShownInvitation, 'tenantId' | 'role'>,
  person: Joining,
): Promise<{ accountId: number; role: Role }> {
  const seat = await lockSeat(tx, tenantId, person.personId, normalizeEmail(person.email));
  if (seat && !seat.isActive) throw new InvitationRefused('deactivated');
  if (seat?.isOwn) return seat;
  if (seat && (await adoptAccount(tx, { tenantId, accountId: seat.accountId }, person))) {
    await updateAccount(tx, tenantId, seat.accountId, { role });
    return { accountId: seat.accountId, role };
  }
  const made = await insertMembership(tx, { tenantId, role }, person);
  // Another request made it at this moment: it belongs to them by now.
  return made ?? takeSeat(tx, { tenantId, role }, person);
}
