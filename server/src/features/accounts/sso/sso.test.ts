// Single sign-on from end to end, against another provider that runs beside the service.
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { browser, browserToken, isSignedIn, makePerson, signedIn, type TestPerson } from '../../../../test/accounts.js';
import { type Client, type TenantClient, useApp } from '../../../../test/app.js';
import { auditOf } from '../../../../test/audit.js';
import { useProvider } from '../../../../test/identity-provider.js';
import { id, ssoThrough } from '../../../../test/sso.js';
import { sql } from '../../../db/sql.js';
import type { Clock } from '../../../lib/clock.js';
import { randomBytes } from '../../../lib/random.js';
import { SecretBox } from '../../../lib/secret-box.js';

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

const { body, change, startPath, somebody, goThere, comeBack, lastAudit } = ssoThrough(
  elsewhere,
  t,
  () => admin,
  () => provider,
);

describe('signing in through an identity provider', () => {
  it('finds an account by its address, later by its subject at the provider', async () => {
    const { b, reply } = await comeBack('ada-there', { next: '/console/lists?a=b' });
    expect(reply).toMatchObject({ status: 303, headers: { location: '/console/lists?a=b' } });
    const session = await b.get('/oauth/session');
    expect(session.body.workspace).toMatchObject({ tenantId: id(acme), role: 'admin' });
    expect((await t.withToken(await browserToken(b)).get('/v2/folders')).status).toBe(200);
    const [entry] = await lastAudit(id(acme));
    expect(entry).toEqual({ action: 'sign-in.succeeded', accountId: ada.accountId, detail: '{"by":"sso"}' });
    // They have another address there now, but are the same person.
    elsewhere.people.set('ada-there', { email: 'lovelace@acme.example', email_verified: true });
    const again = await comeBack('ada-there');
    expect((await again.b.get('/oauth/session')).body.person.email).toBe(ada.email);
    elsewhere.people.set('ada-there', { email: 'ada@acme.example', email_verified: true });
  });

  it('asks with PKCE, a state, a nonce and the registered address', async () => {
    await goThere('ada-there');
    const asked = elsewhere.asked.at(-1);
    expect(asked?.get('code_challenge_method')).toBe('S256');
    for (const name of ['code_challenge', 'state', 'nonce']) expect(asked?.get(name)).toMatch(/^[\w-]{43}$/);
    expect(asked?.get('redirect_uri')).toBe(`http://rapport.test/oauth/sso/${id(acme)}/callback`);
  });

  it('reaches only that workspace, though the person belongs to others', async () => {
    await t.db.run(sql`
      insert into account (tenant_id, name, person_id) values (${id(other)}, 'Ada', ${ada.personId}) on conflict do nothing`);
    const { b } = await comeBack('ada-there');
    const { body: session } = await b.get('/oauth/session');
    expect(session.workspaces.map((each: { tenantId: number }) => each.tenantId)).toEqual([id(acme)]);
    expect((await b.post('/oauth/session/workspace', { tenantId: id(other) })).status).toBeGreaterThanOrEqual(400);
  });

  it('reveals nothing about the person’s other workspaces, and does not sign them out there', async () => {
    const { sub, email } = somebody();
    await t.db.run(sql`update tenant set name = 'Hidden Place' where tenant_id = ${id(other)}`);
    const eve = await makePerson(t, { tenantId: id(other), email });
    const own = await signedIn(t, eve);
    await change({ joinsAs: 'member' });
    const [one, two] = [(await comeBack(sub)).b, (await comeBack(sub)).b];
    await change({ joinsAs: null });
    for (const path of ['/oauth/workspace', '/oauth/session/account', '/oauth/session'])
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

it('asks people whom another site led here to follow a link before it sends them to a provider', async () => {
  const b = await signedIn(t, ada);
  const path = `${startPath()}?next=%2Fconsole%2Flists`;
  for (const site of ['cross-site', 'same-site']) {
    const led = await b.get(path, { 'sec-fetch-site': site });
    expect([led.status, led.headers.location]).toEqual([200, undefined]);
    expect(led.text).toContain(`<a href="${path}">Continue with <strong>Acme directory</strong></a>`);
  }
  for (const site of ['same-origin', 'none']) expect((await b.get(path, { 'sec-fetch-site': site })).status).toBe(303);
});

it('does not decide which workspace a later sign-in by password enters', async () => {
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

  it('works only in the same browser', async () => {
    const { b, path } = await goThere('ada-there');
    const victim = browser(t);
    expect((await victim.get(path)).status).toBe(400);
    expect(victim.cookies.size).toBe(0);
    const onTheirWay = browser(t);
    await onTheirWay.get(startPath());
    expect((await onTheirWay.get(path)).status).toBe(400);
    // The try used it up.
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
  ])('with %s signs no one in', async (_, name, value) => {
    const { b, back } = await goThere('ada-there');
    back.searchParams.set(name, value);
    const reply = await b.get(back.pathname + back.search);
    expect([400, 502]).toContain(reply.status);
    expect((await b.get('/oauth/session')).body.person).toBe(null);
  });

  it('with a refusal of the provider signs no one in', async () => {
    const { b, back } = await goThere('ada-there');
    back.searchParams.delete('code');
    back.searchParams.set('error', 'access_denied');
    const reply = await b.get(back.pathname + back.search);
    expect(reply.status).toBe(502);
    expect(reply.text).toContain('Acme directory</strong> did not sign you in');
  });

  it('with the code of another attempt signs no one in: its nonce and its verifier are others', async () => {
    const [mine, theirs] = [await goThere('ada-there'), await goThere(somebody().sub)];
    mine.back.searchParams.set('code', theirs.back.searchParams.get('code') ?? '');
    expect((await mine.b.get(mine.back.pathname + mine.back.search)).status).toBe(502);
  });

  it('to another workspace signs no one in', async () => {
    const { b, back } = await goThere('ada-there');
    expect((await b.get(`/oauth/sso/${id(other)}/callback${back.search}`)).status).toBe(400);
  });
});

describe('a person who is turned away', () => {
  it.each([
    ['an address of another domain', { email: 'ada@evil.example' }, 'Another address is needed'],
    ['an address of a domain that only ends so', { email: 'ada@not-acme.example' }, 'Another address is needed'],
    ['an address of a domain below', { email: 'ada@sub.acme.example' }, 'Another address is needed'],
    ['an address with two domains', { email: 'ada@acme.example@evil.example' }, 'Your address is missing'],
    ['an address that is not confirmed', { email: 'ada@acme.example', email_verified: false }, 'not verified'],
    ...['False', 'FALSE', 'no', '', '0', 0, 1, null, [], {}].map((said): [string, object, string] => [
      `an address that is confirmed as ${JSON.stringify(said)}`,
      { email: 'ada@acme.example', email_verified: said },
      'not verified',
    ]),
    ['no address', { email: undefined }, 'Your address is missing'],
    ['an address that no one here has', {}, 'You are not in this workspace'],
    ['somebody else with a known address', { email: 'ada@acme.example' }, 'Another account of the identity provider'],
  ])('%s', async (_, claims, words) => {
    const { b, reply } = await comeBack(somebody(claims).sub);
    expect(reply.status).toBe(403);
    expect(reply.text).toContain(words);
    expect((await b.get('/oauth/session')).body.person).toBe(null);
    expect((await lastAudit(id(acme)))[0]).toMatchObject({ action: 'sign-in.failed', accountId: null });
  });

  it('has a deactivated account, known to the provider or not', async () => {
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
