// A real client goes the whole way: it finds the service, registers, is allowed, calls the API, refreshes, and is revoked.
import * as client from 'openid-client';
import { beforeAll, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../test/app.js';
import {
  Browser,
  baseUrl,
  connect,
  decide,
  fieldsOf,
  type Member,
  makeMember,
  registerApp,
  signIn,
  startFlow,
} from '../../../test/oauth.js';
import { sql } from '../../db/sql.js';
import { insertMembership } from '../tenants/index.js';

const t = useApp();
let tenant: TenantClient;
let member: Member;
beforeAll(async () => {
  tenant = await t.tenant();
  member = await makeMember(t, tenant.tenantId);
});

const apps = async (token = tenant.token) => (await t.withToken(token).get('/v2/connected-apps')).body.data;
const actions = async () =>
  (
    await t.db.rows(sql<{ action: string }>`
    select action from audit_entry where tenant_id = ${tenant.tenantId} and action like 'app.%' order by entry_no`)
  ).map(({ action }) => action);

it('lets a real client discover, register, call the API, refresh and be revoked', async () => {
  const app = await registerApp(t);
  expect(app.serverMetadata()).toMatchObject({
    issuer: `${baseUrl}/oauth`,
    code_challenge_methods_supported: ['S256'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    response_types_supported: ['code'],
    client_id_metadata_document_supported: true,
  });
  const tokens = await connect(app, member, { scope: 'openid email profile READ WRITE' });
  expect(tokens.access_token).toMatch(/^rpt_app_[\w-]{43}$/);
  expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 900 });
  expect(tokens.claims()).toMatchObject({ sub: `${tenant.tenantId}.${member.accountId}`, iss: `${baseUrl}/oauth` });

  const api = t.withToken(tokens.access_token);
  expect((await api.get('/v2/lists')).status).toBe(200);
  expect((await api.post('/v1/lists', { name: 'made by an app' })).status).toBe(200);
  const sub = tokens.claims()?.sub as string;
  const who = await client.fetchUserInfo(app, tokens.access_token, sub);
  expect(who).toMatchObject({ sub, email: expect.stringContaining('@example.com'), name: expect.any(String) });
  expect(await client.tokenIntrospection(app, tokens.access_token)).toMatchObject({ active: true, aud: baseUrl, sub });

  const fresh = await client.refreshTokenGrant(app, tokens.refresh_token as string);
  expect(fresh.refresh_token).not.toBe(tokens.refresh_token);
  expect((await t.withToken(fresh.access_token).get('/v2/lists')).status).toBe(200);

  await client.tokenRevocation(app, fresh.refresh_token as string);
  for (const { access_token } of [tokens, fresh])
    expect((await t.withToken(access_token).get('/v2/lists')).status).toBe(401);
  await expect(client.refreshTokenGrant(app, fresh.refresh_token as string)).rejects.toMatchObject({
    error: 'invalid_grant',
  });
  expect(await client.tokenIntrospection(app, fresh.access_token)).toEqual({ active: false });
  expect(await actions()).toEqual(['app.connected', 'app.disconnected']);
});

it('gives a client with a secret its tokens, and refuses another secret', async () => {
  for (const method of ['client_secret_basic', 'client_secret_post'] as const) {
    const app = await registerApp(t, { token_endpoint_auth_method: method });
    const { client_id, client_secret } = app.clientMetadata();
    expect(client_secret).toMatch(/^[\w-]{43,}$/);
    const withSecret = (secret: string) => {
      const auth =
        method === 'client_secret_basic' ? client.ClientSecretBasic(secret) : client.ClientSecretPost(secret);
      const same = new client.Configuration(app.serverMetadata(), client_id, undefined, auth);
      client.allowInsecureRequests(same);
      same[client.customFetch] = app[client.customFetch] as client.CustomFetch;
      return same;
    };
    const tokens = await connect(withSecret(client_secret as string), member);
    const refused = client.refreshTokenGrant(withSecret('wrong'), tokens.refresh_token as string);
    await expect(refused).rejects.toMatchObject({ status: 401 });
    const stored = await t.db.rows(sql`select payload from oauth_record where kind = 'Client'`);
    expect(JSON.stringify(stored)).not.toContain(client_secret);
    await client.refreshTokenGrant(withSecret(client_secret as string), tokens.refresh_token as string);
  }
});

it('gives no refresh token to an app that did not register for one', async () => {
  const app = await registerApp(t, { grant_types: ['authorization_code'] });
  expect((await connect(app, member)).refresh_token).toBeUndefined();
});

