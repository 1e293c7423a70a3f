// Single sign-on from end to end, against another provider that runs beside the service.
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { browser, browserToken, isSignedIn, makePerson, signedIn, type TestPerson } from '../../../../test/accounts.js';
import { type Client, type TenantClient, useApp } from '../../../../test/app.js';
import { auditOf } from '../../../../test/audit.js';
import { useProvider } from '../../../../test/identity-provider.js';
import { sql } from '../../../db/sql.js';
import type { Clock } from '../../../lib/clock.js';
import { randomBytes } from '../../../lib/random.js';
import { SecretBox } from '../../../lib/secret-box.js';
import { rotateSecrets } from '../../sending/index.js';
import { accountDrawers, providersFor } from '../index.js';
import { markProven } from '../people/queries.js';

const key = randomBytes(32);
let ahead = 0;
const clock: Clock = { now: () => new Date(Date.now() + ahead), elapsed: () => performance.now() + ahead };
const elsewhere = useProvider([1, 2, 3].map((tenant) => `http://rapport.test/oauth/sso/${tenant}/callback`));
const t = useApp(() => ({ clock, box: new SecretBox(key), webhooks: { allowPrivate: true } }));
const guarded = useApp(() => ({ db: t.db }));

let [acme, other]: TenantClient[] = [];
let ada: TestPerson;
let admin: Client;
let provider: { providerId: number; signInUrl: string };
let people = 0;

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

const id = (tenant: TenantClient | undefined) => (tenant as TenantClient).tenantId;
const body = (change: object = {}) => ({
  ...{ name: 'Acme directory', issuer: elsewhere.url, clientId: elsewhere.clientId },
  ...{ clientSecret: elsewhere.clientSecret, domains: ['acme.example'], ...change },
});
const change = (fields: object, of = provider) => admin.patch(`/v2/identity-providers/${of.providerId}`, fields);
const startPath = (of = provider) => new URL(of.signInUrl).pathname;

/** Somebody of the provider, with an address of the domain unless told otherwise. */
function somebody(claims: object = {}): { sub: string; email: string } {
  const [sub, email] = [`sub-${++people}`, `person-${people}@acme.example`];
  elsewhere.people.set(sub, { email, email_verified: true, name: 'Some Body', ...claims });
  return { sub, email };
}

/** Goes there and signs in; answers the browser and the path that it is sent back to. */
async function goThere(sub: string, { next = '', of = provider } = {}) {
  const b = browser(t);
  const start = await b.get(startPath(of) + (next && `?next=${encodeURIComponent(next)}`));
  expect(start.status).toBe(303);
  const back = await elsewhere.signIn(start.headers.location ?? '', sub);
  return { b, back, path: back.pathname + back.search };
}

async function comeBack(sub: string, options = {}) {
  const { b, path } = await goThere(sub, options);
  return { b, reply: await b.get(path) };
}

const lastAudit = (tenantId: number) =>
  t.db.rows(sql<{ action: string; accountId: number | null; detail: string }>`
    select action, account_id as "accountId", detail from audit_entry where tenant_id = ${tenantId} order by entry_no desc limit 2`);

