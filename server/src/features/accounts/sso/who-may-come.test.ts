import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { browser, browserToken, makePerson, signedIn, type TestPerson } from '../../../../test/accounts.js';
import { type Client, type TenantClient, useApp } from '../../../../test/app.js';
import { useProvider } from '../../../../test/identity-provider.js';
import { id, ssoThrough } from '../../../../test/sso.js';
import { sql } from '../../../db/sql.js';
import type { Clock } from '../../../lib/clock.js';
import { randomBytes } from '../../../lib/random.js';
import { SecretBox } from '../../../lib/secret-box.js';
import { providersFor } from '../index.js';
import { markProven } from '../people/queries.js';

const key = randomBytes(32);
let ahead = 0;
const clock: Clock = { now: () => new Date(Date.now() + ahead), elapsed: () => performance.now() + ahead };
const elsewhere = useProvider([1, 2, 3].map((tenant) => `http://rapport.test/oauth/sso/${tenant}/callback`));
const t = useApp(() => ({ clock, box: new SecretBox(key), webhooks: { allowPrivate: true } }));

let [acme, other]: TenantClient[] = [];
let ada: TestPerson;
let admin: Client;
let provider: { providerId: number; signInUrl: string };

beforeAll(async () => {
  [acme, other] = [await t.tenant(), await t.tenant()];
  ada = await makePerson(t, { tenantId: id(acme), email: 'ada@acme.example' });
  admin = t.withToken(await browserToken(await signedIn(t, ada)));
  provider = (await admin.post('/v2/identity-providers', body())).body.data;
  await t.db.run(sql`update sso_domain set proven_at = now(), checked_at = now()`);
  elsewhere.people.set('ada-there', { email: 'Ada@ACME.example', email_verified: true, name: 'Ada' });
});
beforeEach(() => {
  ahead = 0;
});

const { body, change, startPath, somebody, comeBack, lastAudit } = ssoThrough(
  elsewhere,
  t,
  () => admin,
  () => provider,
);

describe('people who were not invited', () => {
  it('join with the role that the provider says, once', async () => {
    await change({ joinsAs: 'viewer' });
    const { sub, email } = somebody({ name: 'New\u0000 \n Comer' });
    const { b } = await comeBack(sub);
    expect((await b.get('/oauth/session')).body).toMatchObject({
      person: { email, name: 'New Comer' },
      workspace: { role: 'viewer' },
    });
    const [, joined] = await lastAudit(id(acme));
    expect(joined).toMatchObject({ action: 'person.joined', detail: '{"role":"viewer","by":"sso"}' });
    await change({ joinsAs: null });
    expect((await comeBack(sub)).reply.status).toBe(303);
    expect((await comeBack(somebody().sub)).reply.status).toBe(403);
  });

  it('join with the role that they were invited to', async () => {
    const { sub, email } = somebody();
    await t.db.run(sql`
      insert into invitation (tenant_id, email, email_folded, role, secret_hash, expires_at)
      values (${id(acme)}, ${email}, ${email}, 'member', ${randomBytes(32)}, now() + interval '1 day')`);
    const { b } = await comeBack(sub);
    expect((await b.get('/oauth/session')).body.workspace.role).toBe('member');
    const [invitation] = await t.db.rows(sql<{ isAccepted: boolean }>`
      select accepted_at is not null as "isAccepted" from invitation where email_folded = ${email}`);
    expect(invitation?.isAccepted).toBe(true);
  });

  it('are given the unowned account of their address, unless it is deactivated', async () => {
    for (const isActive of [true, false]) {
      const { sub, email } = somebody();
      const row = await t.db.row(sql<{ accountId: number }>`
        insert into account (tenant_id, name, email, deactivated_at)
        values (${id(acme)}, 'CRM sync', ${email}, case when ${isActive}::boolean then null else now() end) returning account_id as "accountId"`);
      await t.db.run(sql`
        insert into invitation (tenant_id, email, email_folded, role, secret_hash, expires_at)
        values (${id(acme)}, ${email}, ${email}, 'viewer', ${randomBytes(32)}, now() + interval '1 day')`);
      const { reply } = await comeBack(sub);
      expect(reply.status).toBe(isActive ? 303 : 403);
      const people = await t.db.rows(sql<{ accountId: number; role: string }>`
        select a.account_id as "accountId", a.role from person p left join account a using (person_id) where p.email_folded = ${email}`);
      expect(people).toEqual(isActive ? [{ accountId: row?.accountId, role: 'viewer' }] : []);
    }
  });

  it('are the same people as in other workspaces, and stay as they are there', async () => {
    await change({ joinsAs: 'member' });
    const { sub, email } = somebody({ name: 'Another Name' });
    const known = await makePerson(t, { tenantId: id(other), email, name: 'Known Name' });
    const { b } = await comeBack(sub);
    expect((await b.get('/oauth/session')).body.person).toMatchObject({ name: 'Known Name' });
    expect((await signedIn(t, known)).cookies.size).toBeGreaterThan(0);
    await change({ joinsAs: null });
  });
});

