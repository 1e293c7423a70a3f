import { describe, expect, it } from 'vitest';
import type { Reply } from '../../../test/app.js';
import { useApp } from '../../../test/app.js';
import { useDns } from '../../../test/dns.js';
import { makeTeam } from '../../../test/team.js';
import { sql } from '../../db/sql.js';
import { insertSendingDomain } from '../sending/index.js';

const dns = useDns();
const t = useApp(() => ({ dnsServers: [dns.address] }));

function expectInvalid(reply: Reply, field: string): void {
  expect(reply.status).toBe(400);
  expect(reply.body.errors[0]).toMatchObject({ errorCode: 'VALIDATION_ERROR', detail: field });
}

/** What the log says was done, newest first, without who and when. */
async function actions(tenantId: number): Promise<string[]> {
  const rows = await t.db.rows(sql<{ text: string }>`
    select concat_ws(' ', action, subject, account_id, detail) as text from audit_entry
    where tenant_id = ${tenantId} and action not like 'token.%' order by entry_no desc`);
  return rows.map(({ text }) => text);
}

describe('a workspace', () => {
  it('shows its settings, with its sending domains and what to publish for them', async () => {
    const { viewer, tenantId } = await makeTeam(t);
    await insertSendingDomain(t.db, tenantId, 'acme.example');
    const { data } = (await viewer.get('/v2/workspace')).body;
    expect(data.ssoCallbackUrl).toMatch(new RegExp(`^https?://.*/oauth/sso/${data.tenantId}/callback$`));
    expect(data).toMatchObject({ tenantId, name: 'Test', timeZone: null, rateLimit: 1_000_000 });
    expect(data.sendingDomains).toMatchObject([{ domain: 'acme.example', status: 'unverified' }]);
    expect(data.sendingDomains[0].records.length).toBeGreaterThanOrEqual(4);
  });

  it('is renamed and moved to another zone by an admin, who cannot change the rate limit', async () => {
    const { admin, tenantId } = await makeTeam(t);
    const changed = await admin.patch('/v2/workspace', { name: ' Acme ', timeZone: 'Europe/Berlin', rateLimit: 1 });
    expect(changed.body.data).toMatchObject({ name: 'Acme', timeZone: 'Europe/Berlin', rateLimit: 1_000_000 });
    expect((await admin.patch('/v2/workspace', { timeZone: null })).body.data).toMatchObject({
      ...{ name: 'Acme', timeZone: null },
    });
    expect((await admin.get('/v2/workspace')).body.data).toMatchObject({ name: 'Acme', timeZone: null });
    expect(await actions(tenantId)).toEqual([
      `workspace.changed ${admin.accountId} {"timeZone":null}`,
      `workspace.changed ${admin.accountId} {"name":"Acme","timeZone":"Europe/Berlin"}`,
    ]);
  });

  it.each([
    [{ name: '' }, 'name'],
    [{ name: null }, 'name'],
    [{ name: 'x'.repeat(256) }, 'name'],
    [{ timeZone: 'Mars/Olympus' }, 'timeZone'],
    [{ timeZone: '+01:00' }, 'timeZone'],
  ])('refuses %j, naming %s', async (body, field) => {
    const { admin } = await makeTeam(t);
    expectInvalid(await admin.patch('/v2/workspace', body), field);
  });

  it.each([{}, { rateLimit: 5 }])('refuses %j, which changes nothing', async (body) => {
    const { admin, tenantId } = await makeTeam(t);
    expect((await admin.patch('/v2/workspace', body)).status).toBe(400);
    expect(await actions(tenantId)).toEqual([]);
  });
});

describe('sending domains', () => {
  const path = '/v2/workspace/sending-domains';

  it('are added, checked and removed by an admin, and read by everybody', async () => {
    const { admin, viewer, tenantId } = await makeTeam(t);
    const key = { 'idempotency-key': 'k' };
    const added = await admin.post(path, { domain: ' Acme.Example ' }, key);
    expect(added.body.data).toMatchObject({ domain: 'acme.example', status: 'unverified' });
    expect((await admin.post(path, { domain: ' Acme.Example ' }, key)).headers['idempotency-replayed']).toBe('true');
    expect((await admin.post(path, { domain: 'acme.example' })).body.data).toEqual(added.body.data);
    expect((await viewer.get(path)).body.data).toEqual([added.body.data]);
    for (const { type, name, value } of added.body.data.records) if (type === 'TXT') dns.set('TXT', name, value);
    const checked = await admin.post(`${path}/ACME.example/check`, undefined, key);
    expect(checked.body.data.status).toBe('verified');
    dns.clear();
    expect((await admin.post(`${path}/ACME.example/check`, undefined, key)).body.data).toEqual(checked.body.data);
    expect((await admin.delete(`${path}/acme.example`)).body.data).toEqual({ domain: 'acme.example', success: true });
    expect((await admin.delete(`${path}/acme.example`)).status).toBe(404);
    expect(await actions(tenantId)).toEqual([
      `sending-domain.removed acme.example ${admin.accountId} {}`,
      `sending-domain.added acme.example ${admin.accountId} {}`,
    ]);
  });

  it('are a hundred at most, unless the operator adds more', async () => {
    const { admin, tenantId } = await makeTeam(t);
    await t.db.run(sql`
      insert into sending_domain (tenant_id, domain) select ${tenantId}, 'd' || n || '.example' from generate_series(1, 99) n`);
    expect((await admin.post(path, { domain: 'last.example' })).status).toBe(200);
    const refused = await admin.post(path, { domain: 'one-more.example' });
    expect(refused.status).toBe(409);
    expect(refused.body.errors[0].errorCode).toBe('INVALID_STATE');
    expect((await admin.post(path, { domain: 'last.example' })).status).toBe(200);
    const byOperator = await t.admin.post(`/admin/tenants/${tenantId}/sending-domains`, { domain: 'one-more.example' });
    expect(byOperator.status).toBe(200);
    expect((await admin.get('/v2/workspace')).body.data.sendingDomains).toHaveLength(100);
    expect((await admin.get(`${path}?pageSize=200`)).body.data).toHaveLength(101);
  });

  it('of another workspace are 404', async () => {
    const [ours, theirs] = [await makeTeam(t), await makeTeam(t)];
    await insertSendingDomain(t.db, theirs.tenantId, 'theirs.example');
    expect((await ours.admin.post(`${path}/theirs.example/check`)).status).toBe(404);
    expect((await ours.admin.delete(`${path}/theirs.example`)).status).toBe(404);
    expect((await theirs.admin.get(path)).body.data).toHaveLength(1);
  });
});

