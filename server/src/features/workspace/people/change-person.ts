// Changes roles, and deactivates people. One change at a time per workspace, so that two admins cannot deactivate each other.
import type { BodyValue, updatePerson } from '@rapport/contract';
import type { Transaction } from '../../../db/database.js';
import { ApiError, notFound } from '../../../http/api-error.js';
import { endInvitationsBy, leaveSessions } from '../../accounts/index.js';
import { type Actor, recordAudit } from '../../audit/index.js';
import { endGrantsOfAccount } from '../../oauth/index.js';
import {
  holdWorkspace,
  isNumber,
  revokeTokensOf,
  selectOthers,
  setDeactivated,
  updateAccount,
} from '../../tenants/index.js';
import type { PersonRow, Viewer } from './queries.js';
import * as queries from './queries.js';

/** An admin, and where they call from. */
export type Admin = Actor & Viewer;

export async function changePerson(
  tx: Transaction,
  admin: Admin,
  id: string,
  { role, name }: BodyValue<typeof updatePerson>,
): Promise<PersonRow> {
  const { tenantId } = admin;
  const before = await holdPerson(tx, admin, id);
  const { accountId } = before;
  if (role !== undefined && role !== 'admin') await keepAnAdmin(tx, tenantId, before);
  await updateAccount(tx, tenantId, accountId, { role, name });
  if (role !== undefined && role !== before.role) await endInvitationsBy(tx, tenantId, accountId);
  const after = await getPerson(tx, admin, accountId);
  // Last, because they lock the log.
  if (after.name !== before.name) await recordAudit(tx, admin, 'person.renamed', accountId);
  if (after.role !== before.role)
    await recordAudit(tx, admin, 'person.role-changed', accountId, { from: before.role, to: after.role });
  return after;
}

/** Deactivates a person. Doing it twice changes nothing. */
export async function deactivate(tx: Transaction, admin: Admin, id: string): Promise<PersonRow> {
  const { tenantId } = admin;
  const before = await holdPerson(tx, admin, id);
  if (before.state === 'deactivated') return before;
  const { accountId } = before;
  await keepAnAdmin(tx, tenantId, before);
  await setDeactivated(tx, tenantId, accountId, true);
  await endAccess(tx, tenantId, accountId);
  await leaveSessions(tx, tenantId, accountId);
  await endInvitationsBy(tx, tenantId, accountId);
  const after = await getPerson(tx, admin, accountId);
  await recordAudit(tx, admin, 'person.deactivated', accountId);
  return after;
}

export async function reactivate(tx: Transaction, admin: Admin, id: string): Promise<PersonRow> {
  const { tenantId } = admin;
  const before = await holdPerson(tx, admin, id);
  if (before.state === 'active') return before;
  const { accountId } = before;
  // A token may have been made while the account was being deactivated: it must not start working now.
  await endAccess(tx, tenantId, accountId);
  // Nor may an invitation that they sent.
  await endInvitationsBy(tx, tenantId, accountId);
  await setDeactivated(tx, tenantId, accountId, false);
  const after = await getPerson(tx, admin, accountId);
  await recordAudit(tx, admin, 'person.reactivated', accountId);
  return after;
}

/** Until the transaction ends, no other change of roles or access happens here. */
async function holdPerson(tx: Transaction, admin: Admin, id: string): Promise<PersonRow> {
  await holdWorkspace(tx, admin.tenantId);
  return getPerson(tx, admin, isNumber(id) ? Number(id) : 0);
}

async function getPerson(tx: Transaction, viewer: Viewer, accountId: number): Promise<PersonRow> {
  const person = await queries.findPerson(tx, viewer, accountId);
  if (!person) throw notFound('person');
  return person;
}

/** Throws if this is the last active admin who can sign in, or, while no admin can, the last admin at all. */
async function keepAnAdmin(tx: Transaction, tenantId: number, person: PersonRow): Promise<void> {
  if (person.role !== 'admin' || person.state !== 'active') return;
  const { hasPeople, adminPeople, admins } = await selectOthers(tx, tenantId, person.accountId);
  if (adminPeople > 0) return;
  if (person.isPerson || (hasPeople && admins === 0))
    throw new ApiError('INVALID_STATE', {
      reason: 'This is the last admin of the workspace. Make someone else an admin first.',
    });
}

/** Ends every token of an account, and the grants of its apps. */
async function endAccess(tx: Transaction, tenantId: number, accountId: number): Promise<void> {
  await endGrantsOfAccount(tx, tenantId, accountId);
  await revokeTokensOf(tx, tenantId, accountId);
}
