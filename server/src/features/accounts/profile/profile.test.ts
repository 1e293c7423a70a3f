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

const page = '/oauth/account';
async function send(what: string, fields: Record<string, string> = {}, b = own): Promise<Reply> {
  return b.submit(page, { form: formTokenOf((await b.get(page)).text), do: what, ...fields });
}
const says = (reply: Reply, status: number, words: string) =>
  expect([reply.status, reply.text.includes(words)], reply.text.slice(reply.text.indexOf('<body>'))).toEqual([
    status,
    true,
  ]);
/** Entries of both workspaces, except for signing in, switching, and those that the test itself caused. */
const actions = () =>
  Promise.all(
    [tenantId, otherId].map(async (of) => {
      const rows = await t.db.rows(sql<{ action: string }>`
        select action from audit_entry where tenant_id = ${of} and action not similar to '(sign-in|token)%' order by entry_no`);
      return rows.map(({ action }) => action);
    }),
  );

/** Sets up the second factor as an app does; returns a maker of codes, and the page with the recovery codes. */
async function addFactor(): Promise<{ totp: TOTP; reply: Reply; codes: string[] }> {
  const shown = await send('add-second-factor');
  says(shown, 200, '<svg class="qr"');
  const secret = /<code>([A-Z2-7 ]+)<\/code>/.exec(shown.text)?.[1]?.replaceAll(' ', '') ?? '';
  const totp = new TOTP({ secret });
  const reply = await send('confirm-second-factor', { code: totp.generate({ timestamp: now }) });
  // The code was used: signing in takes the next one.
  now += 30_000;
  return { totp, reply, codes: [...reply.text.matchAll(/<li>([a-z2-7-]+)<\/li>/g)].map(([, code = '']) => code) };
}

describe('the account page', () => {
  it('is for people who are signed in', async () => {
    for (const reply of [await browser(t).get(page), await signedOutPost()])
      expect([reply.status, reply.headers.location]).toEqual([303, '/oauth/sign-in?next=%2Foauth%2Faccount']);
    async function signedOutPost(): Promise<Reply> {
      const b = browser(t);
      const form = formTokenOf((await b.get('/oauth/sign-in')).text);
      return b.submit(page, { form, do: 'name', name: 'X' });
    }
  });

  it('shows who, where and in which browsers, and runs nothing', async () => {
    const { status, text, headers } = await own.get(page, { 'user-agent': 'x' });
    expect(status).toBe(200);
    for (const words of [
      person.email,
      'Pat Person',
      'Test</strong>, admin (you are here)',
      'Test</strong>, viewer',
      '(this one)',
    ])
      expect(text).toContain(words);
    expect(text).not.toMatch(/<script|\sstyle=/);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
  });

  it('refuses a form from another page, and an unknown change', async () => {
    expect((await own.submit(page, { do: 'name', name: 'Eve' })).status).toBe(403);
    for (const what of ['', 'toString', '__proto__']) expect((await send(what)).status).toBe(403);
    const row = await t.db.row(sql<{ name: string }>`select name from person where person_id = ${person.personId}`);
    expect(row?.name).toBe('Pat Person');
  });

  it('changes the name, also of accounts that had it', async () => {
    says(await send('name', { name: ' Patricia \n Person ' }), 200, 'Your name was changed.');
    says(await own.get(page), 200, 'value="Patricia Person"');
    const rows = await t.db.rows(sql<{ name: string }>`
      select name from account where person_id = ${person.personId} order by tenant_id`);
    expect(rows.map(({ name }) => name)).toEqual(['Patricia Person', 'The Boss']);
    says(await send('name', { name: '<script>' }), 200, 'value="&lt;script&gt;"');
    says(await send('name', { name: '  ' }), 400, 'Say what others should call you');
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
    const form = formTokenOf((await own.get(page)).text);
    const guess = (what: string, current: string) =>
      own.submit(page, { form, do: what, current, password: newPassword });
    const statuses: number[] = [];
    for (let i = 0; i < 11; i++)
      statuses.push((await guess(i % 2 ? 'password' : 'remove-second-factor', `${i}`)).status);
    expect(statuses).toEqual([...Array(10).fill(400), 429]);
    expect((await guess('password', goodPassword)).status).toBe(429);
  });

  it('is set without an old one by a person who has none', async () => {
    await t.db.run(sql`update person set password_hash = null where person_id = ${person.personId}`);
    expect((await own.get(page)).text).not.toContain('Current password');
    says(await send('password', { password: newPassword }), 200, 'Your password was changed.');
    await signedIn(t, { ...person, password: newPassword });
  });
});

describe('the second factor', () => {
  it('takes effect once a code was entered, and comes with ten recovery codes', async () => {
    says(await send('add-second-factor'), 200, 'Code of the app');
    await signedIn(t, person);
    says(await send('confirm-second-factor', { code: '000000' }), 400, 'That code did not fit.');
    says(await send('confirm-second-factor'), 400, 'That code did not fit.');
    expect(await actions()).toEqual([[], []]);
    const { totp, reply, codes } = await addFactor();
    says(reply, 200, 'Your recovery codes');
    expect(new Set(codes).size).toBe(10);
    expect(await actions()).toEqual([['second-factor.added'], ['second-factor.added']]);
    const b = browser(t);
    const asked = await b.fill('/oauth/sign-in', { email: person.email, password: goodPassword });
    says(asked, 200, 'Second step');
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
    const form = formTokenOf((await own.get(page)).text);
    await send('add-second-factor');
    const statuses: number[] = [];
    for (let i = 0; i < 11; i++)
      statuses.push((await own.submit(page, { form, do: 'confirm-second-factor', code: `00000${i % 10}` })).status);
    expect(statuses.at(-1)).toBe(429);
  });

  it('in force is neither shown nor replaced', async () => {
    await addFactor();
    const shown = await own.get(page);
    expect(shown.text).not.toContain('<svg');
    says(shown, 200, '10 recovery codes');
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
    const codes = [...reply.text.matchAll(/<li>([a-z2-7-]+)<\/li>/g)].map(([, code = '']) => code);
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
    says(await own.get(page), 200, '9 recovery codes');
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
    const { text } = await own.get(page);
    expect(text).toContain('Safari on iOS</strong><br>\nfrom 198.51.100.20, since ');
    const session = /name="session" value="(\d+)"/.exec(text)?.[1] ?? '';
    says(await send('end-session', { session }), 200, 'That browser is signed out.');
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
    const shown = await t.anonymous.get(page, { cookie });
    says(shown, 200, 'which only works there');
    expect(shown.text).not.toContain('viewer');
    expect(shown.text.match(/last seen/g)).toHaveLength(1);
    const body = new URLSearchParams({ form: formTokenOf(shown.text), do: 'name', name: 'Mallory' }).toString();
    const headers = { cookie, 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
    says(await t.anonymous.post(page, body, headers), 403, 'Sign in with your password to change this.');
    says(await own.get(page), 200, 'value="Pat Person"');
  });
});

function hiddenOf({ text }: Reply): { pending: string } {
  return { pending: /name="pending" value="([^"]+)"/.exec(text)?.[1] ?? '' };
}
