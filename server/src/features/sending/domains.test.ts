import { createPublicKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Reply, useApp } from '../../../test/app.js';
import { type TestDns, useDns } from '../../../test/dns.js';
import { randomBytes } from '../../lib/random.js';
import { SecretBox } from '../../lib/secret-box.js';
import { giveKeys } from './domain-keys.js';
import { findSigners, insertSendingDomain } from './index.js';

const dns = useDns();
const box = new SecretBox(randomBytes(32));
const t = useApp(() => ({ box, dnsServers: [dns.address], mailHost: 'mail.rapport.test' }));

async function newTenant(): Promise<number> {
  return (await t.admin.post('/admin/tenants', { name: 'Acme' })).body.data.tenantId;
}

function expectFailure(reply: Reply, status: number, errorCode: string, detail?: string): void {
  expect(reply.status).toBe(status);
  expect(reply.body).toMatchObject({ data: null, meta: { status: 'FAILURE' } });
  expect(reply.body.errors[0].errorCode).toBe(errorCode);
  if (detail) expect(reply.body.errors[0].detail).toBe(detail);
}

interface Shown {
  purpose: string;
  type: 'TXT' | 'CNAME' | 'A' | 'AAAA';
  name: string;
  value: string;
  state: string;
  detail: string;
}

function publish(to: TestDns, records: Shown[], ...purposes: string[]): void {
  for (const { purpose, type, name, value } of records)
    if (purposes.length === 0 || purposes.includes(purpose)) to.set(type, name, value);
}

const statesOf = (records: Shown[]) => Object.fromEntries(records.map(({ purpose, state }) => [purpose, state]));
const detailOf = (records: Shown[], purpose: string) => records.find((record) => record.purpose === purpose)?.detail;

describe('sending domains', () => {
  it('are added once however often, listed by name and removed', async () => {
    const path = `/admin/tenants/${await newTenant()}/sending-domains`;
    expect((await t.admin.post(path, { domain: ' Mail.Example.COM ' })).body.data).toMatchObject({
      domain: 'mail.example.com',
    });
    expect((await t.admin.post(path, { domain: 'mail.example.com' })).status).toBe(200);
    await t.admin.post(path, { domain: 'example.com' });
    const { data, pagination } = (await t.admin.get(path)).body;
    expect(data).toMatchObject([{ domain: 'example.com' }, { domain: 'mail.example.com' }]);
    expect(pagination.totalElements).toBe(2);
    const removed = await t.admin.delete(`${path}/MAIL.example.com`);
    expect(removed.body.data).toEqual({ domain: 'mail.example.com', success: true });
    expectFailure(await t.admin.delete(`${path}/mail.example.com`), 404, 'NOT_FOUND');
    expect((await t.admin.get(path)).body.data).toMatchObject([{ domain: 'example.com' }]);
  });

  it('belong to one tenant', async () => {
    const [one, two] = [await newTenant(), await newTenant()];
    await t.admin.post(`/admin/tenants/${one}/sending-domains`, { domain: 'example.com' });
    expect((await t.admin.get(`/admin/tenants/${two}/sending-domains`)).body.data).toEqual([]);
    expectFailure(await t.admin.delete(`/admin/tenants/${two}/sending-domains/example.com`), 404, 'NOT_FOUND');
    expect((await t.admin.post(`/admin/tenants/${two}/sending-domains`, { domain: 'example.com' })).status).toBe(200);
  });

  it.each([
    'localhost',
    'a.b.c.example.co',
    'xn--bcher-kva.example',
    'under_score.example.com',
    '1.example',
    `${'a'.repeat(63)}.com`,
  ])('may be %s', async (domain) => {
    expect(
      (await t.admin.post(`/admin/tenants/${await newTenant()}/sending-domains`, { domain })).body.data,
    ).toMatchObject({
      domain,
    });
  });

  it.each([
    '',
    ' ',
    'exa mple.com',
    'user@example.com',
    'https://example.com',
    'example.com/',
    'example.com.',
    '.example.com',
    'a..b',
    '-a.com',
    'a-.com',
    '*.example.com',
    'bücher.example',
    `${'a'.repeat(64)}.com`,
    `${'a.'.repeat(130)}com`,
    'a\u0000b',
    null,
    7,
  ])('may not be %j', async (domain) => {
    const reply = await t.admin.post(`/admin/tenants/${await newTenant()}/sending-domains`, { domain });
    expectFailure(reply, 400, 'VALIDATION_ERROR', 'domain');
  });

  it.each(['%00', '%ff', 'x'.repeat(300), '%20'])('are not there by the name %s', async (name) => {
    expectFailure(
      await t.admin.delete(`/admin/tenants/${await newTenant()}/sending-domains/${name}`),
      404,
      'NOT_FOUND',
    );
  });
});

