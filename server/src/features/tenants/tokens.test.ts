import { hash } from 'node:crypto';
import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import { adminToken, badToken, useApp } from '../../../test/app.js';
import { expectFailure, tenantsOf } from '../../../test/tenants.js';
import { buildApp } from '../../app.js';
import { sql } from '../../db/sql.js';
import type { Clock } from '../../lib/clock.js';
import { touchGrants } from '../oauth/index.js';
import { TokenUses } from './token-uses.js';

// Time moves only when a test says so: budgets are counted exactly and tokens expire on cue.
let elapsed = 0;
const clock: Clock = { now: () => new Date(Date.UTC(2026, 10, 15) + elapsed), elapsed: () => elapsed };
const t = useApp({ clock });
beforeEach(() => {
  elapsed += 60_000;
});

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const { newTenant, newToken } = tenantsOf(t);

describe('a token', () => {
  it('is shown once and stored only as a hash', async () => {
    const tenantId = await newTenant();
    const made = await t.admin.post(`/admin/tenants/${tenantId}/tokens`, { name: ' CRM ', scopes: ['READ', 'WRITE'] });
    const { token, ...shown } = made.body.data;
    expect(token).toMatch(/^rpt_pat_[A-Za-z0-9_-]{43}$/);
    expect(shown).toEqual({
      tokenId: expect.any(Number),
      name: 'CRM',
      scopes: ['READ', 'WRITE'],
      accountId: expect.any(Number),
      allowedAddresses: null,
      createdAt: expect.stringMatching(isoTime),
      expiresAt: null,
      lastUsedAt: null,
      revokedAt: null,
    });
    const listed = await t.admin.get(`/admin/tenants/${tenantId}/tokens`);
    expect(listed.body.data).toEqual([shown]);
    expect(listed.text).not.toContain(token);
    const rows = await t.db.rows(sql<{ token_hash: string }>`select * from access_token where tenant_id = ${tenantId}`);
    expect(rows).toHaveLength(1);
    expect(rows[0]?.token_hash).toBe(hash('sha256', token));
    expect(JSON.stringify(rows)).not.toContain(token.slice('rpt_pat_'.length));
  });

  it('is never the same twice', async () => {
    const tenantId = await newTenant();
    const made = [await newToken(tenantId), await newToken(tenantId)];
    expect(made[0]?.token).not.toBe(made[1]?.token);
    expect(
      (await t.admin.get(`/admin/tenants/${tenantId}/tokens`)).body.data.map((row: { tokenId: number }) => row.tokenId),
    ).toEqual([made[1]?.tokenId, made[0]?.tokenId]);
  });

  it.each([
    [{ scopes: ['READ'] }, 'name'],
    [{ name: 'x' }, 'scopes'],
    [{ name: 'x', scopes: null }, 'scopes'],
    [{ name: 'x', scopes: [] }, 'scopes'],
    [{ name: 'x', scopes: 'READ' }, 'scopes'],
    [{ name: 'x', scopes: ['read'] }, 'scopes[0]'],
    [{ name: 'x', scopes: ['READ', 'ADMIN'] }, 'scopes[1]'],
    [{ name: 'x', scopes: ['READ', null] }, 'scopes[1]'],
    [{ name: 'x', scopes: ['READ', 'READ'] }, 'scopes'],
    [{ name: 'x', scopes: ['READ', 'WRITE', 'READ'] }, 'scopes'],
    [{ name: 'x', scopes: ['READ'], expiresAt: 'tomorrow' }, 'expiresAt'],
    [{ name: 'x', scopes: ['READ'], expiresAt: '2026-02-30' }, 'expiresAt'],
    [{ name: 'x', scopes: ['READ'], expiresAt: 1_800_000_000 }, 'expiresAt'],
    [{ name: 'x', scopes: ['READ'], expiresAt: '' }, 'expiresAt'],
    [{ name: 'x', scopes: ['READ'], accountId: 999_999 }, 'accountId'],
    [{ name: 'x', scopes: ['READ'], accountId: 0 }, 'accountId'],
    [{ name: 'x', scopes: ['READ'], accountId: -1 }, 'accountId'],
    [{ name: 'x', scopes: ['READ'], accountId: 1.5 }, 'accountId'],
    [{ name: 'x', scopes: ['READ'], accountId: 1e19 }, 'accountId'],
    [{ name: 'x', scopes: ['READ'], accountId: 1e300 }, 'accountId'],
    [{ name: 'x', scopes: ['READ'], accountId: '1' }, 'accountId'],
  ])('is refused as %j', async (body, field) => {
    expectFailure(
      await t.admin.post(`/admin/tenants/${await newTenant()}/tokens`, body),
      400,
      'VALIDATION_ERROR',
      field,
    );
  });

  it('refuses an account of another tenant', async () => {
    const [one, two] = [await newTenant(), await newTenant()];
    const { accountId } = (await t.admin.get(`/admin/tenants/${one}/accounts`)).body.data[0];
    const reply = await t.admin.post(`/admin/tenants/${two}/tokens`, { name: 'x', scopes: ['READ'], accountId });
    expectFailure(reply, 400, 'VALIDATION_ERROR', 'accountId');
  });

  it('takes null as no expiry and the first account', async () => {
    const made = await newToken(await newTenant(), { expiresAt: null, accountId: null });
    expect(made.expiresAt).toBeNull();
    expect((await t.withToken(made.token).get('/v2/lists')).status).toBe(200);
  });

  it('expires on time, even while it is cached', async () => {
    const tenantId = await newTenant();
    const expiresAt = new Date(clock.now().getTime() + 2000).toISOString();
    const { token, expiresAt: shown } = await newToken(tenantId, { expiresAt });
    expect(shown).toBe(expiresAt);
    expect((await t.withToken(token).get('/v2/lists')).status).toBe(200);
    elapsed += 1999;
    expect((await t.withToken(token).get('/v2/lists')).status).toBe(200);
    elapsed += 1;
    const refused = await t.withToken(token).get('/v2/lists');
    expect(refused).toMatchObject({ status: 401, text: '' });
    expect(refused.headers['www-authenticate']).toBe(badToken);
  });

  it.each(['2000-01-01', '2026-11-15T00:00:00+14:00', '0001-01-01'])(
    'that expired on %s was never of use',
    async (expiresAt) => {
      const { token } = await newToken(await newTenant(), { expiresAt });
      expect(await t.withToken(token).get('/v2/lists')).toMatchObject({ status: 401, text: '' });
    },
  );

  it('keeps its expiry whatever offset it was given in', async () => {
    const { expiresAt } = await newToken(await newTenant(), { expiresAt: '2030-01-01T02:00:00.123456+02:00' });
    expect(expiresAt).toBe('2030-01-01T00:00:00.123Z');
    expect((await newToken(await newTenant(), { expiresAt: '9999-12-31T23:59:59.999Z' })).expiresAt).toBe(
      '9999-12-31T23:59:59.999Z',
    );
  });

  it('stops working on this node the moment it is revoked', async () => {
    const tenantId = await newTenant();
    const [gone, kept] = [await newToken(tenantId), await newToken(tenantId)];
    const path = `/admin/tenants/${tenantId}/tokens/${gone.tokenId}`;
    expect((await t.withToken(gone.token).get('/v2/lists')).status).toBe(200);
    expect((await t.admin.delete(path)).body.data).toEqual({ tokenId: gone.tokenId, success: true });
    expect(await t.withToken(gone.token).get('/v2/lists')).toMatchObject({ status: 401, text: '' });
    expect((await t.withToken(kept.token).get('/v2/lists')).status).toBe(200);
    const [, row] = (await t.admin.get(`/admin/tenants/${tenantId}/tokens`)).body.data;
    expect(row).toMatchObject({ tokenId: gone.tokenId, revokedAt: expect.stringMatching(isoTime) });
    expect((await t.admin.delete(path)).status).toBe(200);
    expect((await t.admin.get(`/admin/tenants/${tenantId}/tokens`)).body.data[1].revokedAt).toBe(row.revokedAt);
  });

  it('that another node revoked stops working within 5 seconds', async () => {
    const tenantId = await newTenant();
    const { tokenId, token } = await newToken(tenantId);
    await t.withToken(token).get('/v2/lists');
    await t.db.run(
      sql`update access_token set revoked_at = now() where tenant_id = ${tenantId} and token_id = ${tokenId}`,
    );
    elapsed += 5000;
    expect((await t.withToken(token).get('/v2/lists')).status).toBe(401);
  });

  it.each(['999999', '0', 'x', '%00', '9'.repeat(30), '-1'])('with the unknown number %s is 404', async (id) => {
    expectFailure(await t.admin.delete(`/admin/tenants/${await newTenant()}/tokens/${id}`), 404, 'NOT_FOUND');
  });

  it('of another tenant is 404, and stays valid', async () => {
    const [one, two] = [await newTenant(), await newTenant()];
    const { tokenId, token } = await newToken(one);
    expectFailure(await t.admin.delete(`/admin/tenants/${two}/tokens/${tokenId}`), 404, 'NOT_FOUND');
    expect((await t.withToken(token).get('/v2/lists')).status).toBe(200);
  });
});

