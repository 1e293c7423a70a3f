import { TOTP } from 'otpauth';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  type Browser,
  browser,
  browserToken,
  formTokenOf,
  goodPassword,
  isSignedIn,
  makePerson,
  signedIn,
  type TestPerson,
} from '../../../../test/accounts.js';
import { type Reply, useApp } from '../../../../test/app.js';
import { requireProvider, ssoCookie } from '../../../../test/invitations.js';
import { sql } from '../../../db/sql.js';
import { systemClock } from '../../../lib/clock.js';

// Moves only when a test says so: no code expires while it is typed.
let now = Date.now();
const t = useApp({ clock: { now: () => new Date(now), elapsed: systemClock.elapsed } });
const newPassword = 'another horse in the stable';
let person: TestPerson;
let tenantId = 0;
let otherId = 0;
let own: Browser;

beforeEach(async () => {
  ({ tenantId } = await t.tenant());
  ({ tenantId: otherId } = await t.tenant());
  person = await makePerson(t, { tenantId, name: 'Pat Person' });
  await t.db.run(sql`
    insert into account (tenant_id, name, email, role, person_id) values (${otherId}, 'The Boss', ${person.email}, 'viewer', ${person.personId})`);
  own = await signedInHere();
});

async function signedInHere(): Promise<Browser> {
  const b = await signedIn(t, person);
  await b.post('/oauth/session/workspace', { tenantId });
  return b;
}

const page = '/oauth/session/account';
const send = (what: string, fields: Record<string, string> = {}, b = own): Promise<Reply> =>
  b.post(page, { do: what, ...fields });
const says = (reply: Reply, status: number, words: string) =>
  expect([reply.status, reply.text.includes(words)], reply.text).toEqual([status, true]);
/** Entries of both workspaces, except for signing in, switching, and those that the test itself caused. */
const actions = () =>
  Promise.all(
    [tenantId, otherId].map(async (of) => {
      const rows = await t.db.rows(sql<{ action: string }>`
        select action from audit_entry where tenant_id = ${of} and action not similar to '(sign-in|token)%' order by entry_no`);
      return rows.map(({ action }) => action);
    }),
  );

/** Sets up the second factor as an app does; returns a maker of codes, and the recovery codes. */
async function addFactor(): Promise<{ totp: TOTP; codes: string[] }> {
  says(await send('add-second-factor'), 200, 'One step is left');
  const { trial } = (await own.get(page)).body.secondFactor;
  expect(trial.code).toMatchObject({ size: expect.any(Number), path: expect.stringMatching(/^M\d+ \d+h1v1h-1z/) });
  const totp = new TOTP({ secret: trial.secret });
  const reply = await send('confirm-second-factor', { code: totp.generate({ timestamp: now }) });
  expect(reply.status, reply.text).toBe(200);
  // The code was used: signing in takes the next one.
  now += 30_000;
  return { totp, codes: reply.body.codes };
}

describe('the account page', () => {
  it('is for people who are signed in', async () => {
    const stranger = browser(t);
    expect((await stranger.get(page)).status).toBe(401);
    expect((await stranger.post(page, { do: 'name', name: 'X' })).status).toBe(401);
  });

  it('is in the console, and its old address leads there', async () => {
    for (const b of [own, browser(t)]) {
      const { status, headers } = await b.get('/oauth/account');
      expect([status, headers.location]).toEqual([303, '/console/account']);
    }
  });

  it('shows who, where and in which browsers, and is kept nowhere', async () => {
    const { body, headers } = await own.get(page);
    expect(body).toMatchObject({
      ...{ name: 'Pat Person', email: person.email, isOwn: true, hasPassword: true, asksPassword: true },
      secondFactor: { isOn: false, codesLeft: 0, trial: null },
      browsers: [{ isThis: true, address: '127.0.0.1' }],
    });
    expect(body.workspaces).toHaveLength(2);
    expect(body.workspaces).toContainEqual({ tenantId, name: 'Test', role: 'admin', isHere: true });
    expect(body.workspaces).toContainEqual({ tenantId: otherId, name: 'Test', role: 'viewer', isHere: false });
    expect(headers['cache-control']).toBe('no-store');
  });

  it('refuses a change from another site, an unknown one, and what is not text', async () => {
    const foreign = { 'sec-fetch-site': 'cross-site' };
    expect((await own.post(page, { do: 'name', name: 'Eve' }, foreign)).status).toBe(403);
    for (const what of ['', 'toString', '__proto__']) says(await send(what), 400, 'This change is unknown.');
    for (const name of [null, 7, { a: 'b' }, 'E\0ve'])
      expect((await own.post(page, { do: 'name', name })).status, JSON.stringify(name)).toBe(400);
    for (const body of ['[]', 'null', '"x"', '{"do":["name"]}'])
      expect((await own.post(page, JSON.parse(body))).status, body).toBe(400);
    const row = await t.db.row(sql<{ name: string }>`select name from person where person_id = ${person.personId}`);
    expect(row?.name).toBe('Pat Person');
  });

  it('changes the name, also of accounts that had it', async () => {
    says(await send('name', { name: ' Patricia \n Person ' }), 200, 'Your name was changed.');
    says(await own.get(page), 200, '"name":"Patricia Person"');
    const rows = await t.db.rows(sql<{ name: string }>`
      select name from account where person_id = ${person.personId} order by tenant_id`);
    expect(rows.map(({ name }) => name)).toEqual(['Patricia Person', 'The Boss']);
    says(await send('name', { name: '  ' }), 400, 'Enter your name');
  });
});

