import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Reply } from '../../../test/app.js';
import { useApp } from '../../../test/app.js';
import { makeTeam, withNewToken } from '../../../test/team.js';
import { bytes, sql } from '../../db/sql.js';
import { systemClock } from '../../lib/clock.js';
import { randomToken } from '../../lib/random.js';
import { allow } from '../oauth/approval/allow.js';
import { hashOf } from '../oauth/provider/adapter.js';
import { insertAppToken, sweepGrants } from '../oauth/queries.js';
import { among, faultOfAllowed } from '../tenants/find-token.js';

const t = useApp();
const wanted = { name: 'CRM sync', scopes: ['READ', 'WRITE'] };

function expectInvalid(reply: Reply, field: string): void {
  expect(reply.status).toBe(400);
  expect(reply.body.errors[0]).toMatchObject({ errorCode: 'VALIDATION_ERROR', detail: field });
}

describe('a personal token', () => {
  it('is shown once, works at once, and acts for the account that made it', async () => {
    const { member } = await makeTeam(t);
    const made = await member.post('/v2/tokens', {
      ...wanted,
      expiresAt: '2099-01-01',
      allowedAddresses: ['127.0.0.1'],
    });
    const { token, ...shown } = made.body.data;
    expect(token).toMatch(/^rpt_pat_[\w-]{43}$/);
    expect(shown).toMatchObject({
      ...wanted,
      account: { accountId: member.accountId, name: 'A member' },
      allowedAddresses: ['127.0.0.1'],
      expiresAt: '2099-01-01T00:00:00.000Z',
      lastUsedAt: null,
      revokedAt: null,
    });
    const me = await t.withToken(token).get('/v2/me');
    expect(me.body.data).toMatchObject({ account: { accountId: member.accountId }, token: { tokenId: shown.tokenId } });
    const [listed] = (await member.get('/v2/tokens')).body.data;
    expect(listed).toEqual(shown);
  });

  it('works only from its addresses', async () => {
    const { member } = await makeTeam(t);
    const made = await member.post('/v2/tokens', { ...wanted, allowedAddresses: ['203.0.113.0/24', '2001:db8::/32'] });
    const from = (remoteAddress: string) =>
      t.app.http.inject({
        ...{ url: '/v2/me', remoteAddress },
        headers: { authorization: `Bearer ${made.body.data.token}` },
      });
    expect((await from('203.0.113.9')).statusCode).toBe(200);
    expect((await from('2001:db8::9')).statusCode).toBe(200);
    const shut = await from('203.0.114.9');
    expect([shut.statusCode, shut.payload]).toEqual([403, '']);
  });

  it('ends with the app whose token made it', async () => {
    const { tenantId, member } = await makeTeam(t);
    const { accountId } = member;
    const app = { clientId: 'x', name: 'App', backTo: 'app.example', vouchedBy: undefined, stays: true };
    const asked = { app, scopes: ['READ', 'WRITE'], resource: [], formTarget: '' };
    const workspace = { tenantId, accountId, role: 'member' } as const;
    const grantHash = hashOf(await allow({ db: t.db, clock: systemClock }, asked, workspace, '127.0.0.1'));
    const token = randomToken('rpt_app_');
    const expiresAt = '2099-01-01T00:00:00.000Z';
    const more = { scopes: ['READ', 'WRITE'], grantHash, clientId: 'x', payload: '{}', expiresAt };
    await insertAppToken(t.db, { tokenHash: hashOf(token), tenantId, accountId, ...more });
    const made = (await t.withToken(token).post('/v2/tokens', wanted)).body.data.token;
    const grandchild = (await t.withToken(made).post('/v2/tokens', wanted)).body.data.token;
    const own = (await member.post('/v2/tokens', wanted)).body.data.token;
    await t.db.run(sql`update access_token set expires_at = now() where token_hash = ${bytes(hashOf(token))}`);
    await t.db.run(sql`update oauth_record set created_at = now() - interval '2 hours'`);
    await sweepGrants(t.db.background, 100);
    const { appId } = (await member.get('/v2/connected-apps')).body.data[0];
    expect((await member.delete(`/v2/connected-apps/${appId}`)).status).toBe(200);
    const statuses = [made, grandchild, own].map(async (each) => (await t.withToken(each).get('/v2/me')).status);
    expect(await Promise.all(statuses)).toEqual([401, 401, 200]);
  });

  it('has no scope that the token it was made with lacks', async () => {
    const { member } = await makeTeam(t);
    const writer = await withNewToken(t, member, { scopes: ['WRITE'] });
    expectInvalid(await writer.post('/v2/tokens', wanted), 'scopes');
    expectInvalid(await writer.post('/v2/tokens', { name: 'x', scopes: ['READ'] }), 'scopes');
    expect((await writer.post('/v2/tokens', { name: 'x', scopes: ['WRITE'] })).status).toBe(200);
    expect((await writer.post('/v2/tokens', { name: 'x', scopes: ['INGEST'] })).status).toBe(200);
    const reader = await withNewToken(t, member, { scopes: ['READ'] });
    expect(await reader.post('/v2/tokens', { name: 'x', scopes: ['WRITE'] })).toMatchObject({ status: 403, text: '' });
    expect(await reader.post('/v2/tokens', { name: 'x', scopes: ['INGEST'] })).toMatchObject({ status: 403, text: '' });
  });

  it('works only from addresses that the token it was made with works from', async () => {
    const { member } = await makeTeam(t);
    const own = ['127.0.0.0/8', '198.51.100.7'];
    const bound = await withNewToken(t, member, { allowedAddresses: own });
    expect((await bound.post('/v2/tokens', wanted)).body.data.allowedAddresses).toEqual(own);
    const fewer = await bound.post('/v2/tokens', { ...wanted, allowedAddresses: ['198.51.100.7'] });
    expect(fewer.body.data.allowedAddresses).toEqual(['198.51.100.7']);
    expectInvalid(await bound.post('/v2/tokens', { ...wanted, allowedAddresses: ['0.0.0.0/0'] }), 'allowedAddresses');
  });

  it.each<[object, string]>([
    [{ name: undefined }, 'name'],
    [{ name: ' ' }, 'name'],
    [{ name: 'x'.repeat(256) }, 'name'],
    [{ scopes: [] }, 'scopes'],
    [{ scopes: undefined }, 'scopes'],
    [{ scopes: ['read'] }, 'scopes'],
    [{ scopes: ['READ', 'READ'] }, 'scopes'],
    [{ scopes: ['INGEST', 'READ'] }, 'scopes'],
    [{ expiresAt: 'soon' }, 'expiresAt'],
    [{ expiresAt: '2020-01-01' }, 'expiresAt'],
    [{ allowedAddresses: [] }, 'allowedAddresses'],
    [{ allowedAddresses: ['localhost'] }, 'allowedAddresses'],
    [{ allowedAddresses: ['10.0.0.1', '10.0.0.1'] }, 'allowedAddresses'],
    [{ allowedAddresses: Array.from({ length: 51 }, (_, i) => `10.0.0.${i}`) }, 'allowedAddresses'],
  ])('is refused with %j, naming %s', async (change, field) => {
    const { member } = await makeTeam(t);
    const reply = await member.post('/v2/tokens', { ...wanted, ...change });
    expect(reply.status).toBe(400);
    expect(reply.body.errors[0].detail).toMatch(new RegExp(`^${field}`));
  });

  it('may have a name of 255 characters and 50 addresses', async () => {
    const { member } = await makeTeam(t);
    const allowedAddresses = Array.from({ length: 50 }, (_, i) => `10.0.0.${i}/32`);
    const made = await member.post('/v2/tokens', { name: 'x'.repeat(255), scopes: ['READ'], allowedAddresses });
    expect(made.body.data).toMatchObject({ name: 'x'.repeat(255), allowedAddresses });
  });
});