describe('TokenUses', () => {
  const lastUsed = async (tenantId: number) =>
    (await t.admin.get(`/admin/tenants/${tenantId}/tokens`)).body.data.map(
      (row: { lastUsedAt: string | null }) => row.lastUsedAt,
    );

  it('stores now and then when a token was used', async () => {
    const tenantId = await newTenant();
    const [used, idle] = [await newToken(tenantId), await newToken(tenantId)];
    const uses = new TokenUses(t.db, clock, touchGrants);
    const at = clock.now().toISOString();
    uses.note({ tenantId, tokenId: used.tokenId });
    expect(await lastUsed(tenantId)).toEqual([null, null]);
    await uses.flush();
    expect(await lastUsed(tenantId)).toEqual([null, at]);
    elapsed += 60_000;
    uses.note({ tenantId, tokenId: idle.tokenId });
    await uses.flush();
    expect(await lastUsed(tenantId)).toEqual([clock.now().toISOString(), at]);
    await uses.flush();
  });

  it('loses nothing when the app is closed', async () => {
    const tenantId = await newTenant();
    const { token } = await newToken(tenantId);
    const log = pino({ level: 'silent' });
    const node = buildApp({ db: t.db, adminToken, baseUrl: () => '', log, clock });
    await node.http.inject({ url: '/v1/nowhere', headers: { authorization: `Bearer ${token}` } });
    await node.close();
    expect(await lastUsed(tenantId)).toEqual([clock.now().toISOString()]);
  });

  it('never turns the time back', async () => {
    const tenantId = await newTenant();
    const { tokenId } = await newToken(tenantId);
    const [late, early] = [
      new TokenUses(t.db, clock, touchGrants),
      new TokenUses(t.db, { ...clock, now: () => new Date(0) }, touchGrants),
    ];
    late.note({ tenantId, tokenId });
    early.note({ tenantId, tokenId });
    await late.flush();
    await early.flush();
    expect(await lastUsed(tenantId)).toEqual([clock.now().toISOString()]);
  });
});