describe('approving a domain', () => {
  it('answers what to publish: a 2048-bit DKIM key, SPF, DMARC, return path and tracking', async () => {
    const { data } = (
      await t.admin.post(`/admin/tenants/${await newTenant()}/sending-domains`, { domain: 'example.com' })
    ).body;
    expect(data).toEqual({ domain: 'example.com', status: 'unverified', records: expect.any(Array) });
    const wanted = (purpose: string, type: string, name: unknown, value: unknown) => {
      return { purpose, type, name, value, state: 'unknown', detail: expect.stringContaining('Not looked up yet') };
    };
    expect(data.records).toEqual([
      wanted(
        'dkim',
        'TXT',
        expect.stringMatching(/^rapport-[0-9a-f]{8}\._domainkey\.example\.com$/),
        expect.any(String),
      ),
      wanted('spf', 'TXT', 'example.com', 'v=spf1 include:mail.rapport.test ~all'),
      wanted('dmarc', 'TXT', '_dmarc.example.com', 'v=DMARC1; p=none'),
      wanted('return-path', 'CNAME', 'bounces.example.com', 'mail.rapport.test'),
      wanted('tracking', 'CNAME', 'links.example.com', 'rapport.test'),
    ]);
    const [, key] = /^v=DKIM1; k=rsa; p=(\S+)$/.exec(data.records[0].value) ?? [];
    const parsed = createPublicKey({ key: Buffer.from(key ?? '', 'base64'), format: 'der', type: 'spki' });
    expect(parsed).toMatchObject({ asymmetricKeyType: 'rsa', asymmetricKeyDetails: { modulusLength: 2048 } });
  });

  it('again, or twice at once, keeps the key', async () => {
    const path = `/admin/tenants/${await newTenant()}/sending-domains`;
    const both = await Promise.all([1, 2].map(() => t.admin.post(path, { domain: 'example.com' })));
    const again = await t.admin.post(path, { domain: 'example.com' });
    const [listed] = (await t.admin.get(path)).body.data;
    for (const { body } of [...both, again]) expect(body.data).toEqual(listed);
  });

  it('after it was withdrawn makes another key, under another name', async () => {
    const path = `/admin/tenants/${await newTenant()}/sending-domains`;
    const before = (await t.admin.post(path, { domain: 'example.com' })).body.data.records[0];
    await t.admin.delete(`${path}/example.com`);
    const after = (await t.admin.post(path, { domain: 'example.com' })).body.data.records[0];
    expect(after.name).not.toBe(before.name);
    expect(after.value).not.toBe(before.value);
  });

  it('gives a domain of an older build its key by the chore, once', async () => {
    const tenantId = await newTenant();
    await insertSendingDomain(t.db, tenantId, 'old.example');
    const list = async () => (await t.admin.get(`/admin/tenants/${tenantId}/sending-domains`)).body.data[0].records;
    expect((await list()).map(({ purpose }: Shown) => purpose)).toEqual(['spf', 'dmarc', 'return-path', 'tracking']);
    expect(await findSigners(t.db, box, tenantId, ['old.example'])).toEqual(new Map());
    await giveKeys(t.db, box, 100);
    const made = await list();
    expect(made[0].purpose).toBe('dkim');
    expect(await giveKeys(t.db, box, 100)).toBe(0);
    expect(await list()).toEqual(made);
    expect((await findSigners(t.db, box, tenantId, ['old.example'])).size).toBe(1);
  });
});

