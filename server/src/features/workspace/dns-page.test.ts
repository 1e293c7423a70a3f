// A link shows the DNS records of one domain to everyone who has it, until it ends.
import { expect, it } from 'vitest';
import { useApp } from '../../../test/app.js';
import { makeTeam } from '../../../test/team.js';
import { sql } from '../../db/sql.js';
import { zoneOf } from './dns-page.js';

const t = useApp();
const path = '/v2/workspace/sending-domains';

async function makeShared() {
  const { admin, member, tenantId } = await makeTeam(t);
  for (const domain of ['acme.example', 'secret.example'])
    expect((await admin.post(path, { domain })).status).toBe(200);
  const share = async () => (await admin.post(`${path}/acme.example/share`)).body.data;
  const open = (url: string) => t.anonymous.get(new URL(url).pathname);
  const shared = async () => (await admin.get(path)).body.data[0].sharedUntil;
  return { admin, member, tenantId, share, open, shared, link: await share() };
}

it('shows the records of its domain and nothing else, without a sign-in', async () => {
  const { link, open, shared } = await makeShared();
  expect(link.url).toMatch(/^http:\/\/rapport.test\/dns\/\d+\.[\w-]{43}$/);
  const page = await open(link.url);
  expect(page.status).toBe(200);
  for (const text of ['acme.example', '_domainkey.acme.example', 'v=spf1', '_dmarc.acme.example'])
    expect(page.text).toContain(text);
  expect(page.text).not.toContain('secret.example');
  const key = /<textarea id="dkim-value" rows="(\d+)" readonly>([^<]+)</.exec(page.text);
  expect(Number(key?.[1]) * 28).toBeGreaterThanOrEqual(key?.[2]?.length ?? Infinity);
  expect(page.text).not.toMatch(/<script|<form|<a /);
  expect(page.headers).toMatchObject({
    ...{ 'x-robots-tag': 'noindex', 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
    'content-security-policy': expect.stringContaining("default-src 'none'"),
  });
  expect(await shared()).toBe(link.expiresAt);
  expect(Date.parse(link.expiresAt) - Date.now()).toBeGreaterThan(29 * 86_400_000);
});

it('ends when a new one is made, when it is ended, when it expires, and with its domain', async () => {
  const { link, open, share, admin, tenantId, shared } = await makeShared();
  const second = await share();
  expect((await open(link.url)).status).toBe(404);
  expect((await open(second.url)).status).toBe(200);
  expect((await admin.delete(`${path}/acme.example/share`)).body.data).toEqual({ success: true });
  expect((await open(second.url)).status).toBe(404);
  expect((await admin.delete(`${path}/acme.example/share`)).status).toBe(404);
  expect(await shared()).toBeNull();
  const third = await share();
  await t.db.run(sql`update sending_domain set share_expires_at = now() where tenant_id = ${tenantId}`);
  expect((await open(third.url)).text).toContain('This link no longer works');
  expect(await shared()).toBeNull();
  const fourth = await share();
  await admin.delete(`${path}/acme.example`);
  expect((await open(fourth.url)).status).toBe(404);
  const { data } = (await admin.get('/v2/audit-log?pageSize=200')).body;
  const actions = data.map(({ action }: { action: string }) => action);
  expect(actions.filter((action: string) => action === 'sending-domain.shared')).toHaveLength(4);
  expect(actions).toContain('sending-domain.unshared');
  expect(JSON.stringify(data)).not.toContain(fourth.url.split('.').at(-1));
});

it('cannot be guessed, nor used for another workspace', async () => {
  const { link, open, tenantId } = await makeShared();
  const token = link.url.split('.').at(-1);
  const other = await makeShared();
  for (const part of [`${other.tenantId}.${token}`, `${tenantId}.${'x'.repeat(43)}`, token, `0.${token}`, 'x', '%00'])
    expect((await open(`http://rapport.test/dns/${part}`)).status).toBe(404);
});

it('is made by admins alone', async () => {
  const { member } = await makeShared();
  expect((await member.post(`${path}/acme.example/share`)).status).toBe(403);
  expect((await member.delete(`${path}/acme.example/share`)).status).toBe(403);
});

it('splits long texts into the strings of a zone file, and leaves out what must not be published', () => {
  const entry = { purpose: 'dkim' as const, state: 'unknown' as const, detail: '' };
  const zone = zoneOf([
    { ...entry, type: 'TXT', name: 'k.acme.example', value: `v="${'x'.repeat(300)}` },
    { ...entry, type: 'CNAME', name: 'links.acme.example', value: 'rapport.example' },
    { ...entry, type: 'CNAME', name: 'b.acme.example', value: 'x.invalid', detail: 'Do not publish this yet: …' },
  ]);
  expect(zone.split('\n')).toEqual([
    `k.acme.example. 3600 IN TXT "v=\\"${'x'.repeat(252)}" "${'x'.repeat(48)}"`,
    'links.acme.example. 3600 IN CNAME rapport.example.',
  ]);
});
