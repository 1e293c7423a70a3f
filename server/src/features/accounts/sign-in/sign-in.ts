// Signing in: a password, a code if the person has a second factor, then a session.
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import type { Database, Transaction } from '../../../db/database.js';
import type { Clock } from '../../../lib/clock.js';
import type { SecretBox } from '../../../lib/secret-box.js';
import { parseEmail } from '../../contacts/index.js';
import { leadOn } from '../next.js';
import { isPassword } from '../passwords.js';
import { findPerson, findPersonByEmail, isWelcome, type PersonRow } from '../people/queries.js';
import { hasSecondFactor, isCode, isRecoveryCode } from '../second-factor/second-factor.js';
import type { Sessions } from '../sessions/sessions.js';
import { countTries, forgiveTries, giveTryBack, type Limit, waitOf } from '../throttle/throttle.js';
import { Failures } from './failures.js';
import { type KnownBrowserNeeds, knownAs, rememberBrowser } from './known-browsers.js';
import { codeLimit, knownBrowserLimit, passwordLimits } from './limits.js';
import { sendCodePage } from './page.js';
import { openPending, type Pending, sealPending } from './pending.js';

interface SignInNeeds {
  db: Database;
  clock: Clock;
  log: FastifyBaseLogger;
  box: SecretBox;
  sessions: Sessions;
}

/** The result of a try; `wait`: there were too many, and the next one must wait this many seconds. */
type Tried<T> = { wait: number } | { found: T | undefined };

/** The first factor was passed. */
interface FirstFactor extends Omit<Pending, 'personId'> {
  /** The form's field, which the second form must have too. */
  form: string;
  /** Runs in the transaction that signs them in, or before a code is asked for. If it returns false, nothing is done. */
  also?(tx: Transaction): Promise<boolean>;
}

export class SignIn {
  private readonly failures: Failures;

  private readonly browsers: KnownBrowserNeeds;

  constructor(readonly needs: SignInNeeds) {
    this.failures = new Failures(needs.db, needs.log);
    this.browsers = { ...needs, cookies: needs.sessions.cookies };
  }

  /** Who has this address and this password. Costs the same work if the address is unknown, or has no password or no active account. */
  async checkPassword(given: string, password: string, request: FastifyRequest): Promise<Tried<PersonRow>> {
    const { db } = this.needs;
    const address = request.ip;
    const email = parseEmail(given);
    const { wait, isNews } = await this.countPassword(email ?? '', request);
    if (wait > 0 && !isNews) return { wait };
    const person = await findPersonByEmail(db, email ?? '');
    const fail = (action: 'sign-in.failed' | 'sign-in.locked') => {
      if (person) this.failures.note({ action, personId: person.personId, address, by: 'password' });
    };
    if (wait > 0) {
      fail('sign-in.locked');
      return { wait };
    }
    const fits = await isPassword(person?.passwordHash, password);
    const mayEnter = await isWelcome(db, person?.personId ?? 0);
    if (person && fits && mayEnter) return { found: person };
    fail('sign-in.failed');
    return { found: undefined };
  }

  /** Counts a try before it is made: under the browser if the person is known there, else under its network. */
  private async countPassword(email: string, request: FastifyRequest): Promise<{ wait: number; isNews: boolean }> {
    const { db } = this.needs;
    const known = await this.limitOfBrowser(email, request);
    if (known) return countTries(db, [known]);
    const { mine, others, widest } = passwordLimits(email, request.ip);
    const shut = await waitOf(db, widest);
    return shut > 0 ? { wait: shut, isNews: false } : countTries(db, [mine, ...others]);
  }

  /** Undefined if it is not known. Without a cookie, no query is made. */
  private async limitOfBrowser(email: string, request: FastifyRequest): Promise<Limit | undefined> {
    if (this.browsers.cookies.read(request, 'device') === undefined) return undefined;
    const person = await findPersonByEmail(this.needs.db, email);
    const id = person && knownAs(this.browsers, request, person);
    return person && id ? knownBrowserLimit(person.personId, id) : undefined;
  }

  /**
   * Goes on after the first factor: asks for the second, or signs in. False if `also` said no or they are active nowhere. Never returns the
   * reply itself: awaiting a reply waits until it is sent, and then yields nothing.
   */
  async arrive(request: FastifyRequest, reply: FastifyReply, person: PersonRow, first: FirstFactor): Promise<boolean> {
    const { form, also, ...how } = first;
    const pending = { ...how, personId: person.personId };
    if (!hasSecondFactor(person)) return this.finish(request, reply, person, pending, false, also);
    if (also && !(await this.needs.db.transaction(also))) return false;
    this.askForCode(reply, person, pending, form, 200);
    return true;
  }

  /** Signs in with the right code, or asks once more. `found` is false if the form is too old, or not ours. */
  async takeCode(
    request: FastifyRequest,
    reply: FastifyReply,
    given: { pending: string; form: string; code: string | undefined; recoveryCode: string | undefined },
  ): Promise<Tried<boolean>> {
    const { db, box, clock } = this.needs;
    const now = clock.now();
    const known = await openPending(box, given.pending, given.form, now, (personId) => findPerson(db, personId));
    if (!known) return { found: false };
    const { pending, person } = known;
    const { personId } = person;
    const by = given.code === undefined ? 'recovery-code' : 'code';
    const { wait, isNews } = await countTries(db, [codeLimit(personId)]);
    if (isNews) this.failures.note({ action: 'sign-in.locked', personId, address: request.ip, by });
    if (wait > 0) return { wait };
    const fits =
      given.code === undefined
        ? await isRecoveryCode(db, personId, given.recoveryCode ?? '')
        : await isCode(db, box, person, given.code, now);
    if (fits) return { found: await this.finish(request, reply, person, pending, true) };
    this.failures.note({ action: 'sign-in.failed', personId, address: request.ip, by });
    this.askForCode(reply, person, pending, given.form, 400);
    return { found: true };
  }

  /** Resolves when failures are logged. */
  settle(): Promise<void> {
    return this.failures.settle();
  }

  private askForCode(reply: FastifyReply, person: PersonRow, pending: Pending, form: string, status: 200 | 400): void {
    const sealed = sealPending(this.needs.box, pending, person, form, this.needs.clock.now());
    sendCodePage(reply, status, { form, pending: sealed });
  }

  private async finish(
    request: FastifyRequest,
    reply: FastifyReply,
    { personId, email }: PersonRow,
    { by, next, tenantId }: Pending,
    isStrong: boolean,
    also?: FirstFactor['also'],
  ): Promise<boolean> {
    const { db, sessions } = this.needs;
    const arrival = { personId, by, isStrong, tenantId, ...(also && { also }) };
    const known = await this.limitOfBrowser(parseEmail(email) ?? '', request);
    const to = await sessions.enter(request, reply, arrival, next);
    if (to === undefined) return false;
    const { mine, others } = passwordLimits(parseEmail(email) ?? '', request.ip);
    await forgiveTries(db, [known ?? mine, ...(isStrong ? [codeLimit(personId)] : [])]);
    if (by === 'password' && !known) await giveTryBack(db, others);
    rememberBrowser(this.browsers, request, reply, personId);
    leadOn(reply, to);
    return true;
  }
}
