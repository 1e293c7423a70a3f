import { beforeEach, describe, expect, it } from 'vitest';
import {
  browser,
  browserToken,
  formTokenOf,
  goodPassword,
  hiddenFields,
  makePerson,
  signedIn,
  type TestPerson,
} from '../../../../test/accounts.js';
import { type Reply, useApp } from '../../../../test/app.js';
import { inviter, pathOf, requireProvider, secretOf, ssoCookie } from '../../../../test/invitations.js';
import { sql } from '../../../db/sql.js';
import { acceptVouched, type Joined } from './accept.js';

const t = useApp();
const { invite } = inviter(t);
let tenantId = 0;
let admin: TestPerson;
let email = '';
let count = 0;

beforeEach(async () => {
  ({ tenantId } = await t.tenant());
  admin = await makePerson(t, { tenantId, name: 'Ada Lovelace' });
  email = `new-${++count}@example.com`;
});

const newcomer = { name: '  Grace   Hopper ', password: goodPassword };
const accounts = () =>
  t.db.rows(sql<{ accountId: number; email: string; name: string; role: string; personId: number | null }>`
    select account_id as "accountId", email, name, role, person_id as "personId" from account
    where tenant_id = ${tenantId} and email = ${email}`);
const actions = async () => {
  const rows = await t.db.rows(sql<{ action: string }>`
    select action from audit_entry where tenant_id = ${tenantId} and action <> 'token.created' order by entry_no`);
  return rows.map(({ action }) => action);
};
const isRefused = (reply: Reply, status: number, words: string) =>
  expect([reply.status, reply.text.includes(words)], reply.text).toEqual([status, true]);