describe('signing in through an identity provider', () => {
  it('finds an account by its address, then by who it is there', async () => {
    const { b, reply } = await comeBack('ada-there', { next: '/console/lists?a=b' });
    expect(reply).toMatchObject({ status: 303, headers: { location: '/console/lists?a=b' } });
    const session = await b.get('/oauth/session');
    expect(session.body.workspace).toMatchObject({ tenantId: id(acme), role: 'admin' });
    expect((await t.withToken(await browserToken(b)).get('/v2/folders')).status).toBe(200);
    const [entry] = await lastAudit(id(acme));
    expect(entry).toEqual({ action: 'sign-in.succeeded', accountId: ada.accountId, detail: '{"by":"sso"}' });
    // They have another address there now; it is still them.
    elsewhere.people.set('ada-there', { email: 'lovelace@acme.example', email_verified: true });
    const again = await comeBack('ada-there');
    expect((await again.b.get('/oauth/session')).body.person.email).toBe(ada.email);
    elsewhere.people.set('ada-there', { email: 'ada@acme.example', email_verified: true });
  });

  it('asks with PKCE, a state and a nonce, for the address that is registered', async () => {
    await goThere('ada-there');
    const asked = elsewhere.asked.at(-1);
    expect(asked?.get('code_challenge_method')).toBe('S256');
    for (const name of ['code_challenge', 'state', 'nonce']) expect(asked?.get(name)).toMatch(/^[\w-]{43}$/);
    expect(asked?.get('redirect_uri')).toBe(`http://rapport.test/oauth/sso/${id(acme)}/callback`);
  });

  it('reaches that workspace alone, though the person belongs to others', async () => {
    await t.db.run(sql`
      insert into account (tenant_id, name, person_id) values (${id(other)}, 'Ada', ${ada.personId}) on conflict do nothing`);
    const { b } = await comeBack('ada-there');
    const { body: session } = await b.get('/oauth/session');
    expect(session.workspaces.map((each: { tenantId: number }) => each.tenantId)).toEqual([id(acme)]);
    expect((await b.post('/oauth/session/workspace', { tenantId: id(other) })).status).toBeGreaterThanOrEqual(400);
  });

  it('neither learns of the person’s other workspaces nor signs them out there', async () => {
    const { sub, email } = somebody();
    await t.db.run(sql`update tenant set name = 'Hidden Place' where tenant_id = ${id(other)}`);
    const eve = await makePerson(t, { tenantId: id(other), email });
    const own = await signedIn(t, eve);
    await change({ joinsAs: 'member' });
    const [one, two] = [(await comeBack(sub)).b, (await comeBack(sub)).b];
    await change({ joinsAs: null });
    for (const path of ['/oauth/workspace', '/oauth/account', '/oauth/session'])
      expect((await one.get(path)).text).not.toContain('Hidden Place');
    expect((await one.post('/oauth/sign-out-everywhere')).status).toBe(204);
    expect([await isSignedIn(one), await isSignedIn(two), await isSignedIn(own)]).toEqual([false, false, true]);
    expect(await auditOf(t, id(other), 'sign-out')).toEqual([]);
    expect(await auditOf(t, id(acme), 'sign-out')).toHaveLength(1);
  });

  it('leads to no other site afterwards', async () => {
    for (const next of ['https://evil.example/', '//evil.example', '/\\evil.example'])
      expect((await comeBack('ada-there', { next })).reply.headers.location).toBe('/console');
  });
});

it('sends nobody to a provider whom another site led here, until they follow a link', async () => {
  const b = await signedIn(t, ada);
  const path = `${startPath()}?next=%2Fconsole%2Flists`;
  for (const site of ['cross-site', 'same-site']) {
    const led = await b.get(path, { 'sec-fetch-site': site });
    expect([led.status, led.headers.location]).toEqual([200, undefined]);
    expect(led.text).toContain(`<a href="${path}">Continue with <strong>Acme directory</strong></a>`);
  }
  for (const site of ['same-origin', 'none']) expect((await b.get(path, { 'sec-fetch-site': site })).status).toBe(303);
});

it('does not say where somebody goes who signs in by password the next time', async () => {
  const grace = await makePerson(t, { tenantId: id(other), email: 'grace@acme.example' });
  const at = async (b: ReturnType<typeof browser>) => (await b.get('/oauth/session')).body.workspace?.tenantId;
  expect(await at(await signedIn(t, grace))).toBe(id(other));
  await change({ joinsAs: 'admin' });
  elsewhere.people.set('not-grace', { email: grace.email, email_verified: true, name: 'Grace' });
  expect(await at((await comeBack('not-grace')).b)).toBe(id(acme));
  await change({ joinsAs: null });
  expect(await at(await signedIn(t, grace))).toBe(id(other));
});

describe('coming back', () => {
  it('works once', async () => {
    const { b, path } = await goThere('ada-there');
    expect((await b.get(path)).status).toBe(303);
    expect((await b.get(path)).status).toBe(400);
  });

  it('works in the browser that went', async () => {
    const { b, path } = await goThere('ada-there');
    const victim = browser(t);
    expect((await victim.get(path)).status).toBe(400);
    expect(victim.cookies.size).toBe(0);
    const onTheirWay = browser(t);
    await onTheirWay.get(startPath());
    expect((await onTheirWay.get(path)).status).toBe(400);
    // It was used up by the try.
    expect((await b.get(path)).status).toBe(400);
  });

  it('works for ten minutes', async () => {
    const { b, path } = await goThere('ada-there');
    ahead = 601_000;
    expect((await b.get(path)).status).toBe(400);
  });

  it.each([
    ['another state', 'state', 'x'.repeat(43)],
    ['no state', 'state', ''],
    ['another code', 'code', 'x'.repeat(43)],
    ['no code', 'code', ''],
    ['another issuer', 'iss', 'https://evil.example'],
  ])('with %s signs nobody in', async (_, name, value) => {
    const { b, back } = await goThere('ada-there');
    back.searchParams.set(name, value);
    const reply = await b.get(back.pathname + back.search);
    expect([400, 502]).toContain(reply.status);
    expect((await b.get('/oauth/session')).body.person).toBe(null);
  });

  it('with a refusal of the provider signs nobody in', async () => {
    const { b, back } = await goThere('ada-there');
    back.searchParams.delete('code');
    back.searchParams.set('error', 'access_denied');
    const reply = await b.get(back.pathname + back.search);
    expect(reply.status).toBe(502);
    expect(reply.text).toContain('Acme directory</strong> did not sign you in');
  });

  it('with the code of another attempt signs nobody in: its nonce and its verifier are others', async () => {
    const [mine, theirs] = [await goThere('ada-there'), await goThere(somebody().sub)];
    mine.back.searchParams.set('code', theirs.back.searchParams.get('code') ?? '');
    expect((await mine.b.get(mine.back.pathname + mine.back.search)).status).toBe(502);
  });

  it('to another workspace signs nobody in', async () => {
    const { b, back } = await goThere('ada-there');
    expect((await b.get(`/oauth/sso/${id(other)}/callback${back.search}`)).status).toBe(400);
  });
});