describe('a person whose address another one took before, by inviting it themselves', () => {
  it('is safe: the other one’s password reaches nothing here, until the address is proven', async () => {
    await change({ joinsAs: 'member' });
    const { sub, email } = somebody();
    const taken = await makePerson(t, { tenantId: id(other), email });
    const thief = await signedIn(t, taken);
    const { b } = await comeBack(sub);
    expect((await b.get('/oauth/session')).body.workspace).toMatchObject({ tenantId: id(acme) });
    const reached = async () =>
      (await thief.get('/oauth/session')).body.workspaces.map((each: { tenantId: number }) => each.tenantId);
    expect(await reached()).toEqual([id(other)]);
    expect((await thief.post('/oauth/session/workspace', { tenantId: id(acme) })).status).toBe(404);
    const told = await t.withToken(await browserToken(thief)).get('/v2/me');
    expect(told.body.data.workspaces).toEqual([]);
    const ways = (await thief.get('/oauth/workspace')).text;
    expect(ways).toContain(`/oauth/sso/${id(acme)}/${provider.providerId}`);
    await markProven(t.db, taken.personId);
    expect((await reached()).sort()).toEqual([id(acme), id(other)]);
    await change({ joinsAs: null });
  });
});

describe('a provider that is required', () => {
  it('cannot be made so by an admin who did not sign in through it', async () => {
    const other = (await admin.post('/v2/identity-providers', body({ name: 'Second' }))).body.data;
    const early = await change({ isRequired: true }, other);
    expect(early).toMatchObject({ status: 409, body: { errors: [{ errorCode: 'INVALID_STATE' }] } });
    expect(early.body.errors[0].message).toContain('sign in at its signInUrl');
    expect((await admin.post('/v2/identity-providers', body({ isRequired: true }))).status).toBe(409);
    await admin.delete(`/v2/identity-providers/${other.providerId}`);
  });

  it('is the only way in for people of its domains, at once', async () => {
    const b = await signedIn(t, ada);
    const program = acme as TenantClient;
    const before = t.withToken(await browserToken(b));
    // A person who signed in through the provider may require it.
    await comeBack('ada-there');
    admin = t.withToken(await browserToken((await comeBack('ada-there')).b));
    expect((await change({ isRequired: true })).status).toBe(200);
    expect((await before.get('/v2/folders')).status).toBe(401);
    const { body: session } = await b.get('/oauth/session');
    expect(session.workspaces.map((each: { tenantId: number }) => each.tenantId)).not.toContain(id(acme));
    const fresh = await signedIn(t, ada);
    expect((await fresh.post('/oauth/session/workspace', { tenantId: id(acme) })).status).toBeGreaterThanOrEqual(400);
    expect((await fresh.get('/oauth/workspace')).text).toContain(startPath());
    // Programs are not people, and these people have other domains.
    expect((await program.get('/v2/folders')).status).toBe(200);
    const guest = await makePerson(t, { tenantId: id(acme), email: 'guest@elsewhere.example' });
    expect((await (await signedIn(t, guest)).get('/oauth/session')).body.workspace.tenantId).toBe(id(acme));
    expect((await comeBack('ada-there')).reply.status).toBe(303);
  });

  it('keeps its issuer while it is required', async () => {
    const reply = await change({ issuer: `${elsewhere.url}/`, clientSecret: elsewhere.clientSecret });
    expect(reply.status).toBe(409);
    expect(reply.body.errors[0].message).toContain('Set isRequired to false');
    expect((await change({ isRequired: false })).status).toBe(200);
  });
});

describe('the page for signing in', () => {
  it('offers the providers of an address’s domain, whether it has an account or not', async () => {
    const offers = [await providersFor(t.db, 'ADA@acme.example '), await providersFor(t.db, 'nobody@acme.example')];
    expect(offers[0]).toEqual(offers[1]);
    expect(offers[0]).toMatchObject([{ name: 'Acme directory', path: startPath(), host: new URL(elsewhere.url).host }]);
    for (const address of ['ada@evil.example', 'acme.example', '@acme.example', ''])
      expect(await providersFor(t.db, address)).toEqual([]);
  });

  it('shows providers, and where they lead', async () => {
    const { text } = await browser(t).get('/oauth/sso?email=nobody@acme.example&next=/console/x');
    expect(text).toContain(`href="${startPath()}?next=%2Fconsole%2Fx"`);
    expect(text).toContain(new URL(elsewhere.url).host);
    const wrong = await browser(t).fill('/oauth/sign-in', { email: 'nobody@acme.example', password: 'wrong' });
    expect(wrong.text).toContain(startPath());
  });

  it('answers 404 for what does not exist', async () => {
    for (const path of [
      '/oauth/sso/1/999',
      '/oauth/sso/999/1',
      '/oauth/sso/x/y',
      `/oauth/sso/${id(other)}/${provider.providerId}`,
    ])
      expect((await browser(t).get(path)).status).toBe(404);
  });
});
