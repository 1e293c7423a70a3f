import { describe, expect, it } from 'vitest';
import { type Reply, useApp } from '../../../test/app.js';
import { codeOf, names, operation, statuses, userWrites, uuid, write } from '../../../test/user-writes.js';
import { sql } from '../../db/sql.js';
import { Appliers, serveTenant } from '../transactions/index.js';
import { userApplier } from './apply-writes.js';

const t = useApp({ work: true });

const { tenantWith, countRows } = userWrites(t);

describe('a second write for a user', () => {
  it('is CREATED if it joins, UPDATED if properties changed, else NO_CHANGE', async () => {
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

/** Queues writes so that one run of the worker takes them all. */
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