describe('the password', () => {
  it('changes for a person who knows the old one, and other browsers are signed out, with their tokens', async () => {
    const elsewhere = await signedInHere();
    const token = await browserToken(elsewhere);
    says(await send('password', { current: goodPassword, password: newPassword }), 200, 'Your password was changed.');
    expect([await isSignedIn(own), await isSignedIn(elsewhere)]).toEqual([true, false]);
    expect((await t.withToken(token).get('/v2/lists')).status).toBe(401);
    await signedIn(t, { ...person, password: newPassword });
    expect(await actions()).toEqual([['password.changed'], ['password.changed']]);
  });

  it('stays if the old one is wrong or the new one is refused', async () => {
    says(await send('password', { current: 'wrong', password: newPassword }), 400, 'not your current password');
    says(await send('password', { password: newPassword }), 400, 'not your current password');
    says(await send('password', { current: goodPassword, password: 'short' }), 400, 'at least 12 characters');
    expect(await actions()).toEqual([[], []]);
    await signedIn(t, person);
  });

  it('cannot be guessed from a browser that somebody left open', async () => {
    const guess = (what: string, current: string) => send(what, { current, password: newPassword });
    const statuses: number[] = [];
    for (let i = 0; i < 11; i++)
      statuses.push((await guess(i % 2 ? 'password' : 'remove-second-factor', `${i}`)).status);
    expect(statuses).toEqual([...Array(10).fill(400), 429]);
    expect((await guess('password', goodPassword)).status).toBe(429);
  });

  it('is set without an old one by a person who has none', async () => {
    await t.db.run(sql`update person set password_hash = null where person_id = ${person.personId}`);
    const needsPassword = async () => (await own.get('/oauth/session')).body.person.needsPassword;
    expect((await own.get(page)).body).toMatchObject({ hasPassword: false, asksPassword: false });
    expect(await needsPassword()).toBe(true);
    says(await send('password', { password: newPassword }), 200, 'Your password is set.');
    expect(await needsPassword()).toBe(false);
    await signedIn(t, { ...person, password: newPassword });
  });
});