describe('who is turned away', () => {
  it.each([
    ['an address of another domain', { email: 'ada@evil.example' }, 'Another address is needed'],
    ['an address of a domain that only ends so', { email: 'ada@not-acme.example' }, 'Another address is needed'],
    ['an address of a domain below', { email: 'ada@sub.acme.example' }, 'Another address is needed'],
    ['an address with two domains', { email: 'ada@acme.example@evil.example' }, 'Your address is missing'],
    ['an address that nobody has confirmed', { email: 'ada@acme.example', email_verified: false }, 'not confirmed'],
    ...['False', 'FALSE', 'no', '', '0', 0, 1, null, [], {}].map((said): [string, object, string] => [
      `an address that is confirmed as ${JSON.stringify(said)}`,
      { email: 'ada@acme.example', email_verified: said },
      'not confirmed',
    ]),
    ['no address', { email: undefined }, 'Your address is missing'],
    ['an address of nobody here', {}, 'You are not in this workspace'],
    ['somebody else with a known address', { email: 'ada@acme.example' }, 'Another account of the identity provider'],
  ])('%s', async (_, claims, words) => {
    const { b, reply } = await comeBack(somebody(claims).sub);
    expect(reply.status).toBe(403);
    expect(reply.text).toContain(words);
    expect((await b.get('/oauth/session')).body.person).toBe(null);
    expect((await lastAudit(id(acme)))[0]).toMatchObject({ action: 'sign-in.failed', accountId: null });
  });

  it('whose account is deactivated, known to the provider or not', async () => {
    const { sub, email } = somebody();
    const { accountId } = await makePerson(t, { tenantId: id(acme), email });
    const deactivate = sql`update account set deactivated_at = now() where account_id = ${accountId}`;
    await t.db.run(deactivate);
    expect((await comeBack(sub)).reply.text).toContain('Your account is not active');
    await t.db.run(sql`update account set deactivated_at = null where account_id = ${accountId}`);
    expect((await comeBack(sub)).reply.status).toBe(303);
    await t.db.run(deactivate);
    expect((await comeBack(sub)).reply.text).toContain('Your account is not active');
  });
});

it.each([true, 'true', undefined])('an address that is confirmed as %j will do', async (said) => {
  const { sub, email } = somebody({ email_verified: said });
  await makePerson(t, { tenantId: id(acme), email });
  expect((await comeBack(sub)).reply.status).toBe(303);
});

it.each(['a\0b', 'x'.repeat(256)])('a name there that cannot be kept is no fault of ours: %j', async (sub) => {
  elsewhere.people.set(sub, { email: 'nul@acme.example', email_verified: true, name: 'Nul' });
  const { b, reply } = await comeBack(sub);
  expect([reply.status, reply.text.includes('did not sign you in')]).toEqual([502, true]);
  expect((await b.get('/oauth/session')).body.person).toBe(null);
});

