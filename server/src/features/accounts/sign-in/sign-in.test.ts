import { hash } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, describe, expect, it } from 'vitest';
import {
  type Browser,
  browser,
  browserToken,
  formTokenOf,
  goodPassword,
  hiddenFields,
  makePerson,
  signedIn,
} from '../../../../test/accounts.js';
import { useApp } from '../../../../test/app.js';
import { auditOf } from '../../../../test/audit.js';
import { eventually } from '../../../../test/messages.js';
import { bytes, sql } from '../../../db/sql.js';

const warnings: string[] = [];
const t = useApp({ log: pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) }) });

// Each test has its own network, so that none counts against another.
let networks = 0;
const nextAddress = () => `10.0.${Math.floor(++networks / 250)}.${(networks % 250) + 1}`;

// Only here does it show that a page was answered twice.
afterAll(() => {
  expect(warnings).toEqual([]);
});

function tryPassword(b: Browser, email: string, password: string) {
  return b.fill('/oauth/sign-in', { email, password });
}

describe('a password', () => {
  it('signs in, straight into the only workspace, and on to the page that was asked for', async () => {
    const { tenantId } = await t.tenant();
    const ada = await makePerson(t, { tenantId, role: 'member', name: 'Ada' });
    const b = browser(t, nextAddress());
    const reply = await b.fill('/oauth/sign-in?next=/console/lists', {
      ...{ email: ` ${ada.email.toUpperCase()} `, password: goodPassword },
    });
    expect([reply.status, reply.headers.location]).toEqual([303, '/console/lists']);
    expect((await b.get('/oauth/session')).body).toEqual({
      form: expect.any(String),
      person: { name: 'Ada', email: ada.email, needsPassword: false },
      workspace: { tenantId, name: 'Test', role: 'member' },
      workspaces: [{ tenantId, name: 'Test', role: 'member' }],
    });
    const mine = t.withToken(await browserToken(b));
    expect((await mine.get('/v2/lists')).status).toBe(200);
    expect((await mine.post('/v2/lists', { name: 'By Ada' })).status).toBe(200);
    expect(await auditOf(t, tenantId, 'sign-')).toMatchObject([
      { action: 'sign-in.succeeded', accountId: ada.accountId, detail: '{"by":"password"}' },
    ]);
  });

  it('matches however the keyboard writes its letters', async () => {
    const { tenantId } = await t.tenant();
    const zoe = await makePerson(t, { tenantId, password: 'zwölf Boxkämpfer'.normalize('NFC') });
    const reply = await tryPassword(browser(t, nextAddress()), zoe.email, 'zwölf Boxkämpfer'.normalize('NFD'));
    expect(reply.status).toBe(303);
  });

  it('is answered the same whether it is wrong or the address has no account', async () => {
    const { tenantId } = await t.tenant();
    const ada = await makePerson(t, { tenantId });
    const without = await makePerson(t, { tenantId, password: null });
    const former = await makePerson(t, { tenantId });
    await t.db.run(sql`update account set deactivated_at = now() where account_id = ${former.accountId}`);
    const answers = [];
    for (const [email, password] of [
      [ada.email, 'a wrong password'],
      [ada.email, ''],
      ['nobody@example.com', goodPassword],
      ['no address', goodPassword],
      [without.email, ''],
      [without.email, goodPassword],
      [former.email, goodPassword],
    ] as const) {
      const b = browser(t, nextAddress());
      const before = await b.get('/oauth/sign-in');
      const { status, headers, text } = await b.submit('/oauth/sign-in', {
        ...{ ...hiddenFields(before.text), email, password },
      });
      expect(headers['set-cookie']).toBeUndefined();
      const { 'x-request-id': _id, 'content-length': _length, date: _date, ...told } = headers;
      // The page gives back what was typed, and its own field.
      answers.push({ status, told, text: text.replaceAll(email, 'EMAIL').replace(formTokenOf(text), 'FORM') });
    }
    expect(answers[0]?.status).toBe(400);
    expect(answers[0]?.text).toContain('Incorrect email address or password.');
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });

  it('that is wrong is logged in each workspace of the person, and in no other', async () => {
    const [one, two, other] = [await t.tenant(), await t.tenant(), await t.tenant()];
    const ada = await makePerson(t, { tenantId: one.tenantId });
    await t.db.run(sql`
      insert into account (tenant_id, name, email, role, person_id)
      values (${two.tenantId}, 'Ada', 'ada', 'viewer', ${ada.personId})`);
    const address = nextAddress();
    await tryPassword(browser(t, address), ada.email, 'a wrong password');
    for (const { tenantId } of [one, two]) {
      const told = await eventually(
        () => auditOf(t, tenantId, 'sign-'),
        (entries) => entries.length > 0,
      );
      expect(told).toMatchObject([{ action: 'sign-in.failed', accountId: null, detail: '{"by":"password"}', address }]);
    }
    expect(await auditOf(t, other.tenantId, 'sign-')).toEqual([]);
  });
});