describe('the second factor', () => {
  it('takes effect once a code was entered, and comes with ten recovery codes', async () => {
    says(await send('add-second-factor'), 200, 'show a code of your app');
    await signedIn(t, person);
    says(await send('confirm-second-factor', { code: '000000' }), 400, 'That code did not fit.');
    says(await send('confirm-second-factor'), 400, 'That code did not fit.');
    expect(await actions()).toEqual([[], []]);
    const { totp, codes } = await addFactor();
    expect(new Set(codes).size).toBe(10);
    expect(await actions()).toEqual([['second-factor.added'], ['second-factor.added']]);
    const b = browser(t);
    const asked = await b.fill('/oauth/sign-in', { email: person.email, password: goodPassword });
    says(asked, 200, 'Enter your code');
    expect(await isSignedIn(b)).toBe(false);
    const { pending } = hiddenOf(asked);
    const code = totp.generate({ timestamp: now });
    expect((await b.submit('/oauth/sign-in', { form: formTokenOf(asked.text), pending, code })).status).toBe(303);
  });

  it('is kept sealed, and its recovery codes as hashes', async () => {
    const { totp, codes } = await addFactor();
    const row = await t.db.row(sql<{ text: string }>`
      select encode(totp_secret, 'escape') || (select string_agg(encode(code_hash, 'escape'), ' ') from recovery_code r
        where r.person_id = p.person_id) as text from person p where person_id = ${person.personId}`);
    expect(row?.text.length).toBeGreaterThan(200);
    expect(row?.text).not.toContain(totp.secret.base32);
    for (const code of codes) expect(row?.text).not.toContain(code);
  });

  it('is refused for a while after too many wrong codes', async () => {
    await send('add-second-factor');
    const statuses: number[] = [];
    for (let i = 0; i < 11; i++)
      statuses.push((await send('confirm-second-factor', { code: `00000${i % 10}` })).status);
    expect(statuses.at(-1)).toBe(429);
  });

  it('in force is neither shown nor replaced', async () => {
    await addFactor();
    expect((await own.get(page)).body.secondFactor).toEqual({ isOn: true, codesLeft: 10, trial: null });
    says(await send('add-second-factor'), 400, 'You have a second factor already.');
    says(await send('confirm-second-factor', { code: '123456' }), 400, 'That code did not fit.');
  });

  it('is removed by a person who knows the password, with its recovery codes', async () => {
    const { codes } = await addFactor();
    says(await send('remove-second-factor', { current: 'wrong' }), 400, 'not your current password');
    says(await send('remove-second-factor', { current: goodPassword }), 200, 'The second factor was removed.');
    await signedIn(t, person);
    expect((await actions())[1]).toEqual(['second-factor.added', 'second-factor.removed']);
    expect(await t.db.rows(sql`select from recovery_code where person_id = ${person.personId}`)).toEqual([]);
    expect(codes).toHaveLength(10);
  });

  it('gets new recovery codes from a person who knows the password, and the old ones stop working', async () => {
    const { codes: old } = await addFactor();
    says(await send('renew-codes', { current: 'wrong' }), 400, 'not your current password');
    const reply = await send('renew-codes', { current: goodPassword });
    const codes: string[] = reply.body.codes;
    expect(codes).toHaveLength(10);
    expect((await actions())[0]).toEqual(['second-factor.added', 'recovery-codes.renewed']);
    for (const [code, status] of [
      [old[0], 400],
      [codes[0], 303],
      [codes[0], 400],
    ] as const) {
      const b = browser(t);
      const asked = await b.fill('/oauth/sign-in', { email: person.email, password: goodPassword });
      const { pending } = hiddenOf(asked);
      const fields = { form: formTokenOf(asked.text), pending, recoveryCode: code ?? '' };
      expect((await b.submit('/oauth/sign-in', fields)).status).toBe(status);
    }
    expect((await own.get(page)).body.secondFactor.codesLeft).toBe(9);
  });

  it('is required before there are recovery codes', async () => {
    says(await send('renew-codes', { current: goodPassword }), 400, 'Add one first.');
  });
});

describe('signed-in browsers', () => {
  it('are listed by name, and each can be signed out from another', async () => {
    const phone = browser(t, '198.51.100.20');
    const agent =
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile/15E148 Safari/604.1';
    const form = formTokenOf((await phone.get('/oauth/sign-in')).text);
    await phone.submit(
      '/oauth/sign-in',
      { form, email: person.email, password: goodPassword },
      { 'user-agent': agent, 'sec-fetch-site': 'same-origin' },
    );
    expect(await isSignedIn(phone)).toBe(true);
    const { browsers } = (await own.get(page)).body;
    const other = browsers.find(({ isThis }: { isThis: boolean }) => !isThis);
    expect(other).toMatchObject({ name: 'Safari on iOS', address: '198.51.100.20' });
    says(await send('end-session', { session: String(other.sessionId) }), 200, 'That browser is signed out.');
    expect([await isSignedIn(phone), await isSignedIn(own)]).toEqual([false, true]);
  });

  it('of other people cannot be signed out', async () => {
    const other = await makePerson(t, { tenantId });
    const theirs = await signedIn(t, other);
    const rows = await t.db.rows(
      sql<{ sessionId: number }>`select session_id as "sessionId" from session where person_id = ${other.personId}`,
    );
    await send('end-session', { session: `${rows[0]?.sessionId}` });
    expect(await isSignedIn(theirs)).toBe(true);
    says(await send('end-session', { session: 'all' }), 400, 'Choose a browser of the list.');
  });

  it('that came by single sign-on can change nothing, and do not see the others', async () => {
    const domain = `sso-${tenantId}.example`;
    const providerId = await requireProvider(t, tenantId, domain);
    const cookie = await ssoCookie(t, person.personId, tenantId, providerId);
    const { body } = await t.anonymous.get(page, { cookie });
    expect(body).toMatchObject({ isOwn: false, secondFactor: null, browsers: [{ isThis: true }] });
    expect(body.workspaces.map((each: { tenantId: number }) => each.tenantId)).toEqual([tenantId]);
    expect(body.browsers).toHaveLength(1);
    const headers = { cookie, 'sec-fetch-site': 'same-origin' };
    const change = { do: 'name', name: 'Mallory' };
    says(await t.anonymous.post(page, change, headers), 403, 'Sign in with your password to change this.');
    says(await own.get(page), 200, '"name":"Pat Person"');
  });
});

function hiddenOf({ text }: Reply): { pending: string } {
  return { pending: /name="pending" value="([^"]+)"/.exec(text)?.[1] ?? '' };
}