it('gives an app that names no scope only READ', async () => {
  const app = await registerApp(t);
  const started = await startFlow(app);
  started.url.searchParams.delete('scope');
  const back = await decide(member.browser, started);
  const tokens = await client.authorizationCodeGrant(app, new URL(back.url), {
    pkceCodeVerifier: started.verifier,
    expectedState: started.state,
  });
  expect(tokens.scope).toBe('READ');
  const api = t.withToken(tokens.access_token);
  expect((await api.get('/v2/lists')).status).toBe(200);
  expect((await api.post('/v1/lists', { name: 'no' })).status).toBe(403);
});

it('never gives a viewer WRITE, whatever the app asks for', async () => {
  const viewer = await makeMember(t, tenant.tenantId, 'viewer');
  const tokens = await connect(await registerApp(t), viewer);
  expect(tokens.scope).toBe('READ');
  const api = t.withToken(tokens.access_token);
  expect((await api.get('/v2/lists')).status).toBe(200);
  expect((await api.post('/v1/lists', { name: 'no' })).status).toBe(403);
});

it('asks people to sign in first, and comes back', async () => {
  const { url } = await startFlow(await registerApp(t));
  const page = await (await signIn(t, member)).get(url.href);
  expect(page.url).toMatch(/\/oauth\/consent\/[\w-]+$/);
  const stranger = await new Browser(t).get(url.href);
  expect(new URL(stranger.url).pathname).toBe('/oauth/sign-in');
  expect(new URL(stranger.url).searchParams.get('next')).toMatch(/^\/oauth\/consent\/[\w-]+$/);
});

it('asks a person to sign in again if the app wants it', async () => {
  const app = await registerApp(t);
  const at = async (browser: Browser, params: Record<string, string>) => {
    const { url } = await browser.get((await startFlow(app, { scope: 'openid READ', ...params })).url.href);
    return new URL(url).pathname.split('/')[2];
  };
  const browser = await signIn(t, member);
  await t.db.run(sql`update session set created_at = now() - interval '1 hour' where person_id = ${member.personId}`);
  expect(await at(browser, { max_age: '60' })).toBe('sign-in');
  expect(await at(browser, { prompt: 'login' })).toBe('sign-in');
  expect(await at(browser, { max_age: '7200' })).toBe('consent');
  expect(await at(browser, { max_age: '0' })).toBe('sign-in');
  expect(await at(browser, { prompt: 'consent' })).toBe('consent');
  // Nothing is allowed silently.
  const silent = await browser.get((await startFlow(app, { prompt: 'none' })).url.href);
  expect(new URL(silent.url).searchParams.get('error')).toBe('login_required');
});

it('accepts a sign-in that came after the app asked, however long the person takes to read', async () => {
  const browser = await signIn(t, member);
  const started = await startFlow(await registerApp(t), { scope: 'openid READ', max_age: '5' });
  await t.db.run(sql`update session set created_at = now() - interval '1 minute' where person_id = ${member.personId}`);
  const asked = await browser.get(started.url.href);
  const consent = new URL(asked.url).searchParams.get('next') as string;
  await signIn(t, member, browser);
  await t.db.run(sql`
    update oauth_record set payload = payload || jsonb_build_object('iat', (payload ->> 'iat')::int - 30) where kind = 'Interaction'`);
  await t.db.run(
    sql`update session set created_at = now() - interval '20 seconds' where person_id = ${member.personId}`,
  );
  expect((await browser.get(consent)).text).toContain('Connect Example App?');
});

it('says which app asks, for what, and where it leads', async () => {
  const app = await registerApp(t, { client_name: '<b>Nice</b> App' });
  const page = await member.browser.get((await startFlow(app)).url.href);
  expect(page.text).toContain('&lt;b&gt;Nice&lt;/b&gt; App');
  expect(page.text).toContain('<strong>app.example</strong>');
  expect(page.text).toContain('<strong>Read</strong>');
  expect(page.text).toContain('<strong>Change</strong>');
  expect(page.headers['content-security-policy']).toContain("form-action 'self' https://app.example;");
});

