import { describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../../test/app.js';
import { sql } from '../../../db/sql.js';

const t = useApp({ work: true });
const nobody = '0'.repeat(32);

async function contacts(tenant: TenantClient, count: number, properties: object = {}): Promise<string[]> {
  const batch = Array.from({ length: count }, (_, i) => ({ email: `m${i}-${Math.random()}@x.io`, properties }));
  const { data } = await tenant.done(await tenant.post('/v1/contacts/batch', { contacts: batch }));
  return data.results.map((row: { contactId: string }) => row.contactId);
}

async function list(tenant: TenantClient, name = 'L'): Promise<string> {
  return (await tenant.post('/v1/lists', { name })).body.data.staticListId;
}

describe('POST /lists/{id}/members', () => {
  it('adds contacts, counts those who were members, and names the unknown ones beside a success', async () => {
    const tenant = await t.tenant();
    const [a, b] = await contacts(tenant, 2);
    const id = await list(tenant);
    const first = await tenant.post(`/v1/lists/${id}/members`, { contactIds: [a, a] });
    expect(first.body.data).toEqual({ added: 1, alreadyMembers: 0 });
    expect(first.body.errors).toEqual([]);
    const second = await tenant.post(`/v2/lists/${id}/members`, { contactIds: [a, nobody, b, 'junk\0'] });
    expect(second.status).toBe(400);
    const third = await tenant.post(`/v2/lists/${id}/members`, { contactIds: [a, nobody, b, 'junk'] });
    expect(third.status).toBe(200);
    expect(third.body.meta.status).toBe('SUCCESS');
    expect(third.body.data).toEqual({ added: 1, alreadyMembers: 1 });
    expect(third.body.errors).toEqual([
      { errorCode: 'CONTACTS_NOT_FOUND', message: expect.stringContaining(nobody), detail: nobody },
      { errorCode: 'CONTACTS_NOT_FOUND', message: expect.stringContaining('junk'), detail: 'junk' },
    ]);
    expect((await tenant.get(`/v1/lists/${id}`)).body.data.numRecords).toBe(2);
  });

  it.each([
    [{}],
    [{ contactIds: [] }],
    [{ contactIds: 'x' }],
    [{ contactIds: [1] }],
    [{ contactIds: Array(1001).fill(nobody) }],
  ])('refuses %j with 400', async (body) => {
    const tenant = await t.tenant();
    expect((await tenant.post(`/v1/lists/${await list(tenant)}/members`, body)).status).toBe(400);
  });

  it('answers 404 for a list that is missing, deleted or of another tenant', async () => {
    const [tenant, other] = [await t.tenant(), await t.tenant()];
    const [contact] = await contacts(tenant, 1);
    const deleted = await list(tenant);
    await tenant.delete(`/v1/lists/${deleted}`);
    for (const id of ['0'.repeat(24), 'x', deleted, await list(other)]) {
      expect((await tenant.post(`/v1/lists/${id}/members`, { contactIds: [contact] })).status).toBe(404);
      expect((await tenant.get(`/v1/lists/${id}/members`)).status).toBe(404);
      expect((await tenant.delete(`/v1/lists/${id}/members/${contact}`)).status).toBe(404);
    }
  });

  it("does not add another tenant's contact", async () => {
    const [tenant, other] = [await t.tenant(), await t.tenant()];
    const [stranger] = await contacts(other, 1);
    const reply = await tenant.post(`/v1/lists/${await list(tenant)}/members`, { contactIds: [stranger] });
    expect(reply.body.data).toEqual({ added: 0, alreadyMembers: 0 });
    expect(reply.body.errors[0].errorCode).toBe('CONTACTS_NOT_FOUND');
  });

  it('replays the whole answer, errors too, for a repeated Idempotency-Key', async () => {
    const tenant = await t.tenant();
    const [a] = await contacts(tenant, 1);
    const path = `/v1/lists/${await list(tenant)}/members`;
    const headers = { 'idempotency-key': 'k1' };
    const first = await tenant.post(path, { contactIds: [a, nobody] }, headers);
    const again = await tenant.post(path, { contactIds: [a, nobody] }, headers);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.body.data).toEqual(first.body.data);
    expect(again.body.errors).toEqual(first.body.errors);
  });

  it('keeps numRecords exact under concurrent adds, removals and erasure', async () => {
    const tenant = await t.tenant();
    const ids = await contacts(tenant, 30);
    const id = await list(tenant);
    const add = (some: string[]) => tenant.post(`/v1/lists/${id}/members`, { contactIds: some });
    await Promise.all([add(ids), add([...ids].reverse()), add(ids.slice(5, 20)), add(ids.slice(10))]);
    await Promise.all(ids.slice(0, 5).map((contactId) => tenant.delete(`/v1/lists/${id}/members/${contactId}`)));
    await tenant.done(await tenant.delete(`/v2/contacts/${ids[29]}`));
    const page = (await tenant.get(`/v1/lists/${id}/members?pageSize=200`)).body;
    expect(page.data).toHaveLength(24);
    expect(page.pagination.totalElements).toBe(24);
    expect((await tenant.get('/v2/lists')).body.data[0].numRecords).toBe(24);
    const stored = await t.db.row(
      sql<{ n: number }>`select count(*) as n from list_member where tenant_id = ${tenant.tenantId}`,
    );
    expect(stored?.n).toBe(24);
  });
});