describe('people whom nobody invited', () => {
  it('join as what the provider says, once', async () => {
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

  it('join as what they were invited as', async () => {
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

  it('are given the account of their address that belonged to nobody, unless it is deactivated', async () => {
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

  it('are the people whom other workspaces know, who stay as they are there', async () => {
    await change({ joinsAs: 'member' });
    const { sub, email } = somebody({ name: 'Another Name' });
    const known = await makePerson(t, { tenantId: id(other), email, name: 'Known Name' });
    const { b } = await comeBack(sub);
    expect((await b.get('/oauth/session')).body.person).toMatchObject({ name: 'Known Name' });
    expect((await signedIn(t, known)).cookies.size).toBeGreaterThan(0);
    await change({ joinsAs: null });
  });
});

describe('somebody whose address another took before, by an invitation that they wrote themselves', () => {
  it('is not let down by it: the password of the other reaches nothing here, until the address is shown to be theirs', async () => {
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

describe('a provider that people must come by', () => {
  it('is not made so by an admin who has not come by it', async () => {
    const other = (await admin.post('/v2/identity-providers', body({ name: 'Second' }))).body.data;
    const early = await change({ isRequired: true }, other);
    expect(early).toMatchObject({ status: 409, body: { errors: [{ errorCode: 'INVALID_STATE' }] } });
    expect(early.body.errors[0].message).toContain('sign in at its signInUrl');
    expect((await admin.post('/v2/identity-providers', body({ isRequired: true }))).status).toBe(409);
    await admin.delete(`/v2/identity-providers/${other.providerId}`);
  });

  it('takes people of its domains in no other way, at once', async () => {
    const b = await signedIn(t, ada);
    const program = acme as TenantClient;
    const before = t.withToken(await browserToken(b));
    // Whoever signed in by the provider may say so.
    await comeBack('ada-there');
    admin = t.withToken(await browserToken((await comeBack('ada-there')).b));
    expect((await change({ isRequired: true })).status).toBe(200);
    expect((await before.get('/v2/folders')).status).toBe(401);
    const { body: session } = await b.get('/oauth/session');
    expect(session.workspaces.map((each: { tenantId: number }) => each.tenantId)).not.toContain(id(acme));
    const fresh = await signedIn(t, ada);
    expect((await fresh.post('/oauth/session/workspace', { tenantId: id(acme) })).status).toBeGreaterThanOrEqual(400);
    expect((await fresh.get('/oauth/workspace')).text).toContain(startPath());
    // Programs are not people, and others have other domains.
    expect((await program.get('/v2/folders')).status).toBe(200);
    const guest = await makePerson(t, { tenantId: id(acme), email: 'guest@elsewhere.example' });
    expect((await (await signedIn(t, guest)).get('/oauth/session')).body.workspace.tenantId).toBe(id(acme));
    expect((await comeBack('ada-there')).reply.status).toBe(303);
  });

  it('keeps its issuer until nobody must', async () => {
    const reply = await change({ issuer: `${elsewhere.url}/`, clientSecret: elsewhere.clientSecret });
    expect(reply.status).toBe(409);
    expect(reply.body.errors[0].message).toContain('Set isRequired to false');
    expect((await change({ isRequired: false })).status).toBe(200);
  });
});

describe('the page for signing in', () => {
  it('offers who speaks for the domain of an address, whether it has an account or not', async () => {
    const offers = [await providersFor(t.db, 'ADA@acme.example '), await providersFor(t.db, 'nobody@acme.example')];
    expect(offers[0]).toEqual(offers[1]);
    expect(offers[0]).toMatchObject([{ name: 'Acme directory', path: startPath(), host: new URL(elsewhere.url).host }]);
    for (const address of ['ada@evil.example', 'acme.example', '@acme.example', ''])
      expect(await providersFor(t.db, address)).toEqual([]);
  });

  it('shows them, and where they lead', async () => {
    const { text } = await browser(t).get('/oauth/sso?email=nobody@acme.example&next=/console/x');
    expect(text).toContain(`href="${startPath()}?next=%2Fconsole%2Fx"`);
    expect(text).toContain(new URL(elsewhere.url).host);
    const wrong = await browser(t).fill('/oauth/sign-in', { email: 'nobody@acme.example', password: 'wrong' });
    expect(wrong.text).toContain(startPath());
  });

  it('says of what is not there that it is not there', async () => {
    for (const path of [
      '/oauth/sso/1/999',
      '/oauth/sso/999/1',
      '/oauth/sso/x/y',
      `/oauth/sso/${id(other)}/${provider.providerId}`,
    ])
      expect((await browser(t).get(path)).status).toBe(404);
  });
});

describe('GET, POST, PATCH, DELETE /v2/identity-providers', () => {
  it('never show the secret, and say what to register', async () => {
    const { body: page, text } = await admin.get('/v2/identity-providers');
    expect(page.data).toMatchObject([
      {
        ...{ providerId: provider.providerId, hasClientSecret: true, isRequired: false, joinsAs: null },
        callbackUrl: `http://rapport.test/oauth/sso/${id(acme)}/callback`,
      },
    ]);
    expect(text).not.toContain(elsewhere.clientSecret);
    const stored = await t.db.rows(sql`select encode(client_secret, 'escape') as secret from identity_provider`);
    expect(JSON.stringify(stored)).not.toContain('a secret of the test');
    const entries = await t.db.rows(
      sql<{ detail: string }>`select detail from audit_entry where action like 'identity-provider.%'`,
    );
    expect(entries.length).toBeGreaterThan(3);
    expect(JSON.stringify(entries)).not.toContain('a secret of the test');
  });

  it('are for admins', async () => {
    const member = await makePerson(t, { tenantId: id(acme), role: 'member' });
    const client = t.withToken(await browserToken(await signedIn(t, member)));
    expect(await client.get('/v2/identity-providers')).toMatchObject({ status: 403, text: '' });
    expect((await client.post('/v2/identity-providers', body())).status).toBe(403);
  });

  it.each([
    ['a plain address', { issuer: 'http://id.example' }, 'must be an address that starts with https://'],
    ['no address', { issuer: 'id.example' }, 'must be an address that starts with https://'],
    [
      'the address of its metadata',
      { issuer: 'https://id.example/.well-known/openid-configuration' },
      'before /.well-known/',
    ],
    ['a query', { issuer: 'https://id.example/?a=b' }, 'no user, query or fragment'],
    ['a domain twice', { domains: ['a.example', 'A.example'] }, 'a.example is there twice'],
    ['no domain', { domains: [] }, 'domains'],
    ['something else as a domain', { domains: ['ada@acme.example'] }, 'must be a domain such as example.com'],
    ['another role', { joinsAs: 'owner' }, 'joinsAs'],
  ])('refuse %s', async (_, fields, words) => {
    const reply = await admin.post('/v2/identity-providers', body(fields));
    expect(reply.status).toBe(400);
    expect(reply.body.errors[0].message).toContain(words);
  });

  it('refuse an issuer that is none, or calls itself something else', async () => {
    for (const issuer of [
      `${elsewhere.url}/nothing`,
      'http://127.0.0.1:9',
      elsewhere.url.replace('127.0.0.1', 'localhost'),
    ]) {
      const reply = await admin.post('/v2/identity-providers', body({ issuer }));
      expect(reply).toMatchObject({ status: 400, body: { errors: [{ detail: 'issuer' }] } });
    }
    // What a name leads to is nobody's business but the operator's.
    const port = new URL(elsewhere.url).port;
    for (const issuer of ['http://localhost:9', `http://localhost:${port}`, 'https://rapport-inner.localhost:9']) {
      const { message } = (await admin.post('/v2/identity-providers', body({ issuer }))).body.errors[0];
      expect(message.replaceAll(elsewhere.url, '')).not.toMatch(/127\.0\.0\.1|::1/);
    }
  });

  it('refuse an issuer on a private address unless the operator allows it', async () => {
    const client = guarded.withToken((acme as TenantClient).token);
    const reply = await client.post('/v2/identity-providers', body());
    expect(reply.status).toBe(400);
    expect(reply.body.errors[0].message).toContain('must not lead to 127.0.0.1');
  });

  it('take another key for their secrets when the service does', async () => {
    const both = new SecretBox(randomBytes(32), [key]);
    expect(await rotateSecrets(t.db, both, accountDrawers)).toMatchObject({ resealed: 1, complaints: [] });
    const { complaints } = await rotateSecrets(t.db, new SecretBox(key), accountDrawers);
    expect(complaints).toEqual([expect.stringContaining(`identity-provider:${id(acme)}:${provider.providerId}`)]);
  });

  it('end the sessions that came by a provider that is removed', async () => {
    const own = await t.tenant();
    const boss = await makePerson(t, { tenantId: own.tenantId, email: 'boss@third.example' });
    const made = await own.post('/v2/identity-providers', body({ domains: ['third.example'] }));
    const { sub } = somebody({ email: boss.email });
    const { b } = await comeBack(sub, { of: made.body.data });
    expect((await b.get('/oauth/session')).body.person).toMatchObject({ email: boss.email });
    const token = await browserToken(b);
    const removed = await own.delete(`/v2/identity-providers/${made.body.data.providerId}`);
    expect(removed.body.data).toEqual({ success: true });
    expect((await b.get('/oauth/session')).body.person).toBe(null);
    expect((await t.withToken(token).get('/v2/folders')).status).toBe(401);
    expect((await b.get(startPath(made.body.data))).status).toBe(404);
  });
});