describe('an Idempotency-Key', () => {
  const key = { 'idempotency-key': 'k' };

  it('gives the same token again, and keeps it nowhere that can be read', async () => {
    const { member, tenantId } = await makeTeam(t);
    const first = await member.post('/v2/tokens', wanted, key);
    const again = await member.post('/v2/tokens', wanted, key);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.body.data).toEqual(first.body.data);
    expect((await member.get('/v2/tokens')).body.data).toHaveLength(2);
    const kept = await t.db.rows(sql<{ response: string }>`
      select response::text from idempotency_key where tenant_id = ${tenantId}`);
    expect(kept).toHaveLength(1);
    expect(kept[0]?.response).not.toContain(first.body.data.token);
  });

  it('gives the token to no other account', async () => {
    const { member, admin } = await makeTeam(t);
    await member.post('/v2/tokens', wanted, key);
    const other = await admin.post('/v2/tokens', wanted, key);
    expect(other.status).toBe(409);
    expect(other.body.errors[0].errorCode).toBe('IDEMPOTENCY_KEY_REUSED');
    const writer = await withNewToken(t, member, { scopes: ['WRITE'] });
    expectInvalid(await writer.post('/v2/tokens', wanted, key), 'scopes');
  });
});

describe('tokens', () => {
  it('are listed newest first: one’s own, for an admin all, never those of apps and browsers', async () => {
    const { member, viewer, admin, tenantId } = await makeTeam(t);
    const ids = async (who: typeof member) =>
      (await who.get('/v2/tokens?pageSize=200')).body.data.map((row: { tokenId: number }) => row.tokenId);
    const more = await withNewToken(t, member);
    await t.db.run(sql`
      insert into access_token (token_hash, tenant_id, account_id, name, scopes, kind)
      values (sha256('an app'), ${tenantId}, ${member.accountId}, 'app', '{READ}', 'app')`);
    const own = await ids(member);
    expect(own).toHaveLength(2);
    expect(own[0]).toBe(more.tokenId);
    expect(await ids(viewer)).toHaveLength(1);
    const all = await ids(admin);
    // Including that of the tenant's first account.
    expect(all).toHaveLength(5);
    expect(all).toEqual([...all].sort((a, b) => b - a));
    const page = await admin.get('/v2/tokens?pageSize=2&pageNumber=3');
    expect(page.body.pagination).toMatchObject({ totalElements: 5, totalPages: 3 });
    expect(page.body.data).toHaveLength(1);
  });

  it('end at once when they are revoked; revoking twice changes nothing', async () => {
    const { member } = await makeTeam(t);
    const { body } = await member.post('/v2/tokens', wanted);
    const { token, tokenId } = body.data;
    const other = t.withToken(token);
    expect((await other.get('/v2/me')).status).toBe(200);
    for (let times = 0; times < 2; times++)
      expect((await member.delete(`/v2/tokens/${tokenId}`)).body.data).toEqual({ tokenId, success: true });
    expect((await other.get('/v2/me')).status).toBe(401);
    expect((await member.get('/v2/tokens?pageSize=1')).body.data[0].revokedAt).toEqual(expect.any(String));
    const log = await t.db.rows(
      sql`select from audit_entry where action = 'token.revoked' and subject = ${String(tokenId)}`,
    );
    expect(log).toHaveLength(1);
  });

  it('of others can be revoked by admins, and are 404 for members', async () => {
    const [ours, theirs] = [await makeTeam(t), await makeTeam(t)];
    const theirsToo = await withNewToken(t, ours.admin);
    const of = (id: number) => `/v2/tokens/${id}`;
    expect((await ours.member.delete(of(theirsToo.tokenId))).body.errors[0].errorCode).toBe('NOT_FOUND');
    expect((await theirs.admin.delete(of(theirsToo.tokenId))).body.errors[0].errorCode).toBe('NOT_FOUND');
    expect((await theirsToo.get('/v2/me')).status).toBe(200);
    const members = await withNewToken(t, ours.member);
    expect((await ours.admin.delete(of(members.tokenId))).status).toBe(200);
    for (const id of ['0', 'x', '1e3', '99999999999999999999'])
      expect((await ours.admin.delete(`/v2/tokens/${id}`)).status).toBe(404);
  });

  it('of apps and browsers are not revoked here, nor by operators', async () => {
    const { admin, tenantId } = await makeTeam(t);
    const app = await withNewToken(t, admin);
    await t.db.run(
      sql`update access_token set kind = 'app' where tenant_id = ${tenantId} and token_id = ${app.tokenId}`,
    );
    expect((await admin.delete(`/v2/tokens/${app.tokenId}`)).status).toBe(404);
    expect((await t.admin.delete(`/admin/tenants/${tenantId}/tokens/${app.tokenId}`)).status).toBe(404);
    expect((await app.get('/v2/me')).status).toBe(200);
  });
});

