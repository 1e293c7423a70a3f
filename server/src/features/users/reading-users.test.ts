import { describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../test/app.js';
import { codeOf, names, operation, statuses, userWrites, write } from '../../../test/user-writes.js';
import { sql } from '../../db/sql.js';

const t = useApp({ work: true });

const { tenantWith } = userWrites(t);

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

  it('lets the person come back as a new one', async () => {
    const tenant = await tenantWith('acme');
    const first = await write(tenant, { email: 'back@x.io', userId: 'u', orgIds: ['acme'] });
    await tenant.done(await tenant.delete(`/v2/contacts/${first.data.results[0].contactId}`));
    const again = await write(tenant, { email: 'back@x.io', userId: 'u', orgIds: ['acme'] });
    expect(statuses(again)).toEqual(['CREATED']);
    expect(again.data.results[0].contactId).not.toBe(first.data.results[0].contactId);
  });
});

describe('old transactions', () => {
  it('are removed with what is kept beside them', async () => {
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
