import { describe, expect, it } from 'vitest';
import { type Reply, type TenantClient, useApp } from '../../../test/app.js';
import { sql } from '../../db/sql.js';
import { Appliers, serveTenant } from '../transactions/index.js';
import { userApplier } from './apply-writes.js';

const t = useApp({ work: true });
const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const operation = 'UPSERT_PRODUCT_USER';

const codeOf = ({ status, body }: Reply) => [status, body.errors[0]?.errorCode];
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
const statuses = (done: any) => done.results.map((row: { status: string }) => row.status);
const names = (count: number, prefix = 'org-') => Array.from({ length: count }, (_, i) => `${prefix}${i}`);

/** A tenant with organizations. */
async function tenantWith(...orgIds: string[]): Promise<TenantClient> {
  const tenant = await t.tenant();
  // One after the other: a hundred at once would wait for connections, and be refused on a busy machine.
  for (const orgId of orgIds) expect((await tenant.post('/v2/organizations', { orgId, name: orgId })).status).toBe(200);
  return tenant;
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
async function write(tenant: TenantClient, body: object, headers?: Record<string, string>): Promise<any> {
  return tenant.done(await tenant.post('/v2/users', body, headers));
}

async function countRows(tenant: TenantClient): Promise<Record<string, number>> {
  const row = await t.db.row(sql<Record<string, number>>`
    select (select count(*) from write_transaction where tenant_id = ${tenant.tenantId}) as writes,
      (select count(*) from contact where tenant_id = ${tenant.tenantId}) as contacts,
      (select count(*) from product_user where tenant_id = ${tenant.tenantId}) as users,
      (select count(*) from org_membership where tenant_id = ${tenant.tenantId}) as memberships,
      (select count(*) from organization where tenant_id = ${tenant.tenantId}) as organizations`);
  return row as Record<string, number>;
}

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

  it('generates a userId when it is omitted, and every call another', async () => {
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

  it('logs what changes of a user after it was made with its contact, newest first, and until that is erased', async () => {
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

  it('collapses repeated orgIds, the first one keeping its place', async () => {
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

describe('a second write for a user', () => {
  it('is CREATED where it joins, UPDATED where properties changed, else NO_CHANGE', async () => {
    const tenant = await tenantWith('a', 'b', 'c');
    const base = { email: 'a@x.io', userId: 'u' };
    await write(tenant, { ...base, orgIds: ['a'], properties: { plan: 'free', keep: 1 } });
    const before = (await tenant.get('/v2/users/u')).body.data;
    expect(statuses(await write(tenant, { ...base, orgIds: ['a'], properties: { plan: 'free' } }))).toEqual([
      'NO_CHANGE',
    ]);
    expect(statuses(await write(tenant, { ...base, orgIds: ['a', 'b'] }))).toEqual(['NO_CHANGE', 'CREATED']);
    const joined = (await tenant.get('/v2/users/u')).body.data;
    expect(joined).toEqual({ ...before, orgIds: ['a', 'b'] });
    const last = await write(tenant, { ...base, orgIds: ['c', 'b'], properties: { plan: 'pro', keep: null } });
    expect(statuses(last)).toEqual(['CREATED', 'UPDATED']);
    expect(statuses(await write(tenant, { ...base, properties: { plan: 'team' } }))).toEqual(['UPDATED']);
    const after = (await tenant.get('/v2/users/u')).body.data;
    expect(after).toMatchObject({ orgIds: ['a', 'b', 'c'], properties: { plan: 'team' }, createdAt: before.createdAt });
    expect(after.updatedAt > before.updatedAt).toBe(true);
  });

  it('merges properties as contacts do: a later value wins, missing keys stay, null removes, bad keys are named', async () => {
    const tenant = await t.tenant();
    const first = { a: 1, b: [1, 'x'], 'Bad Key': 1, nested: { a: 1 }, __proto__x: 2 };
    const done = await write(tenant, { email: 'a@x.io', userId: 'u', properties: first });
    expect(done.results[0].ignoredProperties).toEqual(['Bad Key', 'nested']);
    expect(done.data.results[0].ignoredProperties).toEqual(['Bad Key', 'nested']);
    const body = '{"email":"a@x.io","userId":"u","properties":{"a":1e999,"b":null,"c":true,"d":[1e999]}}';
    await tenant.done(await tenant.post('/v2/users', body));
    expect((await tenant.get('/v2/users/u')).body.data.properties).toEqual({ a: 1, c: true, __proto__x: 2 });
  });

  it('FAILS above 500 keys or 32 KiB, and then nothing of it is stored', async () => {
    const tenant = await tenantWith('acme');
    const large = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) });
    expect(statuses(await write(tenant, { email: 'a@x.io', userId: 'u', properties: large(32_768) }))).toEqual([
      'CREATED',
    ]);
    const over = await write(tenant, { email: 'a@x.io', userId: 'u', orgIds: ['acme'], properties: { b: 1 } });
    const error = expect.stringContaining("user's properties");
    expect(over.results).toEqual([{ userId: 'u', orgId: 'acme', operation, status: 'FAILED', error }]);
    expect(over.data.results).toEqual([{ email: 'a@x.io', status: 'FAILED', contactId: expect.any(String), error }]);
    const many = Object.fromEntries(names(501, 'k').map((key) => [key, 1]));
    const stranger = await write(tenant, { email: 'new@x.io', userId: 'n', orgIds: ['acme'], properties: many });
    expect(statuses(stranger)).toEqual(['FAILED']);
    expect(stranger.data.results).toEqual([
      { email: 'new@x.io', status: 'FAILED', error: expect.stringContaining('501') },
    ]);
    expect(await countRows(tenant)).toMatchObject({ contacts: 1, users: 1, memberships: 0 });
  });

  it('with another email FAILS every item and changes nothing', async () => {
    const tenant = await tenantWith('a', 'b');
    await write(tenant, { email: 'owner@x.io', userId: 'u', orgIds: ['a'], properties: { plan: 'pro' } });
    const before = (await tenant.get('/v2/users/u')).body.data;
    const done = await write(tenant, {
      email: 'thief@x.io',
      userId: 'u',
      orgIds: ['a', 'b'],
      properties: { plan: 'x' },
    });
    expect(statuses(done)).toEqual(['FAILED', 'FAILED']);
    expect(done.results[0].error).toEqual(expect.any(String));
    expect(done.data.results).toEqual([{ email: 'thief@x.io', status: 'FAILED', error: done.results[0].error }]);
    expect(JSON.stringify(done)).not.toContain('owner@x.io');
    expect((await tenant.get('/v2/users/u')).body.data).toEqual(before);
    expect((await tenant.get('/v2/contacts/by-email/thief@x.io')).status).toBe(400);
    const known = (await write(tenant, { email: 'thief@x.io' })).data.results[0].contactId;
    const again = await write(tenant, { email: 'thief@x.io', userId: 'u' });
    expect(again.data.results[0]).toMatchObject({ email: 'thief@x.io', contactId: known, status: 'FAILED' });
    expect((await tenant.delete('/v2/users/u')).status).toBe(200);
    expect(statuses(await write(tenant, { email: 'thief@x.io', userId: 'u' }))).toEqual(['CREATED']);
  });

  it('of another tenant is about another user', async () => {
    const [one, two] = [await t.tenant(), await t.tenant()];
    expect(statuses(await write(one, { email: 'a@x.io', userId: 'u' }))).toEqual(['CREATED']);
    expect(statuses(await write(two, { email: 'b@x.io', userId: 'u' }))).toEqual(['CREATED']);
    expect((await two.delete('/v2/users/u')).status).toBe(200);
    expect((await one.get('/v2/users/u')).status).toBe(200);
  });
});

/** Writes that wait until one run of the worker takes them all. */
describe('a run of many writes', () => {
  const idle = useApp();
  const appliers = new Appliers();
  appliers.onApply(userApplier);

  it('shows PENDING items until it is applied, then applies them in order', async () => {
    const tenant = await idle.tenant();
    for (const orgId of ['a', 'b']) await tenant.post('/v2/organizations', { orgId, name: orgId });
    const bodies = [
      { email: 'one@x.io', userId: 'u', orgIds: ['b'], properties: { n: 1 } },
      { email: 'one@x.io', userId: 'u', orgIds: ['b', 'a'], properties: { n: 2 } },
      { email: 'two@x.io', userId: 'u', properties: { n: 3 } },
      { email: 'two@x.io', userId: 'v' },
      { email: 'one@x.io', userId: 'u', properties: { n: 2 } },
      { email: 'one@x.io', userId: 'first' },
    ];
    const polls = [];
    for (const body of bodies) {
      const { data } = (await tenant.post('/v2/users', body)).body;
      const poll = `/v2/users/transactions/${data.transactionId}`;
      expect((await tenant.get(poll)).body.data).toEqual(data);
      polls.push(poll);
    }
    expect(await serveTenant(idle.db, appliers, tenant.tenantId)).toBe(bodies.length);
    const done = await Promise.all(polls.map(async (poll) => (await tenant.get(poll)).body.data));
    expect(done.map(statuses)).toEqual([
      ['CREATED'],
      ['UPDATED', 'CREATED'],
      ['FAILED'],
      ['CREATED'],
      ['NO_CHANGE'],
      ['CREATED'],
    ]);
    const contacts = done.map((one) => one.data.results[0].status);
    expect(contacts).toEqual(['CREATED', 'NO_CHANGE', 'FAILED', 'CREATED', 'NO_CHANGE', 'NO_CHANGE']);
    const users = (await tenant.get('/v2/users/by-email/one@x.io')).body.data;
    expect(users).toMatchObject([
      { userId: 'first', orgIds: [] },
      { userId: 'u', orgIds: ['b', 'a'], properties: { n: 2 } },
    ]);
  });

  it('ends a write that cannot even be read as FAILED, and applies the others', async () => {
    const tenant = await idle.tenant();
    const bad = await tenant.post('/v2/users', { email: 'bad@x.io', userId: 'bad' });
    await idle.db.run(sql`update write_transaction set payload = '{' where tenant_id = ${tenant.tenantId}`);
    const good = await tenant.post('/v2/users', { email: 'good@x.io', userId: 'good' });
    for (let turns = 0; turns < 2; turns++) await serveTenant(idle.db, appliers, tenant.tenantId);
    const read = async ({ body }: Reply) =>
      (await tenant.get(`/v1/contacts/transactions/${body.data.transactionId}`)).body.data;
    expect((await read(bad)).results).toMatchObject([{ userId: null, orgId: null, status: 'FAILED' }]);
    expect(statuses(await read(good))).toEqual(['CREATED']);
  });

  it('ends a write that can never be applied as FAILED, and applies the others', async () => {
    const tenant = await idle.tenant();
    await tenant.post('/v2/organizations', { orgId: 'a', name: 'a' });
    const bad = await tenant.post('/v2/users', {
      email: 'bad@x.io',
      userId: 'bad',
      orgIds: ['a'],
      properties: { a: 'poison' },
    });
    const good = await tenant.post('/v2/users', { email: 'good@x.io', userId: 'good' });
    await idle.db.run(sql`
      update write_transaction set payload = replace(payload, 'poison', '\\u0000')
      where tenant_id = ${tenant.tenantId} and payload like '%poison%'`);
    for (let turns = 0; turns < 2; turns++) await serveTenant(idle.db, appliers, tenant.tenantId);
    const read = async ({ body }: Reply) =>
      (await tenant.get(`/v1/contacts/transactions/${body.data.transactionId}`)).body.data;
    const refused = await read(bad);
    const error = expect.stringContaining('cannot be applied');
    expect(refused.results).toEqual([{ userId: null, orgId: 'a', operation, status: 'FAILED', error }]);
    expect(refused.data.results).toEqual([{ email: 'bad@x.io', status: 'FAILED', error }]);
    expect(statuses(await read(good))).toEqual(['CREATED']);
  });
});

describe('concurrent posts', () => {
  it('for one user and one email make one of each, and every poll ends', async () => {
    const tenant = await tenantWith('acme');
    const replies = await Promise.all(
      names(40).map((_, i) =>
        tenant.post('/v2/users', {
          email: 'crowd@x.io',
          userId: 'u',
          orgIds: ['acme'],
          properties: { [`k${i % 20}`]: i },
        }),
      ),
    );
    const all = [];
    for (const reply of replies) all.push(...statuses(await tenant.done(reply)));
    expect(all.filter((status) => status === 'CREATED')).toHaveLength(1);
    expect(all).not.toContain('FAILED');
    expect(await countRows(tenant)).toMatchObject({ contacts: 1, users: 1, memberships: 1 });
    expect(Object.keys((await tenant.get('/v2/users/u')).body.data.properties)).toHaveLength(20);
  });

  it('beside contact writes keep the order in which they were acknowledged', async () => {
    const tenant = await t.tenant();
    const user = await tenant.post('/v2/users', { email: 'order@x.io' });
    const contact = await tenant.post('/v1/contacts', { email: 'order@x.io' });
    expect((await tenant.done(user)).data.results[0].status).toBe('CREATED');
    expect((await tenant.done(contact)).data.results[0].status).toBe('FAILED');
  });
});

describe('an Idempotency-Key on POST /users', () => {
  it('replays the same userId and transaction, and writes once', async () => {
    const tenant = await tenantWith('acme');
    const headers = { 'idempotency-key': 'k' };
    const body = { email: 'a@x.io', orgIds: ['acme'] };
    const first = await tenant.post('/v2/users', body, headers);
    const again = await tenant.post('/v2/users', body, headers);
    expect(first.body.data.results[0].userId).toMatch(uuid);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.body.data).toEqual(first.body.data);
    await tenant.done(first);
    expect((await tenant.post('/v2/users', body, headers)).body.data).toEqual(first.body.data);
    expect((await tenant.get('/v2/users/by-email/a@x.io')).body.data).toHaveLength(1);
    const other = await tenant.post('/v2/users', { email: 'b@x.io' }, headers);
    expect(codeOf(other)).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
  });

  it('makes one user of 20 requests at once', async () => {
    const tenant = await t.tenant();
    const headers = { 'idempotency-key': 'k' };
    const replies = await Promise.all(names(20).map(() => tenant.post('/v2/users', { email: 'a@x.io' }, headers)));
    for (const reply of replies) expect(reply.body.data).toEqual(replies[0]?.body.data);
    expect((await countRows(tenant)).writes).toBe(1);
  });

  it('replays even when the organization is no longer known', async () => {
    const tenant = await tenantWith('old');
    const headers = { 'idempotency-key': 'k' };
    const body = { email: 'a@x.io', userId: 'u', orgIds: ['old'] };
    const first = await tenant.post('/v2/users', body, headers);
    await tenant.done(first);
    await t.db.run(sql`delete from organization where tenant_id = ${tenant.tenantId}`);
    await tenant.delete('/v2/users/u');
    expect((await tenant.post('/v2/users', body, headers)).body.data).toEqual(first.body.data);
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

describe('reading product users', () => {
  it('answers 404 for a user that is not there', async () => {
    const tenant = await t.tenant();
    for (const userId of ['nobody', 'by-email', 'transactions', 'x'.repeat(3000), '%00']) {
      expect(codeOf(await tenant.get(`/v2/users/${userId}`))).toEqual([404, 'NOT_FOUND']);
      expect(codeOf(await tenant.delete(`/v2/users/${userId}`))).toEqual([404, 'NOT_FOUND']);
    }
  });

  it('by email answers all users of the contact, newest first', async () => {
    const tenant = await tenantWith('acme');
    for (const userId of ['b', 'c', 'a']) await write(tenant, { email: 'many@x.io', userId, orgIds: ['acme'] });
    await write(tenant, { email: 'other@x.io', userId: 'd' });
    const reply = await tenant.get('/v2/users/by-email/%20MANY@x.io%20');
    expect(reply.body).not.toHaveProperty('pagination');
    expect(reply.body.data.map((row: { userId: string }) => row.userId)).toEqual(['a', 'c', 'b']);
    expect(reply.body.data[2]).toEqual((await tenant.get('/v2/users/b')).body.data);
  });

  it('by email is empty for a contact without users and 400 for a missing contact', async () => {
    const [tenant, other] = [await t.tenant(), await t.tenant()];
    await tenant.done(await tenant.post('/v1/contacts', { email: 'alone@x.io' }));
    await write(other, { email: 'theirs@x.io' });
    expect((await tenant.get('/v2/users/by-email/alone@x.io')).body.data).toEqual([]);
    for (const email of ['nobody@x.io', 'theirs@x.io', 'nonsense']) {
      expect(codeOf(await tenant.get(`/v2/users/by-email/${email}`))).toEqual([400, 'BAS-E-002']);
    }
  });
});

describe('DELETE /users/{userId}', () => {
  it('removes the user and its memberships, and leaves the contact', async () => {
    const tenant = await tenantWith('a', 'b');
    const made = await write(tenant, { email: 'a@x.io', userId: 'u', orgIds: ['a', 'b'] });
    await write(tenant, { email: 'a@x.io', userId: 'v', orgIds: ['a'] });
    expect((await tenant.delete('/v2/users/u')).body.data).toEqual({ success: true });
    expect(codeOf(await tenant.get('/v2/users/u'))).toEqual([404, 'NOT_FOUND']);
    expect(codeOf(await tenant.delete('/v2/users/u'))).toEqual([404, 'NOT_FOUND']);
    expect((await tenant.get('/v2/organizations/a/members')).body).toMatchObject({
      data: [{ userId: 'v' }],
      pagination: { totalElements: 1 },
    });
    expect((await tenant.get('/v2/organizations/b/members')).body.pagination.totalElements).toBe(0);
    expect((await tenant.get(`/v1/contacts/${made.data.results[0].contactId}`)).status).toBe(200);
    const poll = (await tenant.get(`/v2/users/transactions/${made.transactionId}`)).body.data;
    expect(poll).toEqual(made);
    expect(statuses(await write(tenant, { email: 'a@x.io', userId: 'u', orgIds: ['a'] }))).toEqual(['CREATED']);
    expect((await tenant.get('/v2/users/u')).body.data).toMatchObject({ orgIds: ['a'], properties: {} });
  });
});

describe('erasure of a contact', () => {
  const anywhere = async (tenant: TenantClient, text: string): Promise<number> => {
    const row = await t.db.row(sql<{ n: number }>`
      select (select count(*) from write_transaction w where tenant_id = ${tenant.tenantId} and position(${text} in w::text) > 0)
        + (select count(*) from write_failure w where tenant_id = ${tenant.tenantId} and position(${text} in w::text) > 0)
        + (select count(*) from user_write w where tenant_id = ${tenant.tenantId} and position(${text} in w::text) > 0)
        + (select count(*) from product_user w where tenant_id = ${tenant.tenantId} and position(${text} in w::text) > 0)
        + (select count(*) from org_membership w where tenant_id = ${tenant.tenantId} and position(${text} in w::text) > 0)
        + (select count(*) from idempotency_key w where tenant_id = ${tenant.tenantId} and position(${text} in w::text) > 0)
        as n`);
    return row?.n ?? -1;
  };

  it('removes users, memberships and what polls show of them', async () => {
    const tenant = await tenantWith('acme');
    const key = { 'idempotency-key': 'k' };
    const body = { email: 'gone@x.io', userId: 'secret-1', orgIds: ['acme'], properties: { a: 1 } };
    const made = await write(tenant, body, key);
    const deleted = await write(tenant, { email: 'gone@x.io', userId: 'secret-2', orgIds: ['acme'] });
    await tenant.delete('/v2/users/secret-2');
    const stays = await write(tenant, { email: 'stays@x.io', userId: 'stays', orgIds: ['acme'] });
    const taken = await write(tenant, { email: 'stays@x.io', userId: 'secret-1' });
    expect(statuses(taken)).toEqual(['FAILED']);
    const { contactId } = made.data.results[0];
    await tenant.done(await tenant.delete(`/v2/contacts/${contactId}`));

    expect((await tenant.get('/v2/users/secret-1')).status).toBe(404);
    expect(codeOf(await tenant.get('/v2/users/by-email/gone@x.io'))).toEqual([400, 'BAS-E-002']);
    expect((await tenant.get('/v2/organizations/acme/members')).body).toMatchObject({
      data: [{ userId: 'stays' }],
      pagination: { totalElements: 1 },
    });
    const item = { userId: null, orgId: 'acme', operation, status: 'CREATED' };
    for (const { transactionId } of [made, deleted]) {
      const poll = await tenant.get(`/v2/users/transactions/${transactionId}`);
      expect(poll.body.data).toMatchObject({
        status: 'DONE',
        results: [item],
        data: { results: [{ email: null, contactId }] },
      });
    }
    const failed = (await tenant.get(`/v2/users/transactions/${taken.transactionId}`)).body.data;
    expect(failed.results).toMatchObject([{ userId: null, status: 'FAILED' }]);
    expect((await tenant.get(`/v2/users/transactions/${stays.transactionId}`)).body.data).toEqual(stays);
    expect(await anywhere(tenant, 'secret-')).toBe(0);
    expect(await anywhere(tenant, 'gone@x.io')).toBe(0);
    expect((await tenant.post('/v2/users', body, key)).headers['idempotency-replayed']).toBe('true');
  });

  it('removes what failed before there was a contact', async () => {
    const tenant = await t.tenant();
    const many = Object.fromEntries(names(501, 'k').map((key) => [key, 1]));
    const failed = await write(tenant, { email: 'late@x.io', userId: 'secret-3', properties: many });
    expect(statuses(failed)).toEqual(['FAILED']);
    const { contactId } = (await write(tenant, { email: 'late@x.io', userId: 'other' })).data.results[0];
    await tenant.done(await tenant.delete(`/v2/contacts/${contactId}`));
    const poll = (await tenant.get(`/v2/users/transactions/${failed.transactionId}`)).body.data;
    expect(poll.results).toMatchObject([{ userId: null, status: 'FAILED' }]);
    expect(poll.data.results).toMatchObject([{ email: null, status: 'FAILED' }]);
    expect(await anywhere(tenant, 'secret-3')).toBe(0);
  });

  it('lets the person come back as somebody new', async () => {
    const tenant = await tenantWith('acme');
    const first = await write(tenant, { email: 'back@x.io', userId: 'u', orgIds: ['acme'] });
    await tenant.done(await tenant.delete(`/v2/contacts/${first.data.results[0].contactId}`));
    const again = await write(tenant, { email: 'back@x.io', userId: 'u', orgIds: ['acme'] });
    expect(statuses(again)).toEqual(['CREATED']);
    expect(again.data.results[0].contactId).not.toBe(first.data.results[0].contactId);
  });
});

describe('old transactions', () => {
  it('leave with what is kept beside them', async () => {
    const tenant = await t.tenant();
    await write(tenant, { email: 'a@x.io', userId: 'u' });
    await t.db.run(sql`delete from write_transaction where tenant_id = ${tenant.tenantId}`);
    const row = await t.db.row(
      sql<{ n: number }>`select count(*) as n from user_write where tenant_id = ${tenant.tenantId}`,
    );
    expect(row?.n).toBe(0);
    expect((await tenant.get('/v2/users/u')).status).toBe(200);
  });
});

describe('deletions', () => {
  it('do not overtake writes that were acknowledged before them', async () => {
    const tenant = await tenantWith('acme');
    for (let i = 0; i < 5; i++) {
      const write = await tenant.post('/v2/users', { email: `d${i}@x.io`, userId: `d${i}`, orgIds: ['acme'] });
      expect((await tenant.delete(`/v2/organizations/acme/members/d${i}`)).status).toBe(200);
      expect((await tenant.delete(`/v2/users/d${i}`)).status).toBe(200);
      await tenant.done(write);
      expect((await tenant.get(`/v2/users/d${i}`)).status).toBe(404);
    }
    expect((await tenant.get('/v2/organizations/acme/members')).body.pagination.totalElements).toBe(0);
  });
});
