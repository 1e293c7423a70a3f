import { describe, expect, it } from 'vitest';
import { useApp } from '../../../test/app.js';
import { type TestDns, useDns } from '../../../test/dns.js';
import { expectFailure, type Shown, x } from '../../../test/sending-domains.js';
import { randomBytes } from '../../lib/random.js';
import { SecretBox } from '../../lib/secret-box.js';
import { findSigners, insertSendingDomain } from './index.js';

const dns = useDns();
const box = new SecretBox(randomBytes(32));
const t = useApp(() => ({ box, dnsServers: [dns.address], mailHost: 'mail.rapport.test' }));

function publish(to: TestDns, records: Shown[], ...purposes: string[]): void {
  for (const { purpose, type, name, value } of records)
    if (purposes.length === 0 || purposes.includes(purpose)) to.set(type, name, value);
}

const statesOf = (records: Shown[]) => Object.fromEntries(records.map(({ purpose, state }) => [purpose, state]));
const detailOf = (records: Shown[], purpose: string) => records.find((record) => record.purpose === purpose)?.detail;

const { newTenant } = x(t);

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

  it('finds what was published as asked, and keeps the result', async () => {
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

  it('says what to publish for each missing record', async () => {
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
    expect(detailOf(checked.records, 'dkim')).toContain('different key');
    expect(detailOf(checked.records, 'spf')).toContain('There are 2 SPF records');
    expect(detailOf(checked.records, 'return-path')).toContain('elsewhere.test');
  });

  it('finds the policy of the organization', async () => {
    const { check } = await approved('news.shop.example.com');
    dns.set('TXT', '_dmarc.example.com', 'v=DMARC1; p=reject; sp=quarantine');
    const { records } = await check();
    expect(statesOf(records).dmarc).toBe('found');
    expect(detailOf(records, 'dmarc')).toContain('The policy of example.com applies here too. It is quarantine.');
    expect(detailOf(records, 'dmarc')).toContain('may be refused');
  });

  it('withdraws a verdict when a record is gone', async () => {
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

  it('reports only the one name that gets no answer', async () => {
    const { records, check } = await approved();
    publish(dns, records);
    dns.moods.set('example.com', 'servfail');
    const checked = await check();
    expect(statesOf(checked.records)).toMatchObject({ dkim: 'found', spf: 'unknown', 'return-path': 'found' });
    expect(checked.status).toBe('verified');
  });

  it('ends although one name after another gets no answer', async () => {
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