describe('GET /lists/{id}/members', () => {
  it('pages the members in camelCase, null when unset', async () => {
    const tenant = await t.tenant();
    const properties = { first_name: 'Ada', last_name: 'L', company_name: 'A Ltd', phone_number: 42, other: 1 };
    const [full] = await contacts(tenant, 1, properties);
    const [bare] = await contacts(tenant, 1);
    const id = await list(tenant);
    await tenant.post(`/v1/lists/${id}/members`, { contactIds: [bare, full] });
    const { data, pagination } = (await tenant.get(`/v2/lists/${id}/members`)).body;
    expect(data).toEqual([
      {
        contactId: full,
        email: expect.any(String),
        firstName: 'Ada',
        lastName: 'L',
        companyName: 'A Ltd',
        phoneNumber: '42',
        title: null,
      },
      {
        contactId: bare,
        email: expect.any(String),
        firstName: null,
        lastName: null,
        companyName: null,
        phoneNumber: null,
        title: null,
      },
    ]);
    expect(pagination).toEqual({ pageNumber: 1, pageSize: 20, totalElements: 2, totalPages: 1 });
    const second = (await tenant.get(`/v1/lists/${id}/members?pageSize=1&pageNumber=2`)).body;
    expect(second.data.map((row: { contactId: string }) => row.contactId)).toEqual([bare]);
    expect((await tenant.get(`/v1/lists/${id}/members?page_size=1`)).body.data).toHaveLength(2);
    expect((await tenant.get(`/v1/lists/${id}/members?pageNumber=9`)).body.data).toEqual([]);
  });
});

describe('DELETE /lists/{id}/members/{contactId}', () => {
  it('removes a member, and distinguishes an unknown contact from one who is not a member', async () => {
    const tenant = await t.tenant();
    const [a] = await contacts(tenant, 1);
    const id = await list(tenant);
    await tenant.post(`/v1/lists/${id}/members`, { contactIds: [a] });
    const path = `/v1/lists/${id}/members/${a}`;
    expect((await tenant.delete(path)).body.data).toEqual({ staticListId: id, contactId: a, success: true });
    const again = await tenant.delete(path);
    expect([again.status, again.body.errors[0].errorCode]).toEqual([404, 'CONTACT_NOT_FOUND']);
    for (const stranger of [nobody, 'x']) {
      const reply = await tenant.delete(`/v1/lists/${id}/members/${stranger}`);
      expect([reply.status, reply.body.errors[0].errorCode]).toEqual([400, 'BAS-E-002']);
    }
    expect((await tenant.get(`/v1/lists/${id}`)).body.data.numRecords).toBe(0);
  });
});
