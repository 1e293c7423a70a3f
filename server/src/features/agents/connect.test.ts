// From a 401 to a call: the official client finds the way, and a person goes through the real pages.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import * as openid from 'openid-client';
import { beforeAll, expect, it } from 'vitest';
import { appFetch, call, connectAgent, post, toolCall } from '../../../test/agents.js';
import { type TenantClient, useApp } from '../../../test/app.js';
import {
  baseUrl,
  fieldsOf,
  type Member,
  makeMember,
  redeem,
  redirectUri,
  registerApp,
  startFlow,
} from '../../../test/oauth.js';

const t = useApp({ work: true });
const resource = `${baseUrl}/mcp`;
let tenant: TenantClient;
let member: Member;
beforeAll(async () => {
  tenant = await t.tenant();
  member = await makeMember(t, tenant.tenantId);
});

/** What an app keeps: the least that the official client asks for. */
class Keeper {
  asked: URL | undefined;
  private kept: Record<string, unknown> = {};
  readonly redirectUrl = redirectUri;
  readonly clientMetadata = {
    ...{ client_name: 'Assistant', redirect_uris: [redirectUri], token_endpoint_auth_method: 'none' },
    grant_types: ['authorization_code', 'refresh_token'],
  };
  clientInformation = () => this.kept.client as never;
  saveClientInformation = (client: unknown) => {
    this.kept.client = client;
  };
  tokens = () => this.kept.tokens as { access_token: string; scope?: string } | undefined;
  saveTokens = (tokens: unknown) => {
    this.kept.tokens = tokens;
  };
  redirectToAuthorization = (url: URL) => {
    this.asked = url;
  };
  saveCodeVerifier = (verifier: string) => {
    this.kept.verifier = verifier;
  };
  codeVerifier = () => this.kept.verifier as string;
}

const transportOf = (keeper: Keeper) =>
  new StreamableHTTPClientTransport(new URL(resource), { fetch: appFetch(t) as never, authProvider: keeper as never });

/** The app exchanges the code. The official client does so over TLS alone, which the app under test does not speak. */
async function finish(keeper: Keeper, back: URL): Promise<void> {
  const { client_id } = keeper.clientInformation() as { client_id: string };
  const response = await t.app.http.inject({
    ...{
      method: 'POST',
      url: '/oauth/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded', host: 'rapport.test' },
    },
    payload: new URLSearchParams({
      ...{ grant_type: 'authorization_code', code: back.searchParams.get('code') ?? '', redirect_uri: redirectUri },
      ...{ client_id, code_verifier: keeper.codeVerifier(), resource },
    }).toString(),
  });
  expect(response.statusCode, response.payload).toBe(200);
  keeper.saveTokens(response.json());
}

/** The person reads the page, ticks these besides what is ticked, and allows it. */
async function allow(url: URL, ticks: readonly string[] = []) {
  const page = await member.browser.get(url.href);
  expect(page.status, page.text).toBe(200);
  const more = Object.fromEntries(ticks.map((scope) => [`may-${scope}`, '1']));
  const back = await member.browser.post(page.url, { ...fieldsOf(page.text), ...more, decision: 'allow' });
  return { page: page.text, back: new URL(back.url) };
}

