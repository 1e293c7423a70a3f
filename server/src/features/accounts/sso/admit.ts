// Finds the account of a person whom an identity provider names: one that it named before, one with that address, or a new one.
import type { Database, Transaction } from '../../../db/database.js';
import { recordAudit } from '../../audit/index.js';
import { parseEmail } from '../../contacts/index.js';
import { insertMembership, markBySso } from '../../tenants/index.js';
import { acceptVouched, InvitationRefused } from '../invitations/accept.js';
import { lockOpenInvitation } from '../invitations/queries.js';
import { findPersonByEmail, insertPerson } from '../people/queries.js';
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

/** Why a person is turned away. */
export type Refusal =
  | 'no-address'
  | 'unverified'
  | 'other-domain'
  | 'deactivated'
  | 'taken'
  | 'unknown'
  | 'no-provider';

interface Place {
  tenantId: number;
  providerId: number;
  /** Of the request. */
  address: string;
}

/** What was found is stored for the next time. If a person is turned away, only a line in the audit log is kept. */
export async function admit(db: Database, place: Place, claims: Claims): Promise<{ personId: number } | Refusal> {
  const { tenantId, providerId, address } = place;
  try {
    return await db.transaction(async (tx) => {
      const provider = await lockProvider(tx, tenantId, providerId);
      if (!provider) throw new TurnedAway('no-provider');
      return admitBy(tx, provider, place, claims);
    });
  } catch (error) {
    const isInvited = error instanceof InvitationRefused;
    if (!isInvited && !(error instanceof TurnedAway)) throw error;
    const why = isInvited ? 'deactivated' : error.why;
    const detail = { by: 'sso', providerId, why };
    await recordAudit(db, { tenantId, accountId: null, address }, 'sign-in.failed', null, detail);
    return why;
  }
}

/** Nothing was done: the transaction rolls back. */
class TurnedAway extends Error {
  constructor(readonly why: Refusal) {
    super(`Turned away: ${why}.`);
  }
}

async function admitBy(
  tx: Transaction,
  provider: ProviderRow,
  { tenantId, address }: Place,
  { subject, email: said, isEmailVerified, name }: Claims,
): Promise<{ personId: number }> {
  const { providerId } = provider;
  const email = parseEmail(said ?? '');
  if (email === undefined) throw new TurnedAway('no-address');
  if (!isEmailVerified) throw new TurnedAway('unverified');
  // Checked each time: it speaks only for its domains, whatever it said before.
  if (!provider.domains.includes(email.slice(email.lastIndexOf('@') + 1))) throw new TurnedAway('other-domain');
  const known = await findBySubject(tx, tenantId, providerId, subject);
  const member = known ?? (await findByEmail(tx, tenantId, email));
  if (member && !member.isActive) throw new TurnedAway('deactivated');
  if (known) return { personId: known.personId };
  if (member) {
    // Another person has this address there now: they must not get the first one's account.
    if (await hasIdentity(tx, tenantId, providerId, member.accountId)) throw new TurnedAway('taken');
    await insertIdentity(tx, tenantId, providerId, subject, member.accountId);
    return { personId: member.personId };
  }
  const account = await joinAs(tx, provider, tenantId, { email, name: nameOf(name, email) }, address);
  await markBySso(tx, tenantId, account.accountId);
  await insertIdentity(tx, tenantId, providerId, subject, account.accountId);
  return { personId: account.personId };
}

/** A new person joins as invited, else as the provider says, else not at all. */
async function joinAs(
  tx: Transaction,
  { joinsAs }: ProviderRow,
  tenantId: number,
  newcomer: { email: string; name: string },
  address: string,
): Promise<Pick<MemberRow, 'accountId' | 'personId'>> {
  const isInvited = (await lockOpenInvitation(tx, tenantId, newcomer.email)) !== undefined;
  if (!isInvited && joinsAs === null) throw new TurnedAway('unknown');
  const person = (await insertPerson(tx, newcomer)) ?? (await findPersonByEmail(tx, newcomer.email));
  const invited = person && isInvited && (await acceptVouched(tx, tenantId, person, address));
  if (invited) return invited;
  const joined = person && joinsAs && (await insertMembership(tx, { tenantId, role: joinsAs }, person));
  if (!joined) throw new TurnedAway('unknown');
  const { accountId } = joined;
  const detail = { role: joinsAs, by: 'sso' };
  await recordAudit(tx, { tenantId, accountId, address }, 'person.joined', accountId, detail);
  return { accountId, personId: person.personId };
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
