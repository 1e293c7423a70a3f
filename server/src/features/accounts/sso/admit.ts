// Who somebody is here whom an identity provider names: an account that came by it before, one with that address, or a new one.
import type { Database, Runner, Transaction } from '../../../db/database.js';
import { recordAudit } from '../../audit/index.js';
import { parseEmail } from '../../contacts/index.js';
import { acceptVouched, InvitationRefused } from '../invitations/accept.js';
import { lockOpenInvitation } from '../invitations/queries.js';
import { findPersonByEmail, insertMembership, insertPerson, type PersonRow } from '../people/queries.js';
import type { Claims } from './client.js';
import {
  findByEmail,
  findBySubject,
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
  const { tenantId, providerId } = place;
  const turnedAway = (runner: Runner, why: Refusal) =>
    recordAudit(runner, { tenantId, accountId: null, address: place.address }, 'sign-in.failed', null, {
      ...{ by: 'sso', providerId, why },
    });
  const admitting = db.transaction(async (tx) => {
    const provider = await lockProvider(tx, tenantId, providerId);
    const admitted = provider ? await admitBy(tx, provider, place, claims) : 'no-provider';
    if (typeof admitted === 'string' && provider) await turnedAway(tx, admitted);
    return admitted;
  });
  return admitting.catch(async (error: unknown) => {
    // Their account is deactivated. Nobody was made of it: that was rolled back.
    if (!(error instanceof InvitationRefused)) throw error;
    await turnedAway(db, 'deactivated');
    return 'deactivated' as const;
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
  const invitation = await lockOpenInvitation(tx, tenantId, email);
  if (!invitation && provider.joinsAs === null) return 'unknown';
  const called = nameOf(name, email);
  const person = (await insertPerson(tx, { email, name: called })) ?? (await findPersonByEmail(tx, email));
  const joined = person && (await join(tx, provider, person, { tenantId, address }));
  if (!joined) return 'unknown';
  await insertIdentity(tx, tenantId, providerId, subject, joined.accountId);
  return { personId: person.personId };
}

/** As what they were invited, else as what the provider lets people be. */
async function join(
  tx: Transaction,
  { joinsAs }: ProviderRow,
  person: PersonRow,
  { tenantId, address }: Pick<Place, 'tenantId' | 'address'>,
): Promise<{ accountId: number } | undefined> {
  const invited = await acceptVouched(tx, tenantId, person, address);
  if (invited || joinsAs === null) return invited;
  const joined = await insertMembership(tx, { tenantId, role: joinsAs }, person);
  if (!joined) return undefined;
  const { accountId } = joined;
  await recordAudit(tx, { tenantId, accountId, address }, 'person.joined', accountId, { role: joinsAs, by: 'sso' });
  return joined;
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
