import { describe, expect, it } from 'vitest';
import { useApp } from '../../../test/app.js';
import { codeOf, names, operation, statuses, userWrites, uuid, write } from '../../../test/user-writes.js';
import { sql } from '../../db/sql.js';

const t = useApp({ work: true });
const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const { tenantWith, countRows } = userWrites(t);

describe('POST /users', () => {
  it('answers a transaction with one PENDING item per organization, and ends with the user', async () => {
    const tenant = await tenantWith('acme', 'beta');
    const reply = await tenant.post('/v2/users', {
      email: ' Ada@Example.com ',
      userId: ' ada-1 ',
      orgIds: ['beta', ' acme '],
      properties: { role: 'admin', seats: 3 },
    });
    expect(reply.status).toBe(200);
    expect(reply.body.meta.status).toBe('SUCCESS');
    const item = { userId: 'ada-1', operation };
    expect(reply.body.data).toEqual({
      transactionId: expect.stringMatching(new RegExp(`^${tenant.tenantId}-`)),
      status: 'PENDING',
      createdAt: expect.stringMatching(isoTime),
      results: [
        { ...item, orgId: 'beta', status: 'PENDING' },
        { ...item, orgId: 'acme', status: 'PENDING' },
      ],
    });
    const done = await tenant.done(reply);
    const { contactId } = done.data.results[0];
    expect(done).toEqual({
      transactionId: reply.body.data.transactionId,
      status: 'DONE',
      createdAt: reply.body.data.createdAt,
      results: [
        { ...item, orgId: 'beta', status: 'CREATED' },
        { ...item, orgId: 'acme', status: 'CREATED' },
      ],
      data: { results: [{ email: 'ada@example.com', status: 'CREATED', contactId }] },
    });
    const { data } = (await tenant.get('/v2/users/ada-1')).body;
    expect(data).toEqual({
      userId: 'ada-1',
      email: 'ada@example.com',
      contactId,
      orgIds: ['beta', 'acme'],
      properties: { role: 'admin', seats: 3 },
      createdAt: expect.stringMatching(isoTime),
      updatedAt: data.createdAt,
    });
  });

  it('has one item with a null orgId when there is no organization', async () => {
    const tenant = await t.tenant();
    for (const orgIds of [undefined, null, []]) {
      const reply = await tenant.post('/v2/users', { email: 'a@x.io', userId: 'u', orgIds });
      expect(reply.body.data.results).toEqual([{ userId: 'u', orgId: null, operation, status: 'PENDING' }]);
      const { results } = await tenant.done(reply);
      expect(results).toEqual([
        { userId: 'u', orgId: null, operation, status: orgIds === undefined ? 'CREATED' : 'NO_CHANGE' },
      ]);
    }
  });

  it('generates a userId when it is omitted, a different one for every call', async () => {
    const tenant = await t.tenant();
    const made = new Set<string>();
    for (const userId of [undefined, null, undefined]) {
      const reply = await tenant.post('/v2/users', { email: 'a@x.io', userId });
      const [item] = reply.body.data.results;
      expect(item.userId).toMatch(uuid);
      expect((await tenant.done(reply)).results[0].userId).toBe(item.userId);
      expect((await tenant.get(`/v2/users/${item.userId}`)).body.data.userId).toBe(item.userId);
      made.add(item.userId);
    }
    expect(made.size).toBe(3);
  });

  it('creates the contact of an unknown email as any other contact, and finds a known one', async () => {
    const tenant = await t.tenant();
    const first = await write(tenant, { email: 'zoe@findme.io', userId: 'a' });
    expect(first.data.results[0].status).toBe('CREATED');
    const { contactId } = first.data.results[0];
    expect((await tenant.get(`/v1/contacts/${contactId}`)).body.data).toMatchObject({
      email: 'zoe@findme.io',
      properties: {},
    });
    const found = await tenant.get('/v2/contacts?search=FINDME');
    expect(found.body).toMatchObject({ data: [{ id: contactId }], pagination: { totalElements: 1 } });
    const second = await write(tenant, { email: 'ZOE@findme.io', userId: 'b', properties: { plan: 'pro' } });
    expect(second.data.results).toEqual([{ email: 'zoe@findme.io', status: 'NO_CHANGE', contactId }]);
    expect((await tenant.get('/v2/contacts')).body.pagination.totalElements).toBe(1);
    expect((await tenant.get(`/v1/contacts/${contactId}`)).body.data.properties).toEqual({});
    expect((await tenant.get(`/v1/contacts/${contactId}/activity-log`)).body.data).toEqual([]);
  });

  it('logs later changes of a user with its contact, newest first, until that is erased', async () => {
    const tenant = await t.tenant();
    await write(tenant, { email: 'ada@x.io', userId: 'ada.1', properties: { plan: 'free', seats: 3 } });
    await write(tenant, { email: 'ada@x.io', userId: 'ada.1', properties: { plan: 'pro', seats: 3 } });
    const done = await write(tenant, { email: 'ada@x.io', userId: 'ada.1', properties: { seats: null, tags: ['a'] } });
    await write(tenant, { email: 'ada@x.io', userId: 'ada.1', properties: { tags: ['a'], gone: null } });
    const { contactId } = done.data.results[0];
    const log = (await tenant.get(`/v1/contacts/${contactId}/activity-log?pageSize=2`)).body;
    const common = { source: 'api', changedAt: expect.stringMatching(isoTime) };
    expect(log.data).toEqual([
      { field: 'users.ada.1.tags', oldValue: null, newValue: ['a'], ...common },
      { field: 'users.ada.1.seats', oldValue: 3, newValue: null, ...common },
    ]);
    expect(log.pagination).toMatchObject({ totalElements: 3, totalPages: 2 });
    const contact = (await tenant.get(`/v1/contacts/${contactId}`)).body.data;
    expect([contact.properties, contact.updatedAt]).toEqual([{}, contact.createdAt]);
    await tenant.done(await tenant.delete(`/v2/contacts/${contactId}`));
    const left = sql<{ n: number }>`select count(*) as n from contact_change where tenant_id = ${tenant.tenantId}`;
    expect((await t.db.row(left))?.n).toBe(0);
  });

  it('refuses an organization that is unknown with 404, names it, and writes nothing', async () => {
    const [tenant, other] = [await tenantWith('acme'), await tenantWith('theirs')];
    const before = await countRows(tenant);
    for (const unknown of ['nobody', 'theirs', 'ACME']) {
      const reply = await tenant.post('/v2/users', { email: 'a@x.io', orgIds: ['acme', unknown] });
      expect(codeOf(reply)).toEqual([404, 'NOT_FOUND']);
      expect(reply.body.data).toBeNull();
      expect(reply.body.errors).toEqual([
        { errorCode: 'NOT_FOUND', message: 'No such organization.', detail: unknown },
      ]);
      const keyed = await tenant.post(
        '/v2/users',
        { email: 'a@x.io', orgIds: [unknown] },
        { 'idempotency-key': unknown },
      );
      expect(codeOf(keyed)).toEqual([404, 'NOT_FOUND']);
    }
    expect(await countRows(tenant)).toEqual(before);
    expect((await other.get('/v2/organizations/theirs/members')).body.data).toEqual([]);
    expect((await tenant.get('/v2/contacts/by-email/a@x.io')).status).toBe(400);
  });

  it('takes an organization that only a membership names', async () => {
    const tenant = await tenantWith('old');
    await write(tenant, { email: 'a@x.io', userId: 'a', orgIds: ['old'] });
    await t.db.run(sql`delete from organization where tenant_id = ${tenant.tenantId}`);
    expect(statuses(await write(tenant, { email: 'b@x.io', userId: 'b', orgIds: ['old'] }))).toEqual(['CREATED']);
    expect((await tenant.get('/v2/organizations')).body.data).toEqual([]);
  });

  it('takes 100 orgIds and refuses 101, repeats or not', async () => {
    const all = names(100);
    const tenant = await tenantWith(...all);
    const done = await write(tenant, { email: 'a@x.io', userId: 'u', orgIds: all });
    expect(done.results).toEqual(all.map((orgId) => ({ userId: 'u', orgId, operation, status: 'CREATED' })));
    expect((await tenant.get('/v2/users/u')).body.data.orgIds).toEqual(all);
    for (const orgIds of [[...all, 'org-0'], Array(101).fill('org-0'), names(101)]) {
      const reply = await tenant.post('/v2/users', { email: 'b@x.io', orgIds });
      expect(codeOf(reply)).toEqual([400, 'VALIDATION_ERROR']);
      expect(reply.body.errors[0].detail).toBe('orgIds');
    }
    expect((await countRows(tenant)).writes).toBe(1);
  });

  it('collapses repeated orgIds in the order of their first mention', async () => {
    const tenant = await tenantWith('a', 'b', 'c');
    const reply = await tenant.post('/v2/users', { email: 'a@x.io', userId: 'u', orgIds: ['c', 'a', ' c', 'b', 'a'] });
    expect(reply.body.data.results.map((row: { orgId: string }) => row.orgId)).toEqual(['c', 'a', 'b']);
    expect(statuses(await tenant.done(reply))).toEqual(['CREATED', 'CREATED', 'CREATED']);
    expect((await tenant.get('/v2/users/u')).body.data.orgIds).toEqual(['c', 'a', 'b']);
  });

  it.each([
    [{}, 'email'],
    [{ email: null }, 'email'],
    [{ email: ' ' }, 'email'],
    [{ email: 'nonsense' }, 'email'],
    [{ email: 7 }, 'email'],
    [{ email: `${'x'.repeat(250)}@x.io` }, 'email'],
    [{ email: 'a@x.io', userId: ' ' }, 'userId'],
    [{ email: 'a@x.io', userId: 7 }, 'userId'],
    [{ email: 'a@x.io', userId: 'u'.repeat(256) }, 'userId'],
    [{ email: 'a@x.io', userId: 'u\0' }, 'userId'],
    [{ email: 'a@x.io', orgIds: 'acme' }, 'orgIds'],
    [{ email: 'a@x.io', orgIds: [''] }, 'orgIds[0]'],
    [{ email: 'a@x.io', orgIds: [null] }, 'orgIds[0]'],
    [{ email: 'a@x.io', orgIds: ['o'.repeat(256)] }, 'orgIds[0]'],
    [{ email: 'a@x.io', properties: [] }, 'properties'],
    [{ email: 'a@x.io', properties: { a: '\ud800' } }, 'properties'],
  ])('refuses %j with 400 that names %s', async (body, detail) => {
    const tenant = await t.tenant();
    const reply = await tenant.post('/v2/users', body);
    expect(codeOf(reply)).toEqual([400, 'VALIDATION_ERROR']);
    expect(reply.body.errors[0].detail).toBe(detail);
    expect((await countRows(tenant)).writes).toBe(0);
  });

  it('takes a userId of 255 characters and one with any characters', async () => {
    const tenant = await t.tenant();
    for (const userId of ['u'.repeat(255), 'a/b c?d#e%', 'ünï-☂', "x'; --", '__proto__', 'constructor']) {
      expect((await write(tenant, { email: 'a@x.io', userId })).results[0]).toMatchObject({
        userId,
        status: 'CREATED',
      });
      const path = `/v2/users/${encodeURIComponent(userId)}`;
      expect((await tenant.get(path)).body.data.userId).toBe(userId);
      expect((await tenant.delete(path)).body.data).toEqual({ success: true });
    }
  });
});

describe('polling a product-user write', () => {
  it('answers the same at /contacts/transactions of both versions and at /users/transactions', async () => {
    const tenant = await t.tenant();
    const done = await write(tenant, { email: 'a@x.io', userId: 'u' });
    for (const path of ['/v1/contacts', '/v2/contacts', '/v2/users']) {
      expect((await tenant.get(`${path}/transactions/${done.transactionId}`)).body.data).toEqual(done);
    }
  });

  it('does not know other writes, other tenants or malformed ids', async () => {
    const [tenant, other] = [await t.tenant(), await t.tenant()];
    const contact = await tenant.done(await tenant.post('/v1/contacts', { email: 'c@x.io' }));
    const theirs = await write(other, { email: 'a@x.io' });
    for (const transactionId of [contact.transactionId, theirs.transactionId, `${tenant.tenantId}-x`, 'x']) {
      const reply = await tenant.get(`/v2/users/transactions/${transactionId}`);
      expect(reply.status).toBe(200);
      expect(reply.body.data).toEqual({ transactionId, status: 'NOT_EXIST' });
    }
  });
});
