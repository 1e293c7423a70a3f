// How much strangers can make us store, and what a failed request does not use up.
import * as client from 'openid-client';
import { beforeAll, describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../test/app.js';
import * as oauth from '../../../test/oauth.js';
import { sql } from '../../db/sql.js';
import { evictInteractions } from './queries.js';

const { connect, decide, makeMember, startFlow } = oauth;
const t = useApp();
let tenant: TenantClient;
let member: oauth.Member;
let app: client.Configuration;
beforeAll(async () => {
  tenant = await t.tenant();
  member = await makeMember(t, tenant.tenantId);
  app = await oauth.registerApp(t);
});

const interactions = async () => (await t.db.rows(sql`select from oauth_record where kind = 'Interaction'`)).length;

describe('an authorization', () => {
  it('is refused if its address is longer than 4 KB, and nothing of it is stored', async () => {
    const before = await interactions();
    for (const size of [4096, 40_000]) {
      const { url } = await startFlow(app, { state: 'x'.repeat(size) });
      const page = await new oauth.Browser(t).get(url.href);
      expect([page.status, page.text.includes('too long')]).toEqual([414, true]);
    }
    expect(await interactions()).toBe(before);
    const { url } = await startFlow(app, { state: 'x'.repeat(3000) });
    expect((await new oauth.Browser(t).get(url.href)).status).toBe(200);
    expect(await interactions()).toBe(before + 1);
    const row = await t.db.row(sql<{ bytes: number }>`
      select max(octet_length(payload::text)) as bytes from oauth_record where kind = 'Interaction'`);
    expect(row?.bytes).toBeLessThan(8192);
  });

  it('is one of a limited number; the oldest go first, and the newest can be finished', async () => {
    const started = await startFlow(app);
    await startFlow(app);
    for (let i = 0; i < 3; i++) await new oauth.Browser(t).get((await startFlow(app)).url.href);
    const page = await member.browser.get(started.url.href);
    expect(page.status).toBe(200);
    await evictInteractions(t.db, 1);
    expect(await interactions()).toBe(1);
    const back = await member.browser.post(page.url, { ...oauth.fieldsOf(page.text), decision: 'allow' });
    expect(new URL(back.url).searchParams.get('code')).toMatch(/./);
  });
});

it('a refresh for another resource is refused and uses nothing up', async () => {
  const tokens = await connect(app, member);
  const { refresh_token = '' } = tokens;
  for (const resource of ['https://elsewhere.example', 'http://rapport.test/other', 'nonsense'])
    await expect(client.refreshTokenGrant(app, refresh_token, { resource })).rejects.toMatchObject({
      error: expect.stringMatching(/invalid_target|invalid_request/),
    });
  const fresh = await client.refreshTokenGrant(app, refresh_token, { resource: 'http://rapport.test' });
  expect((await t.withToken(fresh.access_token).get('/v2/lists')).status).toBe(200);
});

it('an answer by form_post has a policy that lets its own script run and nothing else', async () => {
  const started = await startFlow(app, { response_mode: 'form_post' });
  const page = await decide(member.browser, started);
  expect([page.status, page.text.includes('Submitting Callback')]).toEqual([200, true]);
  const policy = String(page.headers['content-security-policy']);
  expect(policy).toMatch(/default-src 'none'/);
  expect(policy).toMatch(/script-src 'sha256-[\w+/]{43}='/);
  expect(policy).toMatch(/frame-ancestors 'none'/);
  expect(policy).not.toMatch(/unsafe|\*/);
  expect(page.headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'x-content-type-options': 'nosniff' });
  expect(String(page.headers['cache-control'])).toContain('no-store');
});
