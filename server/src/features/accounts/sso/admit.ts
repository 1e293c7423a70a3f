// Who somebody is here whom an identity provider names: an account that came by it before, one with that address, or a new one.
import type { Database, Transaction } from '../../../db/database.js';
import { recordAudit } from '../../audit/index.js';
import { parseEmail } from '../../contacts/index.js';
import { findPersonByEmail, insertMembership, insertPerson } from '../people/queries.js';
import type { Claims } from './client.js';
import {
  acceptInvitation,
  findByEmail,
  findBySubject,
  findOpenInvitation,
  hasIdentity,
  insertIdentity,
  lockProvider,
  type MemberRow,
  type ProviderRow,
} from './queries.js';

/** Why somebody is turned away. */
export type Refusal =
  | 'no-address'
  | 'unverified'
  | 'other-domain'
  | 'deactivated'
  | 'taken'
  | 'unknown'
  | 'no-provider';

export interface Place {
  tenantId: number;
  providerId: number;
  /** Of the request. */
  address: string;
}

/** What was found is noted for the next time; who is turned away is in the audit log. */
export async function admit(db: Database, place: Place, claims: Claims): Promise<{ personId: number } | Refusal> {
  const { tenantId, providerId, address } = place;
  return db.transaction(async (tx) => {
    const provider = await lockProvider(tx, tenantId, providerId);
    const admitted = provider ? await admitBy(tx, provider, place, claims) : 'no-provider';
    if (typeof admitted === 'string' && provider)
      await recordAudit(tx, { tenantId, accountId: null, address }, 'sign-in.failed', null, {
        ...{ by: 'sso', providerId, why: admitted },
      });
    return admitted;
  });
}

async function admitBy(
  tx: Transaction,
  provider: ProviderRow,
  { tenantId, address }: Place,
  { subject, email: said, isEmailVerified, name }: Claims,
): Promise<{ personId: number } | Refusal> {
  const { providerId } = provider;
  const email = parseEmail(said ?? '');
  if (email === undefined) return 'no-address';
  if (!isEmailVerified) return 'unverified';
  // Each time: it speaks for no others, whatever it said before.
  if (!provider.domains.includes(email.slice(email.lastIndexOf('@') + 1))) return 'other-domain';
  const known = await findBySubject(tx, tenantId, providerId, subject);
  if (known) return ifActive(known);
  const member = await findByEmail(tx, tenantId, email);
  if (member) {
    if (!member.isActive) return 'deactivated';
    // Somebody else has this address there now: they must not get what was another's.
    if (await hasIdentity(tx, tenantId, providerId, member.accountId)) return 'taken';
    await insertIdentity(tx, tenantId, providerId, subject, member.accountId);
    return { personId: member.personId };
  }
  const invitation = await findOpenInvitation(tx, tenantId, email);
  const role = invitation?.role ?? provider.joinsAs;
  if (role === null) return 'unknown';
  const called = nameOf(name, email);
  const person = (await insertPerson(tx, { email, name: called })) ?? (await findPersonByEmail(tx, email));
  const joined = person && (await insertMembership(tx, { tenantId, role }, person));
  if (!joined) return 'unknown';
  const { accountId } = joined;
  await insertIdentity(tx, tenantId, providerId, subject, accountId);
  if (invitation) await acceptInvitation(tx, tenantId, invitation.invitationId, accountId);
  await recordAudit(tx, { tenantId, accountId, address }, 'person.joined', accountId, { role, by: 'sso' });
  return { personId: person.personId };
}

function ifActive({ personId, isActive }: MemberRow): { personId: number } | Refusal {
  return isActive ? { personId } : 'deactivated';
}

const longestName = 100;

function nameOf(name: string | undefined, email: string): string {
  const plain = (name ?? '')
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, longestName)
    .trim();
  return plain === '' ? email.slice(0, email.indexOf('@')).slice(0, longestName) : plain;
}