describe('a thousand wrong passwords', () => {
  /** How many were checked, and how many refused. */
  const count = (statuses: readonly number[]) => ({
    wrong: statuses.filter((status) => status === 400).length,
    refused: statuses.filter((status) => status === 429).length,
  });

  it('at once stop at the tenth from one network, and are logged once', async () => {
    const { tenantId } = await t.tenant();
    const ada = await makePerson(t, { tenantId });
    const b = browser(t, nextAddress());
    const fields = hiddenFields((await b.get('/oauth/sign-in')).text);
    const statuses = await Promise.all(
      Array.from({ length: 1000 }, async (_, i) => {
        const reply = await b.submit('/oauth/sign-in', { ...fields, email: ada.email, password: `wrong ${i}` });
        return reply.status;
      }),
    );
    // The others were too many at once for the service to take.
    expect(count(statuses)).toMatchObject({ wrong: 10 });
    expect(count(statuses).refused).toBeGreaterThan(100);
    const told = await eventually(
      () => auditOf(t, tenantId, 'sign-'),
      (entries) => entries.length >= 11,
    );
    const actions = told.map(({ action }) => action).sort();
    expect(actions).toEqual([...Array(10).fill('sign-in.failed'), 'sign-in.locked']);
    const right = await b.submit('/oauth/sign-in', { ...fields, email: ada.email, password: goodPassword });
    expect(right.status).toBe(429);
    expect(Number(right.headers['retry-after'])).toBeGreaterThan(800);
    expect(right.text).toContain('Wait 15 minutes');
    // Another network is counted separately.
    expect((await tryPassword(browser(t, nextAddress()), ada.email, goodPassword)).status).toBe(303);
  });

  it('one after the other stop there too, for an unknown address as for a known one', async () => {
    const { tenantId } = await t.tenant();
    const ada = await makePerson(t, { tenantId });
    for (const [email, tries] of [
      [ada.email, 1000],
      ['no-such-person@example.com', 30],
    ] as const) {
      const b = browser(t, nextAddress());
      const fields = hiddenFields((await b.get('/oauth/sign-in')).text);
      const statuses: number[] = [];
      for (let i = 0; i < tries; i++)
        statuses.push((await b.submit('/oauth/sign-in', { ...fields, email, password: `wrong ${i}` })).status);
      expect(count(statuses)).toEqual({ wrong: 10, refused: tries - 10 });
    }
  });

  it('from a network that has used up its budget leave nothing behind, whatever addresses they name', async () => {
    const address = nextAddress();
    const b = browser(t, address);
    const fields = hiddenFields((await b.get('/oauth/sign-in')).text);
    await preset(`password-from:${address}`, 300);
    const guess = (name: string) =>
      b.submit('/oauth/sign-in', { ...fields, email: `${name}@example.com`, password: 'wrong' });
    expect((await guess('first-too-many')).status).toBe(429);
    const count = async () => (await t.db.rows(sql`select from guess`)).length;
    const before = await count();
    for (let i = 0; i < 20; i++) expect((await guess(`stranger-${i}`)).status).toBe(429);
    expect(await count()).toBe(before);
  });

  /** As if that many tries had been made already. */
  const preset = (key: string, tries: number) =>
    t.db.run(sql`
      insert into guess (guess_key, tries) values (${bytes(hash('sha256', `guess ${key}`))}, ${tries})
      on conflict (guess_key) do update set tries = excluded.tries`);

  it('from many networks stop at the hundredth', async () => {
    const { email } = await makePerson(t, { tenantId: (await t.tenant()).tenantId });
    await preset(`password:${email}`, 97);
    const statuses: number[] = [];
    for (let i = 0; i < 8; i++) statuses.push((await tryPassword(browser(t, nextAddress()), email, 'wrong')).status);
    expect(count(statuses)).toEqual({ wrong: 3, refused: 5 });
  });

  it('for many addresses from one network of IPv6 stop at the three hundredth', async () => {
    await preset('password-from:2001:db8:1:2', 297);
    const statuses: number[] = [];
    for (let i = 1; i < 9; i++) {
      const b = browser(t, `2001:db8:1:2::${i}`);
      statuses.push((await tryPassword(b, `guessed-${i}@example.com`, 'a wrong password')).status);
    }
    expect(count(statuses)).toEqual({ wrong: 3, refused: 5 });
    expect((await tryPassword(browser(t, '2001:db8:1:3::1'), 'guessed@example.com', 'wrong')).status).toBe(400);
  });

  it('are not reset by signing in to an account of one’s own', async () => {
    const { tenantId } = await t.tenant();
    const mallory = await makePerson(t, { tenantId });
    const address = nextAddress();
    for (let i = 0; i < 5; i++) await tryPassword(browser(t, address), `victim-${i}@example.com`, 'wrong');
    await tryPassword(browser(t, address), mallory.email, goodPassword);
    // Guesses from there still count; the sign-in itself does not.
    const key = hash('sha256', `guess password-from:${address}`);
    expect(await t.db.row(sql`select tries from guess where guess_key = ${bytes(key)}`)).toEqual({ tries: 5 });
  });

  it('are forgotten when the person signs in: they had mistyped', async () => {
    const { tenantId } = await t.tenant();
    const ada = await makePerson(t, { tenantId });
    const address = nextAddress();
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < 9; i++) await tryPassword(browser(t, address), ada.email, 'mistyped');
      expect((await tryPassword(browser(t, address), ada.email, goodPassword)).status).toBe(303);
    }
  });
});

describe('a person who is signed in already', () => {
  it('is led on, and asked again only on request', async () => {
    const b = await signedIn(t, await makePerson(t, { tenantId: (await t.tenant()).tenantId }));
    const led = await b.get('/oauth/sign-in?next=%2Foauth%2Faccount');
    expect([led.status, led.headers.location]).toEqual([303, '/oauth/account']);
    expect((await b.get('/oauth/sign-in?again=1')).status).toBe(200);
  });
});