describe('operators', () => {
  it('limit tokens to addresses, too', async () => {
    const { tenantId } = await t.tenant();
    const path = `/admin/tenants/${tenantId}/tokens`;
    const made = await t.admin.post(path, { ...wanted, allowedAddresses: ['198.51.100.7'] });
    expect(made.body.data.allowedAddresses).toEqual(['198.51.100.7']);
    expect((await t.withToken(made.body.data.token).get('/v2/me')).status).toBe(403);
    expectInvalid(await t.admin.post(path, { ...wanted, allowedAddresses: ['198.51.100.7/33'] }), 'allowedAddresses');
  });

  it('make none for a deactivated account', async () => {
    const { tenantId, member, admin } = await makeTeam(t);
    await admin.post(`/v2/people/${member.accountId}/deactivate`);
    const reply = await t.admin.post(`/admin/tenants/${tenantId}/tokens`, { ...wanted, accountId: member.accountId });
    expectInvalid(reply, 'accountId');
  });
});

describe('an allowed address', () => {
  it.each(['1.2.3.4', '0.0.0.0/0', '10.0.0.0/8', '10.1.2.3/32', '::/0', '::1', '2001:db8::/32', 'fe80::1/128'])(
    'may be %s',
    (entry) => expect(faultOfAllowed(entry)).toBeUndefined(),
  );

  it.each([
    ...[
      '',
      '1.2.3',
      '1.2.3.4.5',
      '256.1.1.1',
      '01.2.3.4',
      '1.2.3.4/',
      '1.2.3.4/33',
      '1.2.3.4/-1',
      '1.2.3.4/08',
      '1.2.3.4/8/8',
    ],
    ...[
      '1.2.3.4/8 ',
      '0x7f.0.0.1',
      '2130706433',
      'example.com',
      '::/129',
      '::1%eth0',
      ':::',
      'fe80::1/1e1',
      '::ffff:1.2.3.4',
    ],
    ...['::ffff:1.2.3.4/120', '1.2.3.4-1.2.3.9', '*', '10.*', '1.2.3.4:80', '[::1]'],
  ])('may not be %s', (entry) => expect(faultOfAllowed(entry)).toEqual(expect.any(String)));

  it('that is taken always covers itself', () => {
    const address = fc.oneof(fc.ipV4(), fc.ipV6());
    fc.assert(
      fc.property(address, fc.option(fc.nat(130)), (net, bits) => {
        const entry = `${net.toLowerCase()}${bits === null ? '' : `/${bits}`}`;
        if (faultOfAllowed(entry) === undefined) expect(among([entry])(net)).toBe(true);
      }),
    );
  });
});
