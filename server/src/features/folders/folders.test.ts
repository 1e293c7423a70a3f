import { describe, expect, it } from 'vitest';
import { type Reply, type TenantClient, useApp } from '../../../test/app.js';
import { emailBody, makeEmail, tenantWithDomain } from '../../../test/emails.js';

const t = useApp();
const unknownId = '0'.repeat(24);

async function newFolder(tenant: TenantClient, name: string): Promise<string> {
  return (await tenant.post('/v2/folders', { name })).body.data.directoryId;
}

async function names(tenant: TenantClient, query = ''): Promise<string[]> {
  return (await tenant.get(`/v2/folders?${query}`)).body.data.map(
    (row: { directoryName: string }) => row.directoryName,
  );
}

function expectFailure(reply: Reply, status: number, errorCode: string): void {
  expect(reply.status).toBe(status);
  expect(reply.body).toMatchObject({ data: null, errors: [{ errorCode }], meta: { status: 'FAILURE' } });
}

describe('a folder that is deleted while something is filed in it', () => {
  it('is not found, or releases it: no race ends otherwise', async () => {
    const tenant = await tenantWithDomain(t);
    const emailId = await makeEmail(tenant);
    const list = (await tenant.post('/v2/lists', { name: 'Filed' })).body.data.staticListId;
    const seen = new Set<string>();
    for (let race = 0; race < 60; race++) {
      const folderId = await newFolder(tenant, `Race ${race}`);
      const replies = await Promise.all([
        tenant.post('/v2/emails', emailBody({ folderId })),
        tenant.patch(`/v2/emails/${emailId}`, { folderId }),
        tenant.delete(`/v2/folders/${folderId}`),
        tenant.patch(`/v2/emails/${emailId}`, { subject: `Race ${race}` }),
        tenant.post('/v2/lists', { name: `Race ${race}`, folder: folderId }),
        tenant.patch(`/v2/lists/${list}`, { folder: `Race ${race}` }),
      ]);
      for (const { status, body } of replies) seen.add(`${status} ${body.errors[0]?.detail ?? ''}`);
    }
    expect([...seen].filter((one) => one !== '200 ' && one !== '400 folderId')).toEqual([]);
  });
});

describe('/v2/folders', () => {
  it('answers a new folder with its id and its trimmed name', async () => {
    const tenant = await t.tenant();
    const { status, body } = await tenant.post('/v2/folders', { name: '  Onboarding ' });
    expect(status).toBe(200);
    expect(body.data).toEqual({ directoryId: expect.stringMatching(/^[0-9a-f]{24}$/), directoryName: 'Onboarding' });
    expect((await tenant.get('/v2/folders')).body.data).toEqual([body.data]);
  });

  it('refuses a taken name with 409 FOLDER_ALREADY_EXISTS, on creation and on renaming', async () => {
    const tenant = await t.tenant();
    await newFolder(tenant, 'taken');
    const id = await newFolder(tenant, 'mine');
    expectFailure(await tenant.post('/v2/folders', { name: ' taken' }), 409, 'FOLDER_ALREADY_EXISTS');
    expectFailure(await tenant.patch(`/v2/folders/${id}`, { name: 'taken' }), 409, 'FOLDER_ALREADY_EXISTS');
    expect((await tenant.patch(`/v2/folders/${id}`, { name: 'mine' })).status).toBe(200);
    expect(await names(tenant)).toEqual(['mine', 'taken']);
  });

  it('compares names exactly and per tenant', async () => {
    const [one, two] = [await t.tenant(), await t.tenant()];
    await newFolder(one, 'Case');
    expect((await one.post('/v2/folders', { name: 'case' })).status).toBe(200);
    expect((await two.post('/v2/folders', { name: 'Case' })).status).toBe(200);
    expect(await names(two)).toEqual(['Case']);
  });

  it('gives the folder to one of many who ask for the same name at once, and the others 409', async () => {
    const tenant = await t.tenant();
    const replies = await Promise.all(Array.from({ length: 10 }, () => tenant.post('/v2/folders', { name: 'race' })));
    expect(replies.map((reply) => reply.status).sort()).toEqual([200, ...Array(9).fill(409)]);
    expect((await tenant.get('/v2/folders')).body.pagination.totalElements).toBe(1);
  });

  it('makes one folder for lists that name a new one at once', async () => {
    const tenant = await t.tenant();
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, i) => tenant.post('/v1/lists', { name: `list ${i}`, folder: 'shared' })),
    );
    expect(replies.map((reply) => reply.status)).toEqual(Array(10).fill(200));
    expect(new Set(replies.map((reply) => reply.body.data.directoryId)).size).toBe(1);
    expect((await tenant.get('/v2/folders')).body.pagination.totalElements).toBe(1);
  });

  it('renames a folder, and a search finds the new name only', async () => {
    const tenant = await t.tenant();
    const directoryId = await newFolder(tenant, 'before');
    const renamed = await tenant.patch(`/v2/folders/${directoryId}`, { name: 'After' });
    expect(renamed.body.data).toEqual({ directoryId, directoryName: 'After' });
    expect(await names(tenant, 'search=AFTER')).toEqual(['After']);
    expect(await names(tenant, 'search=before')).toEqual([]);
  });

  it('deletes a folder and leaves what was in it, unfiled', async () => {
    const tenant = await t.tenant();
    const directoryId = await newFolder(tenant, 'doomed');
    const list = await tenant.post('/v1/lists', { name: 'stays', folder: directoryId });
    const gone = await tenant.post('/v1/lists', { name: 'goes', folder: directoryId });
    await tenant.delete(`/v1/lists/${gone.body.data.staticListId}`);
    expect((await tenant.delete(`/v2/folders/${directoryId}`)).body.data).toEqual({
      directoryId,
      directoryName: 'doomed',
      success: true,
    });
    const { body } = await tenant.get(`/v1/lists/${list.body.data.staticListId}`);
    expect(body.data).toMatchObject({ name: 'stays', isDeleted: false });
    expect(body.data).not.toHaveProperty('directoryId');
    expect((await tenant.get('/v2/folders')).body.pagination.totalElements).toBe(0);
    expect((await tenant.post('/v2/folders', { name: 'doomed' })).status).toBe(200);
  });

  it.each([unknownId, 'x', '%00', 'F'.repeat(24), '0'.repeat(23), '%ff'])('does not know the id %s', async (id) => {
    const tenant = await t.tenant();
    expectFailure(await tenant.patch(`/v2/folders/${id}`, { name: 'x' }), 404, 'NOT_FOUND');
    expectFailure(await tenant.delete(`/v2/folders/${id}`), 404, 'NOT_FOUND');
  });

  it('no longer knows a deleted folder', async () => {
    const tenant = await t.tenant();
    const id = await newFolder(tenant, 'once');
    await tenant.delete(`/v2/folders/${id}`);
    expectFailure(await tenant.delete(`/v2/folders/${id}`), 404, 'NOT_FOUND');
    expectFailure(await tenant.patch(`/v2/folders/${id}`, { name: 'x' }), 404, 'NOT_FOUND');
  });

  it('lists folders newest first', async () => {
    const tenant = await t.tenant();
    for (const name of ['a', 'b', 'c']) await newFolder(tenant, name);
    expect(await names(tenant)).toEqual(['c', 'b', 'a']);
    expect(await names(tenant, 'pageSize=2&pageNumber=2')).toEqual(['a']);
  });
});