describe('checking a domain', () => {
  async function approved(domain = 'example.com') {
    dns.clear();
    const tenantId = await newTenant();
    const path = `/admin/tenants/${tenantId}/sending-domains`;
    const { records } = (await t.admin.post(path, { domain })).body.data;
    const check = async () => {
      const { status, body } = await t.admin.post(`${path}/${domain}/check`);
      expect(status).toBe(200);
      return body.data as { status: string; records: Shown[] };
    };
    const signer = async () => (await findSigners(t.db, box, tenantId, [domain])).get(domain);
    return { tenantId, path, records: records as Shown[], check, signer };
  }

  it('finds what was published as it was told, and keeps that', async () => {
    const { path, records, check, signer } = await approved();
    publish(dns, records);
    dns.set('TXT', 'mail.rapport.test', 'v=spf1 ip4:192.0.2.1 -all');
    const checked = await check();
    expect(statesOf(checked.records)).toEqual({
      ...{ dkim: 'found', spf: 'found', dmarc: 'found', 'return-path': 'found', tracking: 'found' },
    });
    expect(checked.status).toBe('verified');
    expect((await t.admin.get(path)).body.data).toEqual([checked]);
    expect((await t.admin.post(path, { domain: 'example.com' })).body.data).toEqual(checked);
    expect(await signer()).toMatchObject({
      isVerified: true,
      returnPathDomain: 'bounces.example.com',
      trackingDomain: 'links.example.com',
    });
  });

  it('says of each record that is missing what to publish', async () => {
    const { check, signer } = await approved();
    const { status, records } = await check();
    expect(status).toBe('unverified');
    for (const { state, detail } of records) {
      expect(state).toBe('missing');
      expect(detail).toMatch(/Publish/);
    }
    expect(await signer()).toMatchObject({ isVerified: false, returnPathDomain: null, trackingDomain: null });
  });

  it.each([
    [['dkim', 'spf'], 'verified'],
    [['dkim', 'return-path'], 'verified'],
    [['dkim'], 'unverified'],
    [['spf', 'return-path', 'dmarc', 'tracking'], 'unverified'],
  ])('with %j alone leaves it %s', async (purposes, status) => {
    const { records, check } = await approved();
    publish(dns, records, ...purposes);
    expect((await check()).status).toBe(status);
  });

  it('sees a key that is not ours, two SPF records and an alias that leads elsewhere', async () => {
    const { records, check } = await approved();
    publish(dns, records);
    dns.set('TXT', records[0]?.name ?? '', 'v=DKIM1; p=c29tZXRoaW5n');
    dns.set('TXT', 'example.com', 'v=spf1 include:mail.rapport.test ~all', 'v=spf1 -all');
    dns.set('CNAME', 'bounces.example.com', 'elsewhere.test');
    const checked = await check();
    expect(statesOf(checked.records)).toMatchObject({ dkim: 'wrong', spf: 'wrong', 'return-path': 'wrong' });
    expect(detailOf(checked.records, 'dkim')).toContain('another key');
    expect(detailOf(checked.records, 'spf')).toContain('There are 2 SPF records');
    expect(detailOf(checked.records, 'return-path')).toContain('elsewhere.test');
  });

  it('finds the policy of the organization', async () => {
    const { check } = await approved('news.shop.example.com');
    dns.set('TXT', '_dmarc.example.com', 'v=DMARC1; p=reject; sp=quarantine');
    const { records } = await check();
    expect(statesOf(records).dmarc).toBe('found');
    expect(detailOf(records, 'dmarc')).toContain('The policy of example.com holds here too. It is quarantine.');
    expect(detailOf(records, 'dmarc')).toContain('may be refused');
  });

  it('takes a verdict back when a record is gone', async () => {
    const { records, check } = await approved();
    publish(dns, records);
    expect((await check()).status).toBe('verified');
    dns.clear();
    expect((await check()).status).toBe('unverified');
  });

  it.each(['silent', 'servfail', 'refused'] as const)(
    'learns nothing from a DNS server that is %s, and takes nothing away',
    async (mood) => {
      const { records, check, signer } = await approved();
      dns.mood = mood;
      const first = await check();
      expect(new Set(first.records.map(({ state }) => state))).toEqual(new Set(['unknown']));
      expect(first.status).toBe('unverified');
      dns.mood = 'fine';
      publish(dns, records);
      expect((await check()).status).toBe('verified');
      dns.mood = mood;
      const last = await check();
      expect(new Set(last.records.map(({ state }) => state))).toEqual(new Set(['unknown']));
      expect(last.status).toBe('verified');
      expect(await signer()).toMatchObject({ isVerified: true, returnPathDomain: 'bounces.example.com' });
    },
  );

  it('tells the one name that is not answered from the others', async () => {
    const { records, check } = await approved();
    publish(dns, records);
    dns.moods.set('example.com', 'servfail');
    const checked = await check();
    expect(statesOf(checked.records)).toMatchObject({ dkim: 'found', spf: 'unknown', 'return-path': 'found' });
    expect(checked.status).toBe('verified');
  });

  it('ends although one silent name after the other is to be asked', async () => {
    const { records, check } = await approved();
    publish(dns, records);
    const silent = Array.from({ length: 8 }, (_, i) => `s${i}.example`);
    for (const name of silent) dns.moods.set(name, 'silent');
    const includes = ['mail.rapport.test', ...silent].map((name) => `include:${name}`);
    dns.set('TXT', 'example.com', `v=spf1 ${includes.join(' ')} ~all`);
    expect(statesOf((await check()).records)).toMatchObject({ dkim: 'found', spf: 'found' });
    expect(dns.asked).toContain('s0.example');
    expect(dns.asked).not.toContain('s7.example');
  });

  it('gives a domain of an older build its key', async () => {
    const tenantId = await newTenant();
    await insertSendingDomain(t.db, tenantId, 'old.example');
    const { body } = await t.admin.post(`/admin/tenants/${tenantId}/sending-domains/OLD.example/check`);
    expect(body.data.records[0]).toMatchObject({ purpose: 'dkim', state: 'missing' });
  });

  it('is for approved domains', async () => {
    const path = `/admin/tenants/${await newTenant()}/sending-domains`;
    for (const name of ['example.com', '%00', '%ff', 'x'.repeat(300)])
      expectFailure(await t.admin.post(`${path}/${name}/check`), 404, 'NOT_FOUND');
    expectFailure(await t.admin.post('/admin/tenants/999999/sending-domains/example.com/check'), 404, 'NOT_FOUND');
  });
});
