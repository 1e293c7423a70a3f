import { TOTP } from 'otpauth';
import { pino } from 'pino';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import {
  browser,
  formTokenOf,
  goodPassword,
  isSignedIn,
  makePerson,
  signedIn,
  type TestPerson,
} from '../../../../test/accounts.js';
import { useApp } from '../../../../test/app.js';
import { inviter } from '../../../../test/invitations.js';
import { linkIn, openMailbox } from '../../../../test/mailbox.js';
import { watched } from '../../../../test/watched-database.js';
import { sql } from '../../../db/sql.js';
import { systemClock } from '../../../lib/clock.js';
import { randomBytes } from '../../../lib/random.js';
import { SecretBox } from '../../../lib/secret-box.js';
import { endGrantsOfPerson } from '../../oauth/index.js';
import { AccountMail } from '../mail/account-mail.js';
import { findPerson, markProven } from '../people/queries.js';
import { confirmTotp, startTotp } from '../second-factor/second-factor.js';
import { Cookies } from '../sessions/cookies.js';
import { Sessions } from '../sessions/sessions.js';
import { requestReset } from './resets.js';

const mailbox = await openMailbox();
const box = new SecretBox(randomBytes(32));
const t = useApp({ transport: mailbox.transport, box, work: true });
const baseUrl = () => 'http://rapport.test';
const newPassword = 'another horse in the stable';
let person: TestPerson;
let tenantId = 0;
let network = 0;

beforeEach(async () => {
  ({ tenantId } = await t.tenant());
  person = await makePerson(t, { tenantId });
  network++;
});
afterAll(() => mailbox.server.close());

const newBrowser = () => browser(t, `203.0.113.${network}`);
const ask = (email: string, b = newBrowser()) => b.fill('/oauth/forgot', { email });
const resetLink = async (nth = 1) => {
  await ask(person.email);
  return linkIn(await mailbox.mailTo(person.email, nth));
};
const actions = async (of: number) => {
  const rows = await t.db.rows(
    sql<{
      action: string;
    }>`select action from audit_entry where tenant_id = ${of} and action <> 'token.created' order by entry_no`,
  );
  return rows.map(({ action }) => action);
};

describe('forgetting a password', () => {
  it('gives everybody the same answer, word for word', async () => {
    const nobody = await ask('nobody@example.com');
    const deactivated = await makePerson(t, { tenantId });
    await t.db.run(sql`update account set deactivated_at = now() where account_id = ${deactivated.accountId}`);
    expect(nobody.status).toBe(200);
    expect(nobody.text).toContain('If this address has an account');
    for (const email of [person.email, ` ${person.email.toUpperCase()} `, deactivated.email])
      expect((await ask(email)).text).toBe(nobody.text);
    await mailbox.mailTo(person.email);
    expect(mailbox.countTo(deactivated.email)).toBe(0);
    expect(mailbox.countTo('nobody@example.com')).toBe(0);
  });

  it('runs the same statements whether a person is found or not', async () => {
    const texts = async (email: string) => {
      const seen = watched({ ...t.db.background, transaction: (work) => t.db.transaction(work) });
      const db = { ...t.db, transaction: seen.transaction };
      const mail = new AccountMail({
        ...{ db, box, clock: systemClock, baseUrl, wake: () => undefined },
        ...{ transport: mailbox.transport, log: pino({ level: 'silent' }) },
      });
      const sessions = new Sessions(db, systemClock, new Cookies(baseUrl), () => undefined);
      await requestReset({ db, mail, sessions, baseUrl, clock: systemClock, endGrants: endGrantsOfPerson }, email);
      return seen.texts;
    };
    const found = await texts(person.email);
    expect(found.length).toBeGreaterThan(2);
    expect(await texts('nobody@example.com')).toEqual(found);
  });

  it('limits mails to one address per hour, and does not say so', async () => {
    const first = await ask(person.email);
    for (let i = 0; i < 7; i++) expect((await ask(person.email)).text).toBe(first.text);
    await mailbox.mailTo(person.email, 5);
    const links = await t.db.rows(sql`select from one_time_link where person_id = ${person.personId}`);
    expect(links).toHaveLength(5);
  });

  it('may be tried a limited number of times from one network', async () => {
    const b = newBrowser();
    const form = formTokenOf((await b.get('/oauth/forgot')).text);
    const statuses: number[] = [];
    for (let i = 0; i < 31; i++)
      statuses.push((await b.submit('/oauth/forgot', { form, email: `x${i}@example.com` })).status);
    expect(statuses).toEqual([...Array(30).fill(200), 429]);
    expect((await ask(person.email)).status).toBe(429);
  });

  it.each(['', 'no address', 'a@b c', `${'a'.repeat(300)}@example.com`])(
    'takes no %j for an address',
    async (email) => {
      const reply = await ask(email);
      expect([reply.status, reply.text.includes('Enter your full email address.')]).toEqual([400, true]);
    },
  );

  it('refuses a form from another page', async () => {
    expect((await newBrowser().submit('/oauth/forgot', { email: person.email })).status).toBe(403);
    expect(mailbox.countTo(person.email)).toBe(0);
  });
});

