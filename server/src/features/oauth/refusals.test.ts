// What must never work, with what a thief, a careless app or a curious neighbour would try.
import * as client from 'openid-client';
import { beforeAll, describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../test/app.js';
import * as oauth from '../../../test/oauth.js';
import { sql } from '../../db/sql.js';

const { baseUrl, connect, decide, fieldsOf, makeMember, redeem, redirectUri, startFlow } = oauth;
const t = useApp();
const otherUri = 'https://app.example/other';
let tenant: TenantClient;
let member: oauth.Member;
let app: client.Configuration;
let foreign: client.Configuration;
beforeAll(async () => {
  tenant = await t.tenant();
  member = await makeMember(t, tenant.tenantId);
  app = await oauth.registerApp(t, { redirect_uris: [redirectUri, otherUri] });
  foreign = await oauth.registerApp(t, { client_name: 'Another App' });
});

const works = async (token: string) => (await t.withToken(token).get('/v2/lists')).status === 200;
const isInvalidGrant = { error: 'invalid_grant' };
const reuses = async () => (await t.db.rows(sql`select 1 from audit_entry where action = 'app.token-reused'`)).length;

/** Asks as a server does, and returns the answer. */
async function ask(path: string, form: Record<string, string>, address = '127.0.0.1') {
  const response = await t.app.http.inject({
    ...{ method: 'POST', url: path, remoteAddress: address, payload: new URLSearchParams(form).toString() },
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  return { status: response.statusCode, body: response.json() };
}

/** Where an authorization ends that fails before a person is asked. */
async function outcome(params: Record<string, string | undefined>) {
  const { url } = await startFlow(app);
  for (const [name, value] of Object.entries(params))
    if (value === undefined) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  const { status, url: at, text } = await member.browser.get(url.href);
  const back = new URL(at);
  const said = new URLSearchParams(back.search || back.hash.slice(1));
  return { status, isHere: back.origin === baseUrl, text, error: said.get('error') };
}

it('says what is wrong with text that cannot be stored', async () => {
  expect(await outcome({ state: 'a\0b' })).toMatchObject({ error: 'invalid_request', isHere: false });
  for (const wrong of ['a\0b', 'a\ud800b']) {
    const { statusCode } = await t.app.http.inject({
      ...{ method: 'POST', url: '/oauth/register', remoteAddress: '192.0.2.77' },
      payload: {
        redirect_uris: [redirectUri],
        jwks: { keys: [{ kty: 'EC', crv: 'P-256', x: 'a', y: 'a', [wrong]: 1 }] },
      },
    });
    expect(statusCode).toBe(400);
  }
});

describe('a redirect', () => {
  it.each([
    'https://evil.example/back',
    'https://app.example.evil.example/back',
    'https://app.example/back/../../evil',
    'https://app.example/back?next=https://evil.example',
    'https://app.example@evil.example/back',
    'http://app.example/back',
    'https://app.example/back#x',
    'https://app.example:444/back',
    'javascript:alert(1)',
    '//evil.example/back',
    '',
  ])('never leads to %s, which the app did not register', async (uri) => {
    const { status, isHere, text } = await outcome({ redirect_uri: uri });
    expect([status, isHere]).toEqual([400, true]);
    expect(text).toContain('This app can’t be connected');
    expect(text).not.toContain('href="javascript');
  });

  it('is not guessed if the app names none', async () => {
    expect(await outcome({ redirect_uri: undefined })).toMatchObject({ status: 400, isHere: true });
  });

  it('leads nowhere for an unknown app', async () => {
    expect(await outcome({ client_id: 'nobody' })).toMatchObject({ status: 400, isHere: true });
  });

  it('is compared in full: a code for one address is not redeemed with another of the same app', async () => {
    const started = await startFlow(app);
    const back = new URL((await decide(member.browser, started)).url);
    const mixed = new URL(otherUri);
    mixed.search = back.search;
    await expect(redeem(app, started, mixed.href)).rejects.toMatchObject(isInvalidGrant);
  });
});

describe('PKCE', () => {
  it.each([
    ['missing', { code_challenge: undefined, code_challenge_method: undefined }],
    ['plain', { code_challenge_method: 'plain' }],
    ['plain by silence', { code_challenge_method: undefined }],
  ])('is refused when it is %s', async (_name, params) => {
    expect(await outcome(params)).toMatchObject({ isHere: false, error: 'invalid_request' });
  });

  it('holds: a stolen code is useless without its verifier', async () => {
    const started = await startFlow(app);
    const { url } = await decide(member.browser, started);
    const thief = { ...started, verifier: client.randomPKCECodeVerifier() };
    await expect(redeem(app, thief, url)).rejects.toMatchObject(isInvalidGrant);
  });
});

it.each(['token', 'id_token', 'code id_token', 'none'])('knows no response type %s', async (type) => {
  expect(await outcome({ response_type: type })).toMatchObject({ error: 'unsupported_response_type' });
});

it.each(['password', 'client_credentials', 'urn:ietf:params:oauth:grant-type:device_code', 'implicit'])(
  'knows no grant type %s',
  async (grant_type) => {
    const { client_id } = app.clientMetadata();
    const reply = await ask('/oauth/token', { grant_type, client_id, username: 'a', password: 'b', scope: 'READ' });
    expect(reply).toMatchObject({ status: 400, body: { error: 'unsupported_grant_type' } });
    const registered = t.anonymous.post('/oauth/register', { redirect_uris: [redirectUri], grant_types: [grant_type] });
    expect((await registered).body.error).toBe('invalid_client_metadata');
  },
);

describe('a code', () => {
  it('works once: a second use ends what the first one got', async () => {
    const started = await startFlow(app);
    const { url } = await decide(member.browser, started);
    const tokens = await redeem(app, started, url);
    expect(await works(tokens.access_token)).toBe(true);
    const before = await reuses();
    await expect(redeem(app, started, url)).rejects.toMatchObject(isInvalidGrant);
    expect(await works(tokens.access_token)).toBe(false);
    await expect(client.refreshTokenGrant(app, tokens.refresh_token as string)).rejects.toMatchObject(isInvalidGrant);
    expect(await reuses()).toBe(before + 1);
  });

  it('leaves no token when several use it at the same time', async () => {
    const started = await startFlow(app);
    const { url } = await decide(member.browser, started);
    await leavesNothing(Array.from({ length: 6 }, () => redeem(app, started, url)));
  });

  it('is for the app that got it', async () => {
    const started = await startFlow(app);
    const { url } = await decide(member.browser, started);
    await expect(redeem(foreign, started, url)).rejects.toMatchObject(isInvalidGrant);
  });
});

describe('a refresh token', () => {
  it('works once: a second use ends it for both', async () => {
    const stolen = await connect(app, member);
    const fresh = await client.refreshTokenGrant(app, stolen.refresh_token as string);
    const before = await reuses();
    await expect(client.refreshTokenGrant(app, stolen.refresh_token as string)).rejects.toMatchObject(isInvalidGrant);
    for (const tokens of [stolen, fresh]) expect(await works(tokens.access_token)).toBe(false);
    await expect(client.refreshTokenGrant(app, fresh.refresh_token as string)).rejects.toMatchObject(isInvalidGrant);
    expect(await reuses()).toBe(before + 1);
  });

  it('leaves no token when several use it at the same time', async () => {
    const { refresh_token } = await connect(app, member);
    await leavesNothing(Array.from({ length: 6 }, () => client.refreshTokenGrant(app, refresh_token as string)));
  });

  it('belongs to the app that got it: no other may ask about it or revoke it', async () => {
    const { access_token, refresh_token } = await connect(app, member);
    await expect(client.refreshTokenGrant(foreign, refresh_token as string)).rejects.toMatchObject(isInvalidGrant);
    expect(await client.tokenIntrospection(foreign, access_token)).toEqual({ active: false });
    await client.tokenRevocation(foreign, refresh_token as string);
    expect(await works(access_token)).toBe(true);
  });

  it('gives no more than was allowed', async () => {
    const { refresh_token } = await connect(app, member, { scope: 'READ' });
    const more = client.refreshTokenGrant(app, refresh_token as string, { scope: 'READ WRITE' });
    await expect(more).rejects.toMatchObject({ error: 'invalid_scope' });
  });
});

type Tokens = client.TokenEndpointResponse;

/** At most one of them got something, and that no longer works. */
async function leavesNothing(tries: Promise<Tokens>[]): Promise<void> {
  const settled = await Promise.allSettled(tries);
  const got = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  expect(got.length).toBeLessThanOrEqual(1);
  for (const { access_token, refresh_token } of got) {
    expect(await works(access_token)).toBe(false);
    await expect(client.refreshTokenGrant(app, refresh_token as string)).rejects.toMatchObject(isInvalidGrant);
  }
}

describe('another resource', () => {
  it('is refused when an app asks for it', async () => {
    expect(await outcome({ resource: 'https://other.example' })).toMatchObject({ error: 'invalid_target' });
  });

  it('is refused when a code or a refresh token is to be used for it', async () => {
    const started = await startFlow(app);
    const { url } = await decide(member.browser, started);
    const elsewhere = { resource: 'https://other.example' };
    const given = { pkceCodeVerifier: started.verifier, expectedState: started.state };
    const refused = client.authorizationCodeGrant(app, new URL(url), given, elsewhere);
    await expect(refused).rejects.toMatchObject({ error: 'invalid_target' });
    const { refresh_token } = await connect(app, member);
    const refresh = client.refreshTokenGrant(app, refresh_token as string, elsewhere);
    await expect(refresh).rejects.toMatchObject({ error: 'invalid_target' });
  });

  it.each([baseUrl, `${baseUrl}/`])('is not what %s is', async (resource) => {
    expect(await works((await connect(app, member, { resource })).access_token)).toBe(true);
  });
});

it.each([
  'https://127.0.0.1/app.json',
  'https://localhost/app.json',
  'https://10.1.2.3/app',
  'https://[::1]/app',
  'https://169.254.169.254/x',
])('does not fetch the metadata document %s, which is not on the internet', async (client_id) => {
  expect(await outcome({ client_id })).toMatchObject({ status: 400, isHere: true });
});

it('ends the tokens of an account that is deactivated', async () => {
  const gone = await makeMember(t, tenant.tenantId);
  const tokens = await connect(app, gone, { scope: 'openid READ' });
  expect(await works(tokens.access_token)).toBe(true);
  await t.db.run(sql`
    update account set deactivated_at = now() where tenant_id = ${gone.tenantId} and account_id = ${gone.accountId}`);
  await expect(client.refreshTokenGrant(app, tokens.refresh_token as string)).rejects.toMatchObject(isInvalidGrant);
  expect(await client.tokenIntrospection(app, tokens.access_token)).toEqual({ active: false });
  const userinfo = await t.withToken(tokens.access_token).get('/oauth/userinfo');
  expect(userinfo.status).toBe(401);
});

describe('consent', () => {
  it('refuses a form from another site, and one without the field of the page', async () => {
    const page = await member.browser.get((await startFlow(app)).url.href);
    const { form: _form, ...fields } = fieldsOf(page.text);
    const refused = await member.browser.post(page.url, { ...fields, decision: 'allow' });
    expect(refused.status).toBe(403);
    expect(refused.text).toContain('out of date');
  });

  it('counts only for the person who read the page: one who signed in since then reads it first', async () => {
    const browser = await oauth.signIn(t, member);
    const page = await browser.get((await startFlow(app)).url.href);
    const other = await makeMember(t, tenant.tenantId);
    await oauth.signIn(t, other, browser);
    const refused = await browser.post(page.url, { ...fieldsOf(page.text), decision: 'allow' });
    expect(refused.status).toBe(403);
  });

  it('cannot be given in another browser than the one it began in', async () => {
    const page = await member.browser.get((await startFlow(app)).url.href);
    const other = await makeMember(t, tenant.tenantId);
    const shown = await other.browser.get(page.url);
    expect([shown.status, shown.text.includes('This request has expired')]).toEqual([400, true]);
  });

  it('is over once it was given', async () => {
    const page = await member.browser.get((await startFlow(app)).url.href);
    const fields = { ...fieldsOf(page.text), decision: 'allow' };
    expect(new URL((await member.browser.post(page.url, fields)).url).origin).toBe('https://app.example');
    expect((await member.browser.post(page.url, fields)).status).toBe(400);
  });
});
