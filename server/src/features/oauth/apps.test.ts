// How apps introduce themselves, from where they may call, and when they are forgotten.
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import * as client from 'openid-client';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { adminToken, challenge, type TestApp, useApp } from '../../../test/app.js';
import {
  baseUrl,
  connect,
  decide,
  knownApp,
  type Member,
  makeMember,
  redeem,
  registerApp,
  signIn,
  startFlow,
} from '../../../test/oauth.js';
import { certificate, privateKey } from '../../../test/sns-certificate.js';
import { type App, buildApp } from '../../app.js';
import { sql } from '../../db/sql.js';
import { randomBytes } from '../../lib/random.js';
import { SecretBox } from '../../lib/secret-box.js';
import { sweepClients, sweepExpired, sweepGrants } from './queries.js';

const shared = {
  ...{ adminToken, baseUrl: () => baseUrl, log: pino({ level: 'silent' }), webhooks: { allowPrivate: true } },
};
const box = new SecretBox(randomBytes(32));
const t = useApp({ ...shared, box });
let member: Member;
let document: object | string = {};
const website = createServer({ cert: certificate, key: privateKey }, (_request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(typeof document === 'string' ? document : JSON.stringify(document));
});
const strict = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
beforeAll(async () => {
  member = await makeMember(t, (await t.tenant()).tenantId);
  await new Promise<void>((resolve) => website.listen(0, '127.0.0.1', resolve));
  // The website's certificate is its own.
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
});
afterAll(() => {
  website.close();
  if (strict === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  else process.env.NODE_TLS_REJECT_UNAUTHORIZED = strict;
});

const idAt = (path: string) => `https://127.0.0.1:${(website.address() as AddressInfo).port}${path}`;

it('knows an app by the document at its client id, without registration', async () => {
  const client_id = idAt('/app.json');
  document = {
    ...{ client_id, client_name: 'Documented', redirect_uris: ['http://127.0.0.1/back'] },
    ...{ grant_types: ['authorization_code', 'refresh_token'], token_endpoint_auth_method: 'none' },
  };
  const app = await knownApp(t, client_id);
  // The port of the loopback is known only when the app runs.
  const started = await startFlow(app, { redirect_uri: 'http://127.0.0.1:51234/back' });
  const page = await member.browser.get(started.url.href);
  expect(page.text).toContain(`It is published by <strong>${new URL(client_id).host}</strong>`);
  const tokens = await redeem(app, started, (await decide(member.browser, started)).url);
  const fresh = await client.refreshTokenGrant(app, tokens.refresh_token as string);
  const { body } = await t.withToken(fresh.access_token).get('/v2/connected-apps');
  expect(body.data).toMatchObject([{ name: 'Documented', clientId: client_id, backTo: '127.0.0.1:51234' }]);
});

it('shows its page on a node that has not read the document yet', async () => {
  const client_id = idAt('/nodes.json');
  const published = {
    ...{ client_id, client_name: 'Everywhere', redirect_uris: ['https://app.example/back'] },
    token_endpoint_auth_method: 'none',
  };
  document = published;
  const nodes = [0, 1].map(() => buildApp({ ...shared, db: t.db, box }));
  let [node] = nodes as [App];
  const behindProxy: TestApp = Object.create(t, { app: { get: () => node } });
  const browser = await signIn(behindProxy, member);
  const { url } = await browser.get((await startFlow(await knownApp(t, client_id))).url.href);
  node = nodes[1] as App;
  document = 'gone';
  expect([(await browser.get(url)).status, (await browser.get(url)).text]).toEqual([
    400,
    expect.stringContaining('This request has expired'),
  ]);
  document = published;
  expect((await browser.get(url)).text).toContain('Connect Everywhere?');
  await Promise.all(nodes.map((each) => each.close()));
});

it.each([
  ['names another id', { client_id: 'https://other.example/' }],
  ['has a secret', { client_secret: 'x'.repeat(40) }],
  ['sends people to another machine by http', { redirect_uris: ['http://other.example/back'] }],
  ['is larger than 64 KB', { padding: 'x'.repeat(70_000) }],
])('refuses a document that %s', async (what, wrong) => {
  const client_id = idAt(`/${what.length}.json`);
  document = {
    ...{ client_id, redirect_uris: ['https://app.example/back'], token_endpoint_auth_method: 'none', ...wrong },
  };
  const { url } = await startFlow(await knownApp(t, client_id));
  const page = await member.browser.get(url.href);
  expect([page.status, new URL(page.url).origin]).toEqual([400, baseUrl]);
});

it('says with a 401 where tokens are issued', async () => {
  const refused = await t.anonymous.get('/v2/lists');
  expect(refused.headers['www-authenticate']).toBe(challenge);
  const path = new URL(/"(.*)"/.exec(challenge)?.[1] as string).pathname;
  const told = await t.anonymous.get(path, { origin: 'https://app.example' });
  expect(told.headers['access-control-allow-origin']).toBe('*');
  expect(told.body).toEqual({
    ...{ resource: baseUrl, authorization_servers: [`${baseUrl}/oauth`], scopes_supported: ['READ', 'WRITE'] },
    ...{ bearer_methods_supported: ['header'], resource_name: 'Rapport' },
  });
});

it('lets pages of an app call what they need, from where the app is, and nothing else', async () => {
  const origin = 'https://app.example';
  const asks = (path: string) =>
    t.app.http.inject({ method: 'OPTIONS', url: path, headers: { origin, 'access-control-request-method': 'POST' } });
  const open = [
    '/oauth/token',
    '/oauth/revoke',
    '/oauth/register',
    '/oauth/jwks',
    '/oauth/.well-known/openid-configuration',
  ];
  for (const path of open)
    expect((await asks(path)).headers['access-control-allow-origin']).toMatch(/^(\*|https:\/\/app.example)$/);
  for (const path of ['/oauth/authorize', '/oauth/introspect', '/oauth/consent/x', '/v2/lists'])
    expect((await asks(path)).headers['access-control-allow-origin']).toBeUndefined();

  const app = await registerApp(t);
  const { refresh_token = '' } = await connect(app, member);
  const refresh = (from: string) =>
    t.app.http.inject({
      ...{ method: 'POST', url: '/oauth/token' },
      headers: { origin: from, 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({
        ...{ grant_type: 'refresh_token', refresh_token, client_id: app.clientMetadata().client_id },
      }).toString(),
    });
  const elsewhere = await refresh('https://evil.example');
  expect([elsewhere.statusCode, elsewhere.headers['access-control-allow-origin']]).toEqual([400, undefined]);
  const here = await refresh(origin);
  expect([here.statusCode, here.headers['access-control-allow-origin']]).toEqual([200, origin]);
});

it('forgets apps that were not allowed for 30 days, and what expired', async () => {
  const [used, unused, young] = [await registerApp(t), await registerApp(t), await registerApp(t)];
  const tokens = await connect(used, member);
  const idOf = (app: client.Configuration) => app.clientMetadata().client_id;
  await t.db.run(sql`
    update oauth_record set created_at = created_at - interval '31 days'
    where kind = 'Client' and client_id = any(${[idOf(used), idOf(unused)]}::text[])`);
  await sweepClients(t.db, 30, 1000);
  const left = await t.db.rows(sql<{ id: string }>`select client_id as id from oauth_record where kind = 'Client'`);
  expect(left.map(({ id }) => id)).toEqual(expect.arrayContaining([idOf(used), idOf(young)]));
  expect(left.map(({ id }) => id)).not.toContain(idOf(unused));

  // A grant lives as long as any of its tokens can be used: here only a refresh token.
  await t.db.run(sql`update access_token set expires_at = now() - interval '1 day' where kind = 'app'`);
  await t.db.run(sql`update oauth_record set created_at = created_at - interval '2 hours' where kind = 'Grant'`);
  await sweepGrants(t.db.background, 1000);
  await client.refreshTokenGrant(used, tokens.refresh_token as string);
  await t.db.run(
    sql`update oauth_record set expires_at = now() - interval '1 day' where kind <> 'Grant' and expires_at is not null`,
  );
  await t.db.run(sql`update access_token set expires_at = now() - interval '1 day' where kind = 'app'`);
  await sweepExpired(t.db, 1000);
  await sweepGrants(t.db.background, 1000);
  expect(await t.db.rows(sql`select kind from oauth_record where kind <> 'Client'`)).toEqual([]);
});