describe('setting a new password', () => {
  it('works by the link in the mail, ends every session, and leads to the sign-in', async () => {
    const before = await signedIn(t, person);
    const link = await resetLink();
    const b = newBrowser();
    const reply = await b.fill(link, { password: newPassword });
    expect([reply.status, reply.text.includes('Your new password is set')]).toEqual([200, true]);
    expect(await isSignedIn(b)).toBe(false);
    expect(await isSignedIn(before)).toBe(false);
    await expect(signedIn(t, person)).rejects.toThrow('is not signed in: 400');
    await signedIn(t, { ...person, password: newPassword });
    expect(await actions(tenantId)).toContain('password.reset');
  });

  it('works for a person who is invited and deactivated everywhere else', async () => {
    await t.db.run(sql`update account set deactivated_at = now() where person_id = ${person.personId}`);
    await ask(person.email);
    const { tenantId: where } = await t.tenant();
    await inviter(t).invite({ tenantId: where, email: person.email });
    expect(await resetLink()).toMatch(/^\/oauth\/reset/);
    expect(mailbox.countTo(person.email)).toBe(1);
  });

  it('is in the audit log of each workspace', async () => {
    const other = await t.tenant();
    await t.db.run(sql`
      insert into account (tenant_id, name, email, person_id) values (${other.tenantId}, 'P', ${person.email}, ${person.personId})`);
    await newBrowser().fill(await resetLink(), { password: newPassword });
    expect(await actions(tenantId)).toEqual(['password.reset']);
    expect(await actions(other.tenantId)).toEqual(['password.reset']);
  });

  it('does not bypass the second factor of a person who has proven the address before', async () => {
    await markProven(t.db, person.personId);
    await t.db.transaction(async (tx) => {
      const trial = await startTotp(tx, box, person);
      const uri = new URL(trial?.uri ?? '');
      const now = new Date();
      const code = new TOTP({ secret: uri.searchParams.get('secret') ?? '' }).generate({ timestamp: now.getTime() });
      const row = await findPerson(tx, person.personId);
      expect(row && (await confirmTotp(tx, box, row, code, now))).toBe(true);
    });
    const b = newBrowser();
    await b.fill(await resetLink(), { password: newPassword });
    const reply = await b.fill('/oauth/sign-in', { email: person.email, password: newPassword });
    expect([reply.status, reply.text.includes('Enter your code')]).toEqual([200, true]);
    expect(await isSignedIn(b)).toBe(false);
  });

  it('works once, even when two try at the same moment, and ends other links', async () => {
    const [first, second] = [await resetLink(1), await resetLink(2)];
    const pages = [newBrowser(), newBrowser(), newBrowser()];
    const replies = await Promise.all(pages.map((b, i) => b.fill(first, { password: `${newPassword} ${i}` })));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 410, 410]);
    for (const link of [first, second]) {
      const dead = await newBrowser().get(link);
      expect([dead.status, dead.text.includes('This link doesn’t work')]).toEqual([410, true]);
    }
    expect((await actions(tenantId)).filter((action) => action === 'password.reset')).toHaveLength(1);
  });

  it('does not work an hour later, nor with a sign-in link', async () => {
    const link = await resetLink();
    await t.db.run(sql`update one_time_link set expires_at = now() where person_id = ${person.personId}`);
    expect((await newBrowser().get(link)).status).toBe(410);
    await t.db.run(sql`
      update one_time_link set expires_at = now() + interval '1 hour', kind = 'sign-in' where person_id = ${person.personId}`);
    expect((await newBrowser().get(link)).status).toBe(410);
    for (const path of ['/oauth/reset', '/oauth/reset?token=x', `/oauth/reset?token=${'A'.repeat(43)}`])
      expect((await newBrowser().get(path)).status).toBe(410);
  });

  it('asks again if a password is refused, and the link still works', async () => {
    const link = await resetLink();
    const b = newBrowser();
    const reply = await b.fill(link, { password: 'short' });
    expect([reply.status, reply.text.includes('at least 12 characters')]).toEqual([400, true]);
    await signedIn(t, { ...person, password: goodPassword });
    expect((await b.fill(link, { password: newPassword })).status).toBe(200);
  });

  it('lets in a person who was locked out by guesses of others', async () => {
    const b = newBrowser();
    for (let i = 0; i < 11; i++)
      await b.fill('/oauth/sign-in', { email: person.email, password: 'a guess, and wrong' });
    expect((await b.fill('/oauth/sign-in', { email: person.email, password: goodPassword })).status).toBe(429);
    await b.fill(await resetLink(), { password: newPassword });
    expect((await b.fill('/oauth/sign-in', { email: person.email, password: newPassword })).status).toBe(303);
  });

  it('may be tried a limited number of times from one network', async () => {
    const b = newBrowser();
    const form = formTokenOf((await b.get('/oauth/forgot')).text);
    const statuses = new Set<number>();
    for (let i = 0; i < 61; i++)
      statuses.add((await b.submit('/oauth/reset', { form, token: `${i}`, password: newPassword })).status);
    expect([...statuses]).toEqual([410, 429]);
  });
});
