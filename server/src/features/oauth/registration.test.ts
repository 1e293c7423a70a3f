import type * as client from 'openid-client';
import { beforeAll, describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../test/app.js';
import * as oauth from '../../../test/oauth.js';
import { sql } from '../../db/sql.js';

const { baseUrl, decide, makeMember, redeem, redirectUri, startFlow } = oauth;
const t = useApp();
const otherUri = 'https://app.example/other';
let tenant: TenantClient;
let member: oauth.Member;
let app: client.Configuration;
beforeAll(async () => {
  tenant = await t.tenant();
  member = await makeMember(t, tenant.tenantId);
  app = await oauth.registerApp(t, { redirect_uris: [redirectUri, otherUri] });
});

it('stores no token, code or secret in plain text', async () => {
  const started = await startFlow(app);
  const { url } = await decide(member.browser, started);
  const tokens = await redeem(app, started, url);
  const stored = JSON.stringify([
    await t.db.rows(sql`select r::text from oauth_record r`),
    await t.db.rows(sql`select a::text from access_token a`),
  ]);
  for (const secret of [tokens.access_token, tokens.refresh_token, new URL(url).searchParams.get('code')])
    expect(stored).not.toContain(secret);
});

it('uses its configured address, whatever host or proxy the request names', async () => {
  const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'gopher' };
  for (const path of ['/oauth/.well-known/openid-configuration', '/.well-known/oauth-authorization-server/oauth']) {
    const { body } = await t.anonymous.get(path, headers);
    expect(body).toMatchObject({ issuer: `${baseUrl}/oauth`, token_endpoint: `${baseUrl}/oauth/token` });
    expect(JSON.stringify(body)).not.toContain('evil');
  }
});

describe('registration', () => {
  const register = async (metadata: object, address = '198.51.100.7') => {
    const response = await t.app.http.inject({
      ...{ method: 'POST', url: '/oauth/register', remoteAddress: address },
      payload: metadata,
    });
    return { status: response.statusCode, body: response.json(), headers: response.headers };
  };

  it.each([
    ['no address', []],
    ['a script', ['javascript:alert(1)']],
    ['plain http', ['http://app.example/back']],
    ['a fragment', ['https://app.example/back#here']],
    ['a user', ['https://user@app.example/back']],
    ['a wildcard', ['https://*.app.example/back']],
    ['one bad among good ones', ['https://app.example/back', 'data:text/html,x']],
    ['too many', Array.from({ length: 21 }, (_, n) => `https://app.example/${n}`)],
    ['no text', [17]],
  ])('refuses redirects with %s', async (name, redirect_uris) => {
    const reply = await register({ redirect_uris }, `198.51.100.${name.length}`);
    expect(reply.status).toBe(400);
    expect(reply.body.error).toMatch(/^invalid_(redirect_uri|client_metadata)$/);
  });

  it('refuses what is too long', async () => {
    const named = await register({ redirect_uris: [redirectUri], client_name: 'x'.repeat(101) });
    expect(named.body).toMatchObject({ error: 'invalid_client_metadata' });
    const huge = await register({ redirect_uris: [redirectUri], software_version: 'x'.repeat(60_000) });
    expect(huge.status).toBe(400);
  });

  it('takes 20 an hour from one network, and then says when to come back', async () => {
    const statuses = [];
    for (let n = 0; n < 21; n++)
      statuses.push((await register({ redirect_uris: [redirectUri] }, '203.0.113.9')).status);
    expect(statuses).toEqual([...Array(20).fill(201), 429]);
    const refused = await register({ redirect_uris: [redirectUri] }, '203.0.113.9');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await register({ redirect_uris: [redirectUri] }, '203.0.113.10')).status).toBe(201);
  });
});