it('lets people choose among their workspaces, and no others', async () => {
  const [second, foreign] = [await t.tenant(), await t.tenant()];
  const membership = await insertMembership(t.db, { tenantId: second.tenantId, role: 'admin' }, member);
  const app = await registerApp(t);
  const started = await startFlow(app, { scope: 'openid READ' });
  const page = await member.browser.get(started.url.href);
  expect(fieldsOf(page.text).workspace).toBe(String(tenant.tenantId));
  const refused = await member.browser.post(page.url, {
    ...{ ...fieldsOf(page.text), decision: 'allow', workspace: String(foreign.tenantId) },
  });
  expect(refused.status).toBe(400);
  const back = await decide(member.browser, started, 'allow', { workspace: String(second.tenantId) });
  const tokens = await client.authorizationCodeGrant(app, new URL(back.url), {
    pkceCodeVerifier: started.verifier,
    expectedState: started.state,
  });
  expect(tokens.claims()?.sub).toBe(`${second.tenantId}.${membership?.accountId}`);
});

it('tells the app when a person denies', async () => {
  const started = await startFlow(await registerApp(t));
  const back = new URL((await decide(member.browser, started, 'deny')).url);
  expect(back.origin).toBe('https://app.example');
  expect(Object.fromEntries(back.searchParams)).toMatchObject({
    ...{ error: 'access_denied', state: started.state, iss: `${baseUrl}/oauth` },
  });
});

it('shows people their own apps and admins all of them, and disconnects them', async () => {
  const other = await makeMember(t, tenant.tenantId);
  const app = await registerApp(t, { client_name: 'Listed' });
  const [mine, theirs] = [await connect(app, member), await connect(app, other)];
  const own = (await apps(mine.access_token)).filter(({ name }: { name: string }) => name === 'Listed');
  expect(own).toEqual([
    {
      ...{ appId: expect.stringMatching(/^[0-9a-f]{64}$/), name: 'Listed', clientId: app.clientMetadata().client_id },
      ...{
        backTo: 'app.example',
        scopes: ['READ', 'WRITE'],
        accountId: member.accountId,
        accountName: expect.any(String),
      },
      ...{ createdAt: expect.any(String), usedAt: expect.any(String), expiresAt: expect.any(String) },
    },
  ]);
  const all = (await apps()).filter(({ name }: { name: string }) => name === 'Listed');
  expect(all).toHaveLength(2);
  const theirApp = all.find(({ accountId }: { accountId: number }) => accountId === other.accountId);
  expect((await t.withToken(mine.access_token).delete(`/v2/connected-apps/${theirApp.appId}`)).status).toBe(404);
  expect((await t.withToken(theirs.access_token).get('/v2/lists')).status).toBe(200);
  expect((await tenant.delete(`/v2/connected-apps/${theirApp.appId}`)).status).toBe(200);
  expect((await t.withToken(theirs.access_token).get('/v2/lists')).status).toBe(401);
  await expect(client.refreshTokenGrant(app, theirs.refresh_token as string)).rejects.toMatchObject({
    error: 'invalid_grant',
  });
  expect((await t.withToken(mine.access_token).get('/v2/lists')).status).toBe(200);
});

it('lets people, viewers too, disconnect their apps on a page, but not those of others', async () => {
  const viewer = await makeMember(t, tenant.tenantId, 'viewer');
  const app = await registerApp(t, { client_name: 'Of a <viewer>' });
  const [tokens, others] = [await connect(app, viewer), await connect(app, member)];
  const page = await viewer.browser.get('/oauth/apps');
  expect(page.text.match(/<strong>Of a &lt;viewer&gt;<\/strong>/g)).toHaveLength(1);
  const fields = fieldsOf(page.text);
  const foreign = (await apps()).find(({ accountId }: { accountId: number }) => accountId === member.accountId);
  await viewer.browser.post('/oauth/apps', { ...fields, app: foreign.appId });
  expect((await t.withToken(others.access_token).get('/v2/lists')).status).toBe(200);
  expect((await viewer.browser.post('/oauth/apps', { ...fields, form: 'x' })).status).toBe(403);
  expect((await t.withToken(tokens.access_token).get('/v2/lists')).status).toBe(200);
  const done = await viewer.browser.post('/oauth/apps', fields);
  expect(done.text).toContain('You have no connected apps.');
  expect((await t.withToken(tokens.access_token).get('/v2/lists')).status).toBe(401);
  expect((await new Browser(t).get('/oauth/apps')).url).toContain('/oauth/sign-in?next=%2Foauth%2Fapps');
});

it('answers unknown paths below /oauth as everywhere', async () => {
  expect((await t.anonymous.get('/oauth/nothing')).body.errors[0].errorCode).toBe('NOT_FOUND');
  expect((await t.anonymous.get('/oauth/session/end')).status).toBe(404);
  const wrong = await t.anonymous.get('/oauth/token');
  expect([wrong.status, wrong.headers.allow]).toEqual([405, 'POST']);
});
