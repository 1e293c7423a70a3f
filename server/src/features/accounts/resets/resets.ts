// A new password for people who forgot theirs: a link by mail that works once, for an hour.
import { hash } from 'node:crypto';
import type { Database, Transaction } from '../../../db/database.js';
import type { Clock } from '../../../lib/clock.js';
import { instantOf } from '../../../lib/instant.js';
import { randomToken } from '../../../lib/random.js';
import { normalizeEmail } from '../../../lib/text.js';
import { dropLinks, findLink, takeLink } from '../links/links.js';
import type { AccountMail } from '../mail/account-mail.js';
import { resetLetter } from '../mail/letters.js';
import { hashPassword } from '../passwords.js';
import { auditPerson } from '../people/audit-person.js';
import { findPerson, markProven, type PersonRow, updatePassword } from '../people/queries.js';
import { removeSecondFactor } from '../second-factor/second-factor.js';
import type { Sessions } from '../sessions/sessions.js';
import { passwordLimits } from '../sign-in/limits.js';
import { forgiveTries, type Limit, takeTry } from '../throttle/throttle.js';
import { endTokensOf, insertResetLink } from './queries.js';

/** Ends what apps were allowed in a person's name. */
export type EndGrants = (tx: Transaction, personId: number) => Promise<void>;

export interface ResetNeeds {
  db: Database;
  clock: Clock;
  baseUrl: () => string;
  mail: AccountMail;
  sessions: Sessions;
  endGrants: EndGrants;
}

const hour = 3600;
export const mailsAnHour = 5;
const mailLimit = (emailFolded: string): Limit => ({ key: `forgot:${emailFolded}`, most: mailsAnHour, seconds: hour });

/**
 * Queues a mail with a link, if a person has this address. Runs the same statements and the same sealing if none does,
 * and writes in both cases, so that neither the answer nor its time tells.
 */
export async function requestReset({ db, clock, baseUrl, mail }: ResetNeeds, email: string): Promise<void> {
  const emailFolded = normalizeEmail(email);
  const secret = randomToken('');
  const letter = resetLetter(
    `${baseUrl()}/oauth/reset?token=${secret}`,
    instantOf(clock.now().getTime() + hour * 1000),
  );
  await db.transaction(async (tx) => {
    // A stranger must not flood a mailbox. This is not said either: it would reveal who has an account.
    const isEnough = (await takeTry(tx, [mailLimit(emailFolded)])) > 0;
    const found = await insertResetLink(tx, isEnough ? '' : emailFolded, hash('sha256', secret), hour);
    await mail.enqueue(tx, found?.tenantId ?? null, found?.email ?? emailFolded, letter);
  });
}

/** Whose password a link may set, if it still works. */
export async function findReset({ db }: ResetNeeds, token: string): Promise<PersonRow | undefined> {
  const personId = await findLink(db, 'reset', token);
  return personId === undefined ? undefined : findPerson(db, personId);
}

/**
 * Until now anyone may have been behind the address: the inviter can use the link themselves. What was set up meanwhile must not lock the
 * owner out, or keep the other person in.
 */
async function dropWhatWasBefore(
  tx: Transaction,
  { endGrants }: ResetNeeds,
  personId: number,
  address: string,
): Promise<void> {
  const hadSecondFactor = await removeSecondFactor(tx, personId);
  await endGrants(tx, personId);
  await endTokensOf(tx, personId);
  if (hadSecondFactor) await auditPerson(tx, personId, address, 'second-factor.removed', { by: 'first proof' });
}

/**
 * Sets the password and ends every session. Does not sign in: the sign-in does, and asks for a second factor. False if the link
 * was used meanwhile.
 */
export async function resetPassword(
  needs: ResetNeeds,
  { personId, email }: PersonRow,
  token: string,
  password: string,
  address: string,
): Promise<boolean> {
  const { db, sessions } = needs;
  const passwordHash = await hashPassword(password);
  const isDone = await db.transaction(async (tx) => {
    if (!(await takeLink(tx, 'reset', token))) return false;
    // Other links to the account must stop working.
    await dropLinks(tx, personId, 'reset');
    await dropLinks(tx, personId, 'sign-in');
    await updatePassword(tx, personId, passwordHash);
    const isFirstProof = await markProven(tx, personId);
    await sessions.endIn(tx, personId);
    if (isFirstProof) await dropWhatWasBefore(tx, needs, personId, address);
    await auditPerson(tx, personId, address, 'password.reset');
    return true;
  });
  // A person who was locked out because of guesses can sign in now.
  const { mine, others } = passwordLimits(normalizeEmail(email), address);
  if (isDone) await forgiveTries(db, [mine, ...others.slice(0, 1)]);
  return isDone;
}