describe('a mail server of the workspace', () => {
  const path = '/v2/workspace/transport';

  it('is set, read without its password, and removed', async () => {
    const { admin, tenantId } = await makeTeam(t);
    const set = await admin.put(path, { smtpUrl: 'smtp://ada:hush@mail.acme.example:587', rate: 5 });
    expect(set.body.data).toEqual({
      ...{ smtpUrl: 'smtp://ada:***@mail.acme.example:587', rate: 5, maxConnections: null },
      ...{ host: 'mail.acme.example', port: 587, security: 'auto', user: 'ada', hasPassword: true },
      updatedAt: expect.any(String),
    });
    expect((await admin.get(path)).body.data).toEqual(set.body.data);
    expect((await admin.delete(path)).body.data).toEqual({ success: true });
    expect((await admin.get(path)).status).toBe(404);
    expect((await admin.delete(path)).status).toBe(404);
    expect(await actions(tenantId)).toEqual([
      `transport.removed ${admin.accountId} {}`,
      `transport.changed ${admin.accountId} {"host":"mail.acme.example"}`,
    ]);
  });

  it.each([
    ...[
      'smtp://127.0.0.1',
      'smtp://localhost:25',
      'smtp://10.0.0.5:25',
      'smtps://192.168.1.1',
      'smtp://169.254.169.254',
    ],
    ...['smtp://[::1]:25', 'smtp://[fd00::1]', 'smtp://[::ffff:127.0.0.1]', 'smtp://2130706433', 'smtp://0x7f.1'],
    ...['smtp://u:p@mail.localhost', 'smtp://127.1', 'smtp://user:pass@127.0.0.1:2525?ignoreTLS=true'],
  ])('must not be inside the network: %s', async (smtpUrl) => {
    const { admin, tenantId } = await makeTeam(t);
    expectInvalid(await admin.put(path, { smtpUrl }), 'smtpUrl');
    expect((await admin.get(path)).status).toBe(404);
    expect(await actions(tenantId)).toEqual([]);
  });

  it('may be anywhere when the operator sets it', async () => {
    const { admin, tenantId } = await makeTeam(t);
    const set = await t.admin.put(`/admin/tenants/${tenantId}/transport`, { smtpUrl: 'smtp://10.0.0.5' });
    expect(set.body.data).not.toHaveProperty('isGuarded');
    expect((await admin.get(path)).body.data.smtpUrl).toBe('smtp://10.0.0.5');
    expect(await actions(tenantId)).toEqual(['transport.changed {"host":"10.0.0.5"}']);
    expectInvalid(await admin.put(path, { smtpUrl: 'smtp://10.0.0.5' }), 'smtpUrl');
  });
});

describe('mail hooks', () => {
  const path = '/v2/workspace/mail-hooks';

  it('are made with an address that is shown once, listed without it, and removed', async () => {
    const { admin, tenantId } = await makeTeam(t);
    const made = await admin.post(path, { provider: 'postmark' });
    const { url, ...shown } = made.body.data;
    expect(url).toMatch(new RegExp(`^http://rapport.test/hooks/mail/${tenantId}\\.[\\w-]{43}$`));
    expect((await admin.get(path)).body.data).toEqual([shown]);
    expect((await admin.delete(`${path}/${shown.hookId}`)).body.data).toEqual({ hookId: shown.hookId, success: true });
    expect((await admin.delete(`${path}/${shown.hookId}`)).status).toBe(404);
    expect((await admin.delete(`${path}/x`)).status).toBe(404);
    expect(await actions(tenantId)).toEqual([
      `mail-hook.removed ${shown.hookId} ${admin.accountId} {}`,
      `mail-hook.added ${shown.hookId} ${admin.accountId} {"provider":"postmark"}`,
    ]);
    expectInvalid(await admin.post(path, { provider: 'postmark', key: 'x' }), 'key');
  });

  it('are made once per key, which keeps the address sealed', async () => {
    const { admin, tenantId } = await makeTeam(t);
    const key = { 'idempotency-key': 'k' };
    const first = await admin.post(path, { provider: 'generic' }, key);
    const again = await admin.post(path, { provider: 'generic' }, key);
    expect(again.body.data).toEqual(first.body.data);
    expect((await admin.get(path)).body.data).toHaveLength(1);
    const kept = await t.db.row(sql<{ response: string }>`
      select response::text from idempotency_key where tenant_id = ${tenantId}`);
    expect(kept?.response).not.toContain('hooks/mail');
  });

  it('of another workspace are 404', async () => {
    const [ours, theirs] = [await makeTeam(t), await makeTeam(t)];
    const made = await theirs.admin.post(path, { provider: 'generic' });
    expect((await ours.admin.delete(`${path}/${made.body.data.hookId}`)).status).toBe(404);
    expect((await ours.admin.get(path)).body.data).toEqual([]);
    expect((await theirs.admin.get(path)).body.data).toHaveLength(1);
  });
});