describe('the page of an invitation', () => {
  it('shows the workspace, the role and who invited, and runs nothing', async () => {
    const made = await invite({ tenantId, email, role: 'viewer', by: admin.accountId });
    const page = await browser(t).get(pathOf(made));
    expect(page.status).toBe(200);
    for (const words of ['Join Test', 'Ada Lovelace', 'as a viewer', email, 'Choose a password'])
      expect(page.text).toContain(words);
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    expect(page.headers['cache-control']).toBe('no-store');
    expect(page.text).not.toMatch(/<script|style=/);
  });

  it('lets a new person in with a name and a password, and signs them in there', async () => {
    const guest = browser(t);
    const made = await invite({ tenantId, email, by: admin.accountId });
    const reply = await guest.fill(pathOf(made), newcomer);
    expect([reply.status, reply.headers.location]).toEqual([303, '/console']);
    expect(await accounts()).toMatchObject([{ email, name: 'Grace Hopper', role: 'member' }]);
    const me = await t.withToken(await browserToken(guest)).get('/v2/lists');
    expect(me.status).toBe(200);
    expect(await actions()).toEqual(['person.invited', 'person.joined', 'sign-in.succeeded']);
    await signedIn(t, { email });
  });

  it.each([
    [{ name: ' ', password: goodPassword }, 'Enter your name'],
    [{ name: 'Grace', password: 'short' }, 'at least 12 characters'],
    [{ name: 'Grace', password: 'Grace is my name 1' }, 'without your name'],
    [{ name: 'x'.repeat(256), password: goodPassword }, 'Enter your name'],
  ])('asks again for what will not do: %j', async (fields, words) => {
    const made = await invite({ tenantId, email });
    const guest = browser(t);
    isRefused(await guest.fill(pathOf(made), fields), 400, words);
    expect(await accounts()).toEqual([]);
    expect((await guest.fill(pathOf(made), newcomer)).status).toBe(303);
  });

  it('asks an existing person to sign in, leads them back, and needs one button then', async () => {
    const other = await t.tenant();
    const person = await makePerson(t, { tenantId: other.tenantId, email });
    const made = await invite({ tenantId, email: email.toUpperCase(), role: 'admin' });
    const page = await browser(t).get(pathOf(made));
    expect(page.text).toContain(`/oauth/sign-in?next=${encodeURIComponent(pathOf(made))}`);
    const guest = await signedIn(t, person);
    const reply = await guest.fill(pathOf(made));
    expect([reply.status, reply.headers.location]).toEqual([303, '/console']);
    expect(await accounts()).toMatchObject([{ role: 'admin', personId: person.personId }]);
    const { body } = await guest.get('/oauth/session');
    expect(body.workspace).toMatchObject({ tenantId, role: 'admin' });
    expect(body.workspaces).toHaveLength(2);
  });

  it('lets in a person who is deactivated everywhere else, as long as it is open', async () => {
    const person = await makePerson(t, { tenantId: (await t.tenant()).tenantId, email });
    await t.db.run(sql`update account set deactivated_at = now() where person_id = ${person.personId}`);
    await expect(signedIn(t, person)).rejects.toThrow('is not signed in');
    const made = await invite({ tenantId, email });
    const guest = browser(t);
    const { password } = person;
    const path = `/oauth/sign-in?next=${encodeURIComponent(pathOf(made))}`;
    const reply = await guest.fill(path, { email, password: password ?? '' });
    expect([reply.status, reply.headers.location]).toEqual([303, pathOf(made)]);
    expect((await guest.fill(pathOf(made))).status).toBe(303);
    expect((await guest.get('/oauth/session')).body.workspaces).toMatchObject([{ tenantId }]);
  });

  it('does not reveal whether the address has an account, when opened or when a form is refused', async () => {
    const { email: known } = await makePerson(t, { tenantId: (await t.tenant()).tenantId });
    const seen = async (address: string) => {
      const made = await invite({ tenantId, email: address });
      const guest = browser(t);
      const pages = [await guest.get(pathOf(made)), await guest.fill(pathOf(made), { name: 'X', password: 'short' })];
      return pages.map(({ status, text }) => {
        const same = text.replaceAll(address, 'ADDRESS').replaceAll(secretOf(made), 'SECRET');
        return [status, same.replace(/name="form" value="[^"]*"/g, '')];
      });
    };
    expect(await seen(known)).toEqual(await seen(email));
  });

  it('does not set the password of an existing person', async () => {
    const other = await t.tenant();
    await makePerson(t, { tenantId: other.tenantId, email });
    const made = await invite({ tenantId, email });
    const guest = browser(t);
    const { text } = await guest.get('/oauth/sign-in');
    const form = formTokenOf(text);
    const token = secretOf(made);
    const reply = await guest.submit('/oauth/invitation', { form, token, name: 'Eve', password: 'a password of eve' });
    isRefused(reply, 400, 'This address already has an account');
    expect(await accounts()).toEqual([]);
    await signedIn(t, { email, password: goodPassword });
  });

  it('tells another person who is signed in to sign out, and takes nothing from them', async () => {
    const made = await invite({ tenantId, email });
    const wrong = await signedIn(t, admin);
    const page = await wrong.get(pathOf(made));
    isRefused(page, 200, `You are signed in as <strong>${admin.email}</strong>`);
    const form = formTokenOf(page.text);
    const token = secretOf(made);
    const reply = await wrong.submit('/oauth/invitation', { form, token, ...newcomer });
    isRefused(reply, 200, 'You are signed in as');
    expect(await accounts()).toEqual([]);
  });

  it('refuses a form from another page', async () => {
    const made = await invite({ tenantId, email });
    const token = secretOf(made);
    const reply = await browser(t).submit('/oauth/invitation', { form: 'x', token, ...newcomer });
    isRefused(reply, 403, 'This form is out of date');
    const elsewhere = browser(t);
    await elsewhere.get(pathOf(made));
    const form = formTokenOf((await elsewhere.get(pathOf(made))).text);
    const fields = { form, token, ...newcomer };
    isRefused(
      await elsewhere.submit('/oauth/invitation', fields, { 'sec-fetch-site': 'cross-site' }),
      403,
      'out of date',
    );
    expect(await accounts()).toEqual([]);
  });
});

describe('an invitation', () => {
  it('works for one of many who use it at the same moment', async () => {
    const made = await invite({ tenantId, email });
    const guests = Array.from({ length: 6 }, (_, i) => browser(t, `192.0.2.${i + 1}`));
    const replies = await Promise.all(guests.map((guest) => guest.fill(pathOf(made), newcomer)));
    expect(replies.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(await accounts()).toHaveLength(1);
    expect((await actions()).filter((action) => action === 'person.joined')).toHaveLength(1);
  });

  it('works once for a person who presses the button in two browsers, and leads both on', async () => {
    const other = await t.tenant();
    const person = await makePerson(t, { tenantId: other.tenantId, email });
    const made = await invite({ tenantId, email });
    const both = await Promise.all([signedIn(t, person), signedIn(t, person)]);
    const forms = await Promise.all(both.map(async (each) => hiddenFields((await each.get(pathOf(made))).text)));
    const replies = await Promise.all(both.map((each, i) => each.submit('/oauth/invitation', forms[i] ?? {})));
    expect(replies.map(({ headers }) => headers.location)).toEqual(['/console', '/console']);
    expect(await accounts()).toHaveLength(1);
    expect((await actions()).filter((action) => action === 'person.joined')).toHaveLength(1);
  });

  it('that was used says so to others, and leads on the person who used it', async () => {
    const made = await invite({ tenantId, email });
    const guest = browser(t);
    await guest.fill(pathOf(made), newcomer);
    isRefused(await browser(t).get(pathOf(made)), 410, 'This invitation was already used');
    expect((await guest.get(pathOf(made))).headers.location).toBe('/console');
    isRefused(await (await signedIn(t, admin)).get(pathOf(made)), 410, 'This invitation was already used');
  });

  it('that is unknown or has expired says what to do, and nothing about who exists', async () => {
    const known = await invite({ tenantId, email });
    await t.db.run(sql`update invitation set expires_at = now() where tenant_id = ${tenantId}`);
    const other = await t.tenant();
    const person = await makePerson(t, { tenantId: other.tenantId });
    const ofPerson = await invite({ tenantId, email: person.email });
    await t.db.run(sql`update invitation set expires_at = now() where tenant_id = ${tenantId}`);
    const pages = await Promise.all([known, ofPerson].map((each) => browser(t).get(pathOf(each))));
    for (const page of pages) {
      isRefused(page, 410, 'This invitation has expired');
      expect(page.text).not.toContain('@example');
    }
    expect(pages[0]?.text).toBe(pages[1]?.text);
    for (const path of ['/oauth/invitation', '/oauth/invitation?token=', `/oauth/invitation?token=${'A'.repeat(43)}`])
      isRefused(await browser(t).get(path), 404, 'Invitation not found');
    const guest = browser(t);
    const form = formTokenOf((await guest.get('/oauth/sign-in')).text);
    const token = secretOf(known);
    isRefused(await guest.submit('/oauth/invitation', { form, token, ...newcomer }), 410, 'has expired');
    isRefused(await guest.submit('/oauth/invitation', { form }), 404, 'Invitation not found');
  });

  it('gives an unowned account of the same address to the person who joins, with the role of the invitation', async () => {
    const made = await t.admin.post(`/admin/tenants/${tenantId}/accounts`, { name: 'CRM sync', email });
    const { accountId } = made.body.data;
    const guest = browser(t);
    await guest.fill(pathOf(await invite({ tenantId, email, role: 'viewer' })), newcomer);
    expect(await accounts()).toMatchObject([{ accountId, name: 'Grace Hopper', role: 'viewer' }]);
  });

  it('revives no deactivated account', async () => {
    const made = await invite({ tenantId, email });
    const person = await makePerson(t, { tenantId: (await t.tenant()).tenantId, email });
    await t.db.run(sql`
      insert into account (tenant_id, name, email, person_id, deactivated_at) values (${tenantId}, 'G', ${email}, ${person.personId}, now())`);
    const guest = await signedIn(t, person);
    isRefused(await guest.fill(pathOf(made)), 409, 'Your account is deactivated');
    const rows = await t.db.rows(
      sql`select 1 from account where tenant_id = ${tenantId} and email = ${email} and deactivated_at is null`,
    );
    expect(rows).toEqual([]);
  });

  it('keeps the role of a person who has joined in another way meanwhile', async () => {
    const made = await invite({ tenantId, email, role: 'admin' });
    const person = await makePerson(t, { tenantId, email, role: 'viewer' });
    await (await signedIn(t, person)).fill(pathOf(made));
    expect(await accounts()).toMatchObject([{ accountId: person.accountId, role: 'viewer' }]);
  });

  it('may be tried a limited number of times from one network', async () => {
    const guest = browser(t, '198.51.100.7');
    const form = formTokenOf((await guest.get('/oauth/sign-in')).text);
    const statuses = new Set<number>();
    for (let i = 0; i < 61; i++)
      statuses.add((await guest.submit('/oauth/invitation', { form, token: `${i}` })).status);
    expect([...statuses]).toEqual([404, 429]);
  });
});

describe('a workspace that requires its identity provider', () => {
  it('leads people of its domains there, and accepts no password from them', async () => {
    const domain = `acme-${count}.example`;
    const providerId = await requireProvider(t, tenantId, domain);
    email = `grace@${domain}`;
    const made = await invite({ tenantId, email });
    const guest = browser(t);
    const page = await guest.get(pathOf(made));
    isRefused(page, 200, `/oauth/sso/${tenantId}/${providerId}?next=${encodeURIComponent(pathOf(made))}`);
    const form = formTokenOf((await guest.get('/oauth/sign-in')).text);
    const token = secretOf(made);
    isRefused(await guest.submit('/oauth/invitation', { form, token, ...newcomer }), 200, '/oauth/sso/');
    expect(await accounts()).toEqual([]);
    const other = await makePerson(t, { tenantId: (await t.tenant()).tenantId, email });
    isRefused(await (await signedIn(t, other)).get(pathOf(made)), 200, '/oauth/sso/');
  });

  it('lets in by an open invitation, once, a person whom the provider vouched for', async () => {
    const made = await invite({ tenantId, email, role: 'viewer' });
    const person = await makePerson(t, { tenantId: (await t.tenant()).tenantId, email });
    const vouched = () => t.db.transaction((tx) => acceptVouched(tx, tenantId, person, '192.0.2.9'));
    const joined = (await vouched()) as Joined;
    expect(joined).toMatchObject({ tenantId, personId: person.personId, role: 'viewer' });
    expect(await vouched()).toBeUndefined();
    expect(await accounts()).toMatchObject([{ accountId: joined.accountId, role: 'viewer' }]);
    expect((await (await signedIn(t, person)).get(pathOf(made))).headers.location).toBe('/console');
  });

  it('has no say in another one', async () => {
    const domain = `other-${count}.example`;
    const other = await t.tenant();
    const providerId = await requireProvider(t, other.tenantId, domain);
    email = `grace@${domain}`;
    const person = await makePerson(t, { tenantId: other.tenantId, email });
    const made = await invite({ tenantId, email });
    const cookie = await ssoCookie(t, person.personId, other.tenantId, providerId);
    isRefused(await t.anonymous.get(pathOf(made), { cookie }), 200, 'which only works there');
  });
});
