import { describe, expect, it } from 'vitest';
import { type Reply, type TenantClient, useApp } from '../../../test/app.js';
import { sql } from '../../db/sql.js';
import { sweepKeys } from './queries.js';

const t = useApp();

const withKey = (key: string) => ({ 'idempotency-key': key });
const replayed = ({ headers }: Reply) => headers['idempotency-replayed'];

async function listNames(tenant: TenantClient): Promise<string[]> {
  return (await tenant.get('/v2/lists')).body.data.map((row: { name: string }) => row.name);
}

function ageKeys(tenant: TenantClient, interval: string): Promise<number> {
  return t.db.run(sql`
    update idempotency_key set created_at = created_at - ${interval}::interval where tenant_id = ${tenant.tenantId}`);
}

async function countKeys(tenant: TenantClient): Promise<number> {
  const row = await t.db.row(
    sql<{ count: number }>`select count(*) from idempotency_key where tenant_id = ${tenant.tenantId}`,
  );
  return row?.count ?? 0;
}

describe('an Idempotency-Key', () => {
  it('replays the first answer to the same body', async () => {
    const tenant = await t.tenant();
    const body = { name: 'once', folder: 'filed' };
    const first = await tenant.post('/v1/lists', body, withKey('k'));
    const second = await tenant.post('/v1/lists', body, withKey('k'));
    expect([first.status, second.status]).toEqual([200, 200]);
    expect([replayed(first), replayed(second)]).toEqual([undefined, 'true']);
    expect(second.body.data).toEqual(first.body.data);
    expect(second.body).toMatchObject({ errors: [], meta: { status: 'SUCCESS' } });
    expect(await listNames(tenant)).toEqual(['once']);
  });

  it('replays what was answered then, not what is there now', async () => {
    const tenant = await t.tenant();
    const first = await tenant.post('/v1/lists', { name: 'before' }, withKey('k'));
    await tenant.patch(`/v1/lists/${first.body.data.staticListId}`, { name: 'after' });
    expect((await tenant.post('/v1/lists', { name: 'before' }, withKey('k'))).body.data).toEqual(first.body.data);
    await tenant.delete(`/v1/lists/${first.body.data.staticListId}`);
    expect((await tenant.post('/v1/lists', { name: 'before' }, withKey('k'))).body.data).toEqual(first.body.data);
    expect(await listNames(tenant)).toEqual([]);
  });

  it('with another body is 409 IDEMPOTENCY_KEY_REUSED, and nothing happens', async () => {
    const tenant = await t.tenant();
    await tenant.post('/v1/lists', { name: 'one' }, withKey('k'));
    for (const body of [{ name: 'two' }, { name: 'one', folder: 'f' }, { name: 'one', x: 1 }]) {
      const reply = await tenant.post('/v1/lists', body, withKey('k'));
      expect(reply.status).toBe(409);
      expect(reply.body.errors[0].errorCode).toBe('IDEMPOTENCY_KEY_REUSED');
      expect(replayed(reply)).toBeUndefined();
    }
    expect(await listNames(tenant)).toEqual(['one']);
    expect((await tenant.get('/v2/folders')).body.data).toEqual([]);
  });

  it('with a body that is not valid is 400, used or not', async () => {
    const tenant = await t.tenant();
    expect((await tenant.post('/v1/lists', { name: '' }, withKey('k'))).status).toBe(400);
    await tenant.post('/v1/lists', { name: 'fine' }, withKey('k'));
    expect((await tenant.post('/v1/lists', { name: '' }, withKey('k'))).status).toBe(400);
  });

  it('is the same under /v1 and /v2, which are one route', async () => {
    const tenant = await t.tenant();
    const first = await tenant.post('/v1/lists', { name: 'both' }, withKey('k'));
    const second = await tenant.post('/v2/lists/', { name: 'both' }, withKey('k'));
    expect(second.body.data).toEqual(first.body.data);
    expect(replayed(second)).toBe('true');
  });

  it('is separate on another route', async () => {
    const tenant = await t.tenant();
    expect((await tenant.post('/v2/lists', { name: 'same' }, withKey('k'))).status).toBe(200);
    const folder = await tenant.post('/v2/folders', { name: 'same' }, withKey('k'));
    expect(folder.body.data).toEqual({ directoryId: expect.any(String), directoryName: 'same' });
    expect(replayed(folder)).toBeUndefined();
    const again = await tenant.post('/v2/folders', { name: 'same' }, withKey('k'));
    expect(again.body.data).toEqual(folder.body.data);
    expect(replayed(again)).toBe('true');
  });

  it('does not answer for another list, though route and body are the same', async () => {
    const tenant = await t.tenant();
    const [a, b] = [await tenant.post('/v1/lists', { name: 'a' }), await tenant.post('/v1/lists', { name: 'b' })];
    const members = ({ body }: Reply) => `/v1/lists/${body.data.staticListId}/members`;
    const body = { contactIds: ['0'.repeat(32)] };
    const first = await tenant.post(members(a), body, withKey('k'));
    const again = await tenant.post(members(a).replace('v1', 'v2'), body, withKey('k'));
    expect([first.status, replayed(again)]).toEqual([200, 'true']);
    expect([again.body.data, again.body.errors]).toEqual([first.body.data, first.body.errors]);
    const other = await tenant.post(members(b), body, withKey('k'));
    expect(replayed(other)).toBeUndefined();
    expect(other.body.errors[0].errorCode).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  it('is separate in another tenant', async () => {
    const [one, two] = [await t.tenant(), await t.tenant()];
    const first = await one.post('/v1/lists', { name: 'mine' }, withKey('k'));
    const second = await two.post('/v1/lists', { name: 'mine' }, withKey('k'));
    expect(replayed(second)).toBeUndefined();
    expect(second.body.data.staticListId).not.toBe(first.body.data.staticListId);
    expect((await two.post('/v1/lists', { name: 'yours' }, withKey('k'))).status).toBe(409);
  });

  it('is shared by the tokens of a tenant', async () => {
    const tenant = await t.tenant();
    const made = await t.admin.post(`/admin/tenants/${tenant.tenantId}/tokens`, { name: 'second', scopes: ['WRITE'] });
    const first = await tenant.post('/v1/lists', { name: 'shared' }, withKey('k'));
    const second = await t.withToken(made.body.data.token).post('/v1/lists', { name: 'shared' }, withKey('k'));
    expect(second.body.data).toEqual(first.body.data);
  });

  it('is compared exactly', async () => {
    const tenant = await t.tenant();
    await tenant.post('/v1/lists', { name: 'a' }, withKey('Key'));
    const other = await tenant.post('/v1/lists', { name: 'b' }, withKey('key'));
    expect(other.status).toBe(200);
    expect(replayed(other)).toBeUndefined();
  });

  it('does not replay a failure', async () => {
    const tenant = await t.tenant();
    const taken = (await tenant.post('/v1/lists', { name: 'taken' })).body.data;
    expect((await tenant.post('/v1/lists', { name: 'taken' }, withKey('k'))).body.errors[0].errorCode).toBe(
      'LIST_ALREADY_EXISTS',
    );
    expect(await countKeys(tenant)).toBe(0);
    await tenant.delete(`/v1/lists/${taken.staticListId}`);
    const second = await tenant.post('/v1/lists', { name: 'taken' }, withKey('k'));
    expect(second.status).toBe(200);
    expect(replayed(second)).toBeUndefined();
    expect((await tenant.post('/v2/folders', { name: 'f' }, withKey('f'))).status).toBe(200);
    expect((await tenant.post('/v2/folders', { name: 'f' }, withKey('g'))).status).toBe(409);
    expect((await tenant.post('/v2/folders', { name: 'g' }, withKey('g'))).status).toBe(200);
  });

  it('lets a refused request use it with another body', async () => {
    const tenant = await t.tenant();
    await tenant.post('/v1/lists', { name: 'taken' });
    expect((await tenant.post('/v1/lists', { name: 'taken' }, withKey('k'))).status).toBe(409);
    expect((await tenant.post('/v1/lists', { name: 'free' }, withKey('k'))).status).toBe(200);
  });

  it.each([
    ['empty', ''],
    ['a space', ' '],
    ['two words', 'a b'],
    ['256 characters', 'x'.repeat(256)],
    ['a tab', 'a\tb'],
    ['a letter beyond ASCII', 'clé'],
    ['DEL', 'a\x7f'],
  ])('is refused with 400 when it is %s', async (_, key) => {
    const tenant = await t.tenant();
    const reply = await tenant.post('/v1/lists', { name: 'x' }, withKey(key));
    expect(reply.status).toBe(400);
    expect(reply.body.errors[0]).toMatchObject({ errorCode: 'VALIDATION_ERROR', detail: 'Idempotency-Key' });
    expect(await listNames(tenant)).toEqual([]);
  });

  it.each(['!', '~'.repeat(255), 'a,b;c=d"e\'f\\g%00', '0'])('may be %j', async (key) => {
    const tenant = await t.tenant();
    expect((await tenant.post('/v1/lists', { name: 'x' }, withKey(key))).status).toBe(200);
    expect(replayed(await tenant.post('/v1/lists', { name: 'x' }, withKey(key)))).toBe('true');
  });

  it('makes one list of 20 requests at once, and all get its row', async () => {
    const tenant = await t.tenant();
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        tenant.post(`/v${1 + (i % 2)}/lists`, { name: 'crowd', folder: 'f' }, withKey('k')),
      ),
    );
    expect(replies.map((reply) => reply.status)).toEqual(Array(20).fill(200));
    for (const reply of replies) expect(reply.body.data).toEqual(replies[0]?.body.data);
    expect(replies.filter((reply) => replayed(reply) === undefined)).toHaveLength(1);
    expect(await listNames(tenant)).toEqual(['crowd']);
    expect((await tenant.get('/v2/lists')).body.pagination.totalElements).toBe(1);
  });

  it('lets one body win when different ones come at once', async () => {
    const tenant = await t.tenant();
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, i) => tenant.post('/v1/lists', { name: `rival ${i}` }, withKey('k'))),
    );
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1);
    expect(replies.filter((reply) => reply.body.errors[0]?.errorCode === 'IDEMPOTENCY_KEY_REUSED')).toHaveLength(9);
    expect(await listNames(tenant)).toHaveLength(1);
  });

  it('counts for 24 hours and no longer', async () => {
    const tenant = await t.tenant();
    const first = await tenant.post('/v1/lists', { name: 'day' }, withKey('k'));
    await ageKeys(tenant, '23 hours 59 minutes');
    expect(replayed(await tenant.post('/v1/lists', { name: 'day' }, withKey('k')))).toBe('true');
    await ageKeys(tenant, '2 minutes');
    expect((await tenant.post('/v1/lists', { name: 'day' }, withKey('k'))).body.errors[0].errorCode).toBe(
      'LIST_ALREADY_EXISTS',
    );
    const other = await tenant.post('/v1/lists', { name: 'next day' }, withKey('k'));
    expect(other.body.data.staticListId).not.toBe(first.body.data.staticListId);
    expect(replayed(other)).toBeUndefined();
    expect((await tenant.post('/v1/lists', { name: 'next day' }, withKey('k'))).body.data).toEqual(other.body.data);
  });

  it('is swept away when it no longer counts, and only then', async () => {
    const tenant = await t.tenant();
    for (const key of ['a', 'b', 'c']) await tenant.post('/v1/lists', { name: key }, withKey(key));
    await ageKeys(tenant, '25 hours');
    await tenant.post('/v1/lists', { name: 'd' }, withKey('d'));
    expect(await sweepKeys(t.db, 2)).toBe(2);
    expect(await sweepKeys(t.db, 100)).toBe(1);
    expect(await countKeys(tenant)).toBe(1);
    expect(replayed(await tenant.post('/v1/lists', { name: 'd' }, withKey('d')))).toBe('true');
  });

  it('does nothing on GET, PATCH and DELETE, where it may even be invalid', async () => {
    const tenant = await t.tenant();
    const { staticListId } = (await tenant.post('/v1/lists', { name: 'x' })).body.data;
    const path = `/v1/lists/${staticListId}`;
    expect((await tenant.patch(path, { name: 'y' }, withKey('k'))).status).toBe(200);
    expect((await tenant.patch(path, { name: 'z' }, withKey('k'))).status).toBe(200);
    expect((await tenant.get(path, withKey('a b'))).status).toBe(200);
    expect((await tenant.delete(path, withKey('a b'))).status).toBe(200);
    expect((await tenant.delete(path, withKey('a b'))).status).toBe(404);
    expect(await countKeys(tenant)).toBe(0);
  });

  it('does nothing under /admin', async () => {
    const first = await t.admin.post('/admin/tenants', { name: 'a' }, withKey('k'));
    const second = await t.admin.post('/admin/tenants', { name: 'a' }, withKey('k'));
    const third = await t.admin.post('/admin/tenants', { name: 'b' }, withKey('k'));
    expect([first.status, second.status, third.status]).toEqual([200, 200, 200]);
    expect(new Set([first, second, third].map((reply) => reply.body.data.tenantId)).size).toBe(3);
    expect(replayed(second)).toBeUndefined();
    expect((await t.admin.post('/admin/tenants', { name: 'c' }, withKey('a b'))).status).toBe(200);
  });

  it('stores only the hash of the body', async () => {
    const tenant = await t.tenant();
    await tenant.post('/v1/lists', { name: 'n', unknown: 'a secret' }, withKey('k'));
    const rows = await t.db.rows(sql`select * from idempotency_key where tenant_id = ${tenant.tenantId}`);
    expect(JSON.stringify(rows)).not.toContain('a secret');
  });
});
