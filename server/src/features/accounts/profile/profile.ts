// What people change about themselves. It is in the audit log of every workspace that they belong to.
import type { Database } from '../../../db/database.js';
import type { Clock } from '../../../lib/clock.js';
import type { SecretBox } from '../../../lib/secret-box.js';
import { renameAccounts } from '../../tenants/index.js';
import { nameFault, readName, wordsAbout } from '../fields.js';
import type { FormFields } from '../forms.js';
import { faultOfPassword, hashPassword, isPassword } from '../passwords.js';
import { auditPerson } from '../people/audit-person.js';
import { findPerson, type PersonRow, updatePassword } from '../people/queries.js';
import {
  confirmTotp,
  hasSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
  startTotp,
} from '../second-factor/second-factor.js';
import type { Session, Sessions } from '../sessions/sessions.js';
import { codeLimit } from '../sign-in/limits.js';
import { forgiveTries, type Limit, takeTry } from '../throttle/throttle.js';
import { cameByLink, updateName } from './queries.js';

export interface ProfileNeeds {
  db: Database;
  clock: Clock;
  box: SecretBox;
  sessions: Sessions;
}

/** The result of a form: a sentence above the page, codes that are shown once, or a time to wait. */
type FormResult = { good: string } | { bad: string } | { codes: string[] } | { wait: number };

/** A person who is signed in, and what they filled in. */
interface ProfileForm {
  session: Session;
  person: PersonRow;
  fields: FormFields;
  address: string;
}
type Change = (needs: ProfileNeeds, asked: ProfileForm) => Promise<FormResult>;

const quarterHour = 900;
// Counted per person: a stolen session must not be able to guess.
const passwordLimit = (personId: number): Limit => ({
  key: `own-password:${personId}`,
  most: 10,
  seconds: quarterHour,
});

/** What a form asks for, by its field `do`. */
export const changes: Readonly<Partial<Record<string, Change>>> = {
  name: changeName,
  password: changePassword,
  'add-second-factor': addSecondFactor,
  'confirm-second-factor': confirmSecondFactor,
  'remove-second-factor': (needs, asked) => withPassword(needs, asked, () => dropSecondFactor(needs, asked)),
  'renew-codes': (needs, asked) => withPassword(needs, asked, () => renewCodes(needs, asked)),
  'end-session': endSession,
};

async function changeName({ db }: ProfileNeeds, { person, fields, address }: ProfileForm): Promise<FormResult> {
  const name = readName(fields.name);
  if (name === undefined) return { bad: nameFault };
  await db.transaction(async (tx) => {
    const before = await updateName(tx, person.personId, name);
    if (before !== undefined) await renameAccounts(tx, person.personId, before, name);
    if (name !== person.name) await auditPerson(tx, person.personId, address, 'person.renamed');
  });
  return { good: 'Your name was changed.' };
}

/** Goes on if the password is right. A person without one came by an operator's link, and has none to enter. */
async function withPassword(
  { db }: ProfileNeeds,
  { person, fields }: ProfileForm,
  goOn: () => Promise<FormResult>,
): Promise<FormResult> {
  if (person.passwordHash === null) return goOn();
  const limit = passwordLimit(person.personId);
  const wait = await takeTry(db, [limit]);
  if (wait > 0) return { wait };
  if (!(await isPassword(person.passwordHash, fields.current ?? '')))
    return { bad: 'That is not your current password. Nothing was changed.' };
  await forgiveTries(db, [limit]);
  return goOn();
}

async function changePassword(needs: ProfileNeeds, asked: ProfileForm): Promise<FormResult> {
  const { person, fields } = asked;
  const password = fields.password ?? '';
  const bad = faultOfPassword(password, wordsAbout(person));
  if (bad !== undefined) return { bad };
  const change = async () => {
    const { db, sessions } = needs;
    const { personId } = person;
    const passwordHash = await hashPassword(password);
    await db.transaction(async (tx) => {
      await updatePassword(tx, personId, passwordHash);
      await sessions.endIn(tx, personId, { allBut: asked.session.sessionId });
      await auditPerson(tx, personId, asked.address, 'password.changed');
    });
    return {
      good:
        person.passwordHash === null
          ? 'Your password is set. Use it with your email address next time.'
          : 'Your password was changed. Other browsers are signed out.',
    };
  };
  return (await forgotPassword(needs, asked.session)) ? change() : withPassword(needs, asked, change);
}

/** Whether they can set a new password without the old one. */
export function forgotPassword({ db, clock }: ProfileNeeds, { personId, createdAt }: Session): Promise<boolean> {
  return cameByLink(db, personId, createdAt, clock.now().toISOString());
}

async function addSecondFactor({ db, box }: ProfileNeeds, { person }: ProfileForm): Promise<FormResult> {
  const trial = await startTotp(db, box, person);
  return trial ? { good: 'One step is left: show a code of your app.' } : { bad: 'You have a second factor already.' };
}

/** With the first code they get recovery codes, because people do not come back later to fetch them. */
async function confirmSecondFactor({ db, box, clock }: ProfileNeeds, asked: ProfileForm): Promise<FormResult> {
  const { personId } = asked.person;
  const wait = await takeTry(db, [codeLimit(personId)]);
  if (wait > 0) return { wait };
  const codes = await db.transaction(async (tx) => {
    // As it is now, not as it was when the page was shown.
    const person = await findPerson(tx, personId);
    if (!person || !(await confirmTotp(tx, box, person, asked.fields.code ?? '', clock.now()))) return undefined;
    const made = await renewRecoveryCodes(tx, personId);
    await auditPerson(tx, personId, asked.address, 'second-factor.added');
    return made;
  });
  if (!codes)
    return { bad: 'That code did not fit. Check that the clock of your device is right, and type the next code.' };
  await forgiveTries(db, [codeLimit(personId)]);
  return { codes };
}

async function dropSecondFactor(
  { db }: ProfileNeeds,
  { person: { personId }, address }: ProfileForm,
): Promise<FormResult> {
  await db.transaction(async (tx) => {
    if (await removeSecondFactor(tx, personId)) await auditPerson(tx, personId, address, 'second-factor.removed');
  });
  return { good: 'The second factor was removed. Your password alone signs you in.' };
}

async function renewCodes({ db }: ProfileNeeds, { person, address }: ProfileForm): Promise<FormResult> {
  if (!hasSecondFactor(person)) return { bad: 'Recovery codes come with a second factor. Add one first.' };
  const codes = await db.transaction(async (tx) => {
    const made = await renewRecoveryCodes(tx, person.personId);
    await auditPerson(tx, person.personId, address, 'recovery-codes.renewed');
    return made;
  });
  return { codes };
}

async function endSession({ sessions }: ProfileNeeds, { person, fields }: ProfileForm): Promise<FormResult> {
  const sessionId = Number(fields.session);
  if (!Number.isSafeInteger(sessionId) || sessionId < 1) return { bad: 'Choose a browser of the list.' };
  await sessions.end(person.personId, { only: sessionId });
  return { good: 'That browser is signed out.' };
}