it('a client finds, registers, is allowed to read, and asks for more when it needs it', async () => {
  const keeper = new Keeper();
  const transport = transportOf(keeper);
  const client = new Client({ name: 'Assistant', version: '1' });
  await expect(client.connect(transport)).rejects.toThrow();
  const asked = keeper.asked as URL;
  expect(asked.searchParams.get('resource')).toBe(resource);
  expect(asked.searchParams.get('scope')?.split(' ')).toEqual(
    expect.arrayContaining(['read', 'people', 'write', 'send']),
  );
  const { page, back } = await allow(asked);
  for (const scope of ['read', 'people', 'write', 'send'])
    expect(page).toMatch(new RegExp(`name="may-${scope}"[^>]*>[^<]*<span><strong>[^<]+</strong> \\(${scope}\\): \\w`));
  expect(Object.keys(fieldsOf(page)).filter((name) => name.startsWith('may-'))).toEqual(['may-read']);
  expect(back.searchParams.get('iss')).toBe(`${baseUrl}/oauth`);
  await finish(keeper, back);
  expect(keeper.tokens()?.scope?.split(' ')).not.toContain('send');

  const connected = new Client({ name: 'Assistant', version: '1' });
  await connected.connect(transportOf(keeper));
  expect((await call(connected, 'list_journeys')).data.total).toBe(0);
  // Beyond its scopes: it is sent to the person again, and what it has is ticked.
  await expect(call(connected, 'save_list', { name: 'x', filter: {} })).rejects.toThrow();
  const again = await allow(keeper.asked as URL, ['write']);
  expect(fieldsOf(again.page)['may-read']).toBe('1');
  await finish(keeper, again.back);
  const token = keeper.tokens()?.access_token as string;
  const filter = { all: [{ property: 'plan', is: 'x' }] };
  expect((await call(await connectAgent(t, token), 'save_list', { name: 'Made', filter })).data.saved).toBe(true);
  const held = await member.browser.get((await flow(keeper.clientInformation())).href);
  expect(Object.keys(fieldsOf(held.text)).filter((name) => name.startsWith('may-'))).toEqual(['may-read', 'may-write']);

  // Bound to /mcp: it opens nothing else.
  expect((await t.withToken(token).get('/v2/lists')).status).toBe(401);
  expect((await t.withToken(token).get('/oauth/userinfo')).status).toBe(403);
});

async function flow({ client_id }: { client_id: string }): Promise<URL> {
  const { url } = await startFlow(await registerApp(t), { scope: 'read people write send', resource });
  url.searchParams.set('client_id', client_id);
  return url;
}

it('a token for the API does not work here, nor does that of a browser', async () => {
  const app = await registerApp(t);
  const started = await startFlow(app, { scope: 'READ WRITE' });
  const { back } = await allow(started.url);
  const tokens = await redeem(app, started, back.href);
  expect((await t.withToken(tokens.access_token).get('/v2/lists')).status).toBe(200);
  expect((await post(t, tokens.access_token, toolCall('search', { query: 'a' }))).statusCode).toBe(401);
});

it('a refresh for another resource is refused, and the refresh token stays good', async () => {
  const app = await registerApp(t, { scope: 'read people write send offline_access' });
  const started = await startFlow(app, { scope: 'read offline_access', resource, prompt: 'consent' });
  const tokens = await redeem(app, started, (await allow(started.url)).back.href);
  const refresh = (to: string) => openid.refreshTokenGrant(app, tokens.refresh_token as string, { resource: to });
  await expect(refresh(baseUrl)).rejects.toMatchObject({ error: 'invalid_target' });
  const fresh = await refresh(resource);
  expect((await post(t, fresh.access_token, toolCall('list_emails'))).statusCode).toBe(200);
});

it('registers an app with scopes, lets it ask for others later, and advertises iss and documents', async () => {
  const app = await registerApp(t, { scope: 'read offline_access' });
  expect(app.serverMetadata()).toMatchObject({
    ...{ authorization_response_iss_parameter_supported: true, client_id_metadata_document_supported: true },
    scopes_supported: expect.arrayContaining(['read', 'people', 'write', 'send', 'offline_access']),
  });
  const started = await startFlow(app, { scope: 'read send', resource });
  const tokens = await redeem(app, started, (await allow(started.url, ['send'])).back.href);
  expect(tokens.scope?.split(' ').sort()).toEqual(['read', 'send']);
});

it('offers a viewer only what reads, and gives no more', async () => {
  const viewer = await makeMember(t, tenant.tenantId, 'viewer');
  const app = await registerApp(t);
  const started = await startFlow(app, { scope: 'read people write send', resource });
  const page = await viewer.browser.get(started.url.href);
  expect(page.text).not.toContain('may-write');
  const fields = { ...fieldsOf(page.text), 'may-write': '1', 'may-send': '1', decision: 'allow' };
  const tokens = await redeem(app, started, (await viewer.browser.post(page.url, fields)).url);
  expect(tokens.scope).toBe('read');
  const refused = await post(t, tokens.access_token, toolCall('plan', {}));
  expect(refused.headers['www-authenticate']).toContain('scope="send"');
});
