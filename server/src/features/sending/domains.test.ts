import { createPublicKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { useApp } from '../../../test/app.js';
import { useDns } from '../../../test/dns.js';
import { expectFailure, type Shown, x } from '../../../test/sending-domains.js';
import { randomBytes } from '../../lib/random.js';
import { SecretBox } from '../../lib/secret-box.js';
import { giveKeys } from './domain-keys.js';
import { findSigners, insertSendingDomain } from './index.js';

const dns = useDns();
const box = new SecretBox(randomBytes(32));
const t = useApp(() => ({ box, dnsServers: [dns.address], mailHost: 'mail.rapport.test' }));

const { newTenant } = x(t);

describe('sending domains', () => {
  it('are added once however often they are sent, listed by name and removed', async () => {
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
    expect(data).toEqual({
      ...{ domain: 'example.com', status: 'unverified', records: expect.any(Array), sharedUntil: null },
    });
    const wanted = (purpose: string, type: string, name: unknown, value: unknown) => {
      return { purpose, type, name, value, state: 'unknown', detail: expect.stringContaining('Not checked yet') };
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

  it('twice, or concurrently, keeps the key', async () => {
    const path = `/admin/tenants/${await newTenant()}/sending-domains`;
    const both = await Promise.all([1, 2].map(() => t.admin.post(path, { domain: 'example.com' })));
    const again = await t.admin.post(path, { domain: 'example.com' });
    const [listed] = (await t.admin.get(path)).body.data;
    for (const { body } of [...both, again]) expect(body.data).toEqual(listed);
  });

  it('after it was removed makes another key, under another name', async () => {
    const path = `/admin/tenants/${await newTenant()}/sending-domains`;
    const before = (await t.admin.post(path, { domain: 'example.com' })).body.data.records[0];
    await t.admin.delete(`${path}/example.com`);
    const after = (await t.admin.post(path, { domain: 'example.com' })).body.data.records[0];
    expect(after.name).not.toBe(before.name);
    expect(after.value).not.toBe(before.value);
  });

  it('gives a domain of an older build its key through the chore, once', async () => {
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
