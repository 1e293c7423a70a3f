import { describe, expect, it } from 'vitest';
import { useApp } from '../../../test/app.js';
import { sql } from '../../db/sql.js';
import { storedGrams } from '../../lib/grams.js';
import { newAssetId } from '../../lib/ids.js';
import { foldCase } from '../../lib/text.js';

const t = useApp();
const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Inserted directly, not through the API: only the rows matter here. */
async function insertDynamicList(tenantId: number, name: string, folderId: string | null = null): Promise<string> {
  const id = newAssetId();
  await t.db.transaction(async (tx) => {
    await tx.run(sql`
      insert into dynamic_list (tenant_id, list_id, name, name_folded, name_grams, folder_id, created_by, updated_by)
      select ${tenantId}, ${`\\x${id}`}::bytea, ${name}, ${foldCase(name)}, ${storedGrams(tenantId, name)}::integer[],
        ${folderId && `\\x${folderId}`}::bytea, min(account_id), min(account_id) from account where tenant_id = ${tenantId}`);
    await tx.run(sql`insert into counter_delta (tenant_id, counter, delta) values (${tenantId}, 'dynamic_lists', 1)`);
  });
  return id;
}

describe('POST /v1/lists', () => {
  it('answers the static row of the new list', async () => {
    const tenant = await t.tenant();
    const { status, body } = await tenant.post('/v1/lists', { name: '  Beta testers ' });
    expect(status).toBe(200);
    const { staticListId, createdBy, createdAt, ...rest } = body.data;
    expect(staticListId).toMatch(/^[0-9a-f]{24}$/);
    expect(createdAt).toMatch(isoTime);
    expect(Number.isInteger(createdBy)).toBe(true);
    expect(rest).toEqual({
      name: 'Beta testers',
      updatedBy: createdBy,
      updatedAt: createdAt,
      numRecords: 0,
      isDeleted: false,
      type: 'static',
      flow: {},
    });
    expect(body.errors).toEqual([]);
    expect(body.meta.status).toBe('SUCCESS');
    expect(body).not.toHaveProperty('pagination');
  });

  it('is served under /v2 unchanged', async () => {
    const tenant = await t.tenant();
    const made = await tenant.post('/v2/lists', { name: 'Both' });
    expect((await tenant.get(`/v1/lists/${made.body.data.staticListId}`)).body.data).toEqual(made.body.data);
  });

  it('refuses a name that a live list has with 409 LIST_ALREADY_EXISTS', async () => {
    const tenant = await t.tenant();
    await tenant.post('/v1/lists', { name: 'Twice' });
    const again = await tenant.post('/v1/lists', { name: ' Twice' });
    expect(again.status).toBe(409);
    expect(again.body.errors[0].errorCode).toBe('LIST_ALREADY_EXISTS');
    expect(again.body.data).toBeNull();
    expect((await tenant.get('/v2/lists')).body.pagination.totalElements).toBe(1);
  });

  it('compares names exactly and per tenant', async () => {
    const [one, two] = [await t.tenant(), await t.tenant()];
    expect((await one.post('/v1/lists', { name: 'Case' })).status).toBe(200);
    expect((await one.post('/v1/lists', { name: 'case' })).status).toBe(200);
    expect((await two.post('/v1/lists', { name: 'Case' })).status).toBe(200);
  });

  it('frees the name of a deleted list', async () => {
    const tenant = await t.tenant();
    const made = await tenant.post('/v1/lists', { name: 'Again' });
    await tenant.delete(`/v1/lists/${made.body.data.staticListId}`);
    expect((await tenant.post('/v1/lists', { name: 'Again' })).status).toBe(200);
  });

  it('takes a folder by id, else by exact name, else makes it', async () => {
    const tenant = await t.tenant();
    const folder = (await tenant.post('/v2/folders', { name: 'Sales' })).body.data;
    const byId = await tenant.post('/v1/lists', { name: 'a', folder: folder.directoryId });
    const byName = await tenant.post('/v1/lists', { name: 'b', folder: ' Sales ' });
    const made = await tenant.post('/v1/lists', { name: 'c', folder: 'sales' });
    expect(byId.body.data.directoryId).toBe(folder.directoryId);
    expect(byName.body.data.directoryId).toBe(folder.directoryId);
    expect(made.body.data.directoryId).not.toBe(folder.directoryId);
    const folders = (await tenant.get('/v2/folders')).body;
    expect(folders.data.map((row: { directoryName: string }) => row.directoryName)).toEqual(['sales', 'Sales']);
    expect(folders.pagination.totalElements).toBe(2);
  });

  it('makes no folder when the list is refused', async () => {
    const tenant = await t.tenant();
    await tenant.post('/v1/lists', { name: 'taken' });
    expect((await tenant.post('/v1/lists', { name: 'taken', folder: 'Never' })).status).toBe(409);
    expect((await tenant.get('/v2/folders')).body.data).toEqual([]);
  });

  it("treats another tenant's folder id as a name", async () => {
    const [one, two] = [await t.tenant(), await t.tenant()];
    const { directoryId } = (await one.post('/v2/folders', { name: 'Mine' })).body.data;
    const list = await two.post('/v1/lists', { name: 'x', folder: directoryId });
    expect(list.body.data.directoryId).not.toBe(directoryId);
    expect((await two.get('/v2/folders')).body.data[0].directoryName).toBe(directoryId);
  });

  it.each([
    ['no name', {}],
    ['null name', { name: null }],
    ['blank name', { name: '  ' }],
    ['number', { name: 5 }],
    ['256 characters', { name: 'x'.repeat(256) }],
    ['NUL', { name: 'a\0b' }],
    ['lone surrogate', { name: 'a\ud800b' }],
    ['folder of a wrong type', { name: 'a', folder: 7 }],
    ['blank folder', { name: 'a', folder: ' ' }],
  ])('refuses %s with 400', async (_, body) => {
    const tenant = await t.tenant();
    const reply = await tenant.post('/v1/lists', body);
    expect(reply.status).toBe(400);
    expect(reply.body.errors[0].errorCode).toBe('VALIDATION_ERROR');
    expect(['name', 'folder']).toContain(reply.body.errors[0].detail);
  });

  it('counts 255 characters, not bytes', async () => {
    const tenant = await t.tenant();
    const name = '😀'.repeat(255);
    expect((await tenant.post('/v1/lists', { name })).body.data.name).toBe(name);
    expect((await tenant.post('/v1/lists', { name: `${name}x` })).status).toBe(400);
  });

  it('treats null as no folder and ignores unknown fields', async () => {
    const tenant = await t.tenant();
    const { status, body } = await tenant.post('/v1/lists', {
      name: 'n',
      folder: null,
      type: 'dynamic',
      numRecords: 9,
    });
    expect(status).toBe(200);
    expect(body.data).not.toHaveProperty('directoryId');
    expect(body.data.numRecords).toBe(0);
  });
});

describe('GET, PATCH and DELETE /v1/lists/{id}', () => {
  it('renames and moves a list, and null takes it out of its folder', async () => {
    const tenant = await t.tenant();
    const { staticListId } = (await tenant.post('/v1/lists', { name: 'old' })).body.data;
    const patched = await tenant.patch(`/v1/lists/${staticListId}`, { name: 'new', folder: 'F' });
    expect(patched.body.data).toEqual({ staticListId, success: true });
    const moved = (await tenant.get(`/v1/lists/${staticListId}`)).body.data;
    expect(moved.name).toBe('new');
    expect(moved.directoryId).toMatch(/^[0-9a-f]{24}$/);
    for (const same of [{ name: 'new' }, { folder: 'F' }, { name: 'new', folder: moved.directoryId }])
      expect((await tenant.patch(`/v1/lists/${staticListId}`, same)).body.data).toEqual(patched.body.data);
    expect((await tenant.get(`/v1/lists/${staticListId}`)).body.data).toEqual(moved);
    await tenant.patch(`/v1/lists/${staticListId}`, { folder: null });
    expect((await tenant.get(`/v1/lists/${staticListId}`)).body.data).not.toHaveProperty('directoryId');
    expect((await tenant.get('/v2/lists?search=NEW')).body.pagination.totalElements).toBe(1);
    expect((await tenant.get('/v2/lists?search=old')).body.pagination.totalElements).toBe(0);
  });

  it('refuses an empty PATCH, a cleared name and a taken name', async () => {
    const tenant = await t.tenant();
    await tenant.post('/v1/lists', { name: 'taken' });
    const { staticListId } = (await tenant.post('/v1/lists', { name: 'mine' })).body.data;
    const path = `/v1/lists/${staticListId}`;
    expect((await tenant.patch(path, {})).status).toBe(400);
    expect((await tenant.patch(path, { unknown: 1 })).status).toBe(400);
    expect((await tenant.patch(path)).status).toBe(400);
    expect((await tenant.patch(path, { name: null })).status).toBe(400);
    const taken = await tenant.patch(path, { name: 'taken', folder: 'Never' });
    expect(taken.status).toBe(409);
    expect(taken.body.errors[0].errorCode).toBe('LIST_ALREADY_EXISTS');
    expect((await tenant.get('/v2/folders')).body.data).toEqual([]);
    expect((await tenant.patch(path, { name: 'mine' })).status).toBe(200);
  });

  it('checks the shape before it looks for the list', async () => {
    const tenant = await t.tenant();
    expect((await tenant.patch('/v1/lists/000000000000000000000000', { name: '' })).status).toBe(400);
    expect((await tenant.patch('/v1/lists/000000000000000000000000', { name: 'a' })).status).toBe(404);
  });

  it('deletes softly: the list is gone from every read', async () => {
    const tenant = await t.tenant();
    const { staticListId } = (await tenant.post('/v1/lists', { name: 'gone' })).body.data;
    const path = `/v2/lists/${staticListId}`;
    expect((await tenant.delete(path)).body.data).toEqual({ staticListId, success: true });
    for (const reply of [await tenant.get(path), await tenant.delete(path), await tenant.patch(path, { name: 'x' })]) {
      expect(reply.status).toBe(404);
      expect(reply.body.errors[0].errorCode).toBe('NOT_FOUND');
    }
    const page = (await tenant.get('/v2/lists')).body;
    expect(page.data).toEqual([]);
    expect(page.pagination).toEqual({ pageNumber: 1, pageSize: 20, totalElements: 0, totalPages: 0 });
  });

  it.each(['x', '%00', '%ff', '%zz', 'ABCDEFABCDEFABCDEFABCDEF', '1'.repeat(200), '%F0%9F%98%80'])(
    'answers 404 for the id %s',
    async (id) => {
      const tenant = await t.tenant();
      expect((await tenant.get(`/v1/lists/${id}`)).status).toBe(404);
    },
  );
});

describe('GET /v2/lists', () => {
  it('shows static rows first, then dynamic, each newest first, and lets a page straddle both', async () => {
    const tenant = await t.tenant();
    for (const name of ['d1', 'd2', 'd3']) await insertDynamicList(tenant.tenantId, name);
    for (const name of ['s1', 's2', 's3']) await tenant.post('/v1/lists', { name });
    const names = async (query: string) =>
      (await tenant.get(`/v2/lists?${query}`)).body.data.map((row: { name: string }) => row.name);
    expect(await names('')).toEqual(['s3', 's2', 's1', 'd3', 'd2', 'd1']);
    expect(await names('pageSize=4')).toEqual(['s3', 's2', 's1', 'd3']);
    expect(await names('pageSize=4&pageNumber=2')).toEqual(['d2', 'd1']);
    expect(await names('pageSize=2&pageNumber=2')).toEqual(['s1', 'd3']);
    expect(await names('type=static&pageSize=2&pageNumber=2')).toEqual(['s1']);
    expect(await names('type=dynamic&pageSize=2&pageNumber=2')).toEqual(['d1']);
    expect(await names('pageNumber=2147483647&pageSize=200')).toEqual([]);
  });

  it('sums the counts of both sources, and counts one source when asked for one', async () => {
    const tenant = await t.tenant();
    for (const name of ['one', 'two']) await tenant.post('/v1/lists', { name });
    for (const name of ['three', 'four', 'five']) await insertDynamicList(tenant.tenantId, name);
    const total = async (query: string) => (await tenant.get(`/v2/lists?${query}`)).body.pagination.totalElements;
    expect(await total('')).toBe(5);
    expect(await total('type=static')).toBe(2);
    expect(await total('type=dynamic')).toBe(3);
    expect(await total('search=o')).toBe(3);
    expect(await total('search=f&type=dynamic')).toBe(2);
  });

  it('gives every key of a dynamic row, null when unset', async () => {
    const tenant = await t.tenant();
    const folder = (await tenant.post('/v2/folders', { name: 'F' })).body.data;
    const dynamicListId = await insertDynamicList(tenant.tenantId, 'bare');
    await insertDynamicList(tenant.tenantId, 'filed', folder.directoryId);
    const [filed, bare] = (await tenant.get('/v2/lists?type=dynamic')).body.data;
    expect(bare).toEqual({
      dynamicListId,
      name: 'bare',
      description: null,
      listType: 'dynamic_list_asset',
      generatedQueryContext: 'person',
      isValidQuery: false,
      directoryId: null,
      directoryName: null,
      createdAt: expect.stringMatching(isoTime),
      createdBy: expect.any(Number),
      updatedAt: expect.stringMatching(isoTime),
      updatedBy: expect.any(Number),
      type: 'dynamic',
    });
    expect(filed).toMatchObject({ directoryId: folder.directoryId, directoryName: 'F' });
  });

  it.each([
    ['ÜBER', 'über uns'],
    ['strasse', 'STRASSE'],
    ['ΟΔΌΣ', 'οδός'],
    ['привет', 'ПРИВЕТ, мир'],
    ['100%', 'save 100% now'],
    ['a_b', 'xa_bx'],
    ['.*', 'regex .* here'],
    ['\\', 'back\\slash'],
    ['  ', 'two  spaces'],
    ['😀', 'smile 😀!'],
    ['é', 'É'],
    ['日本', '日本語リスト'],
  ])('finds %j in %j, whatever the case', async (search, name) => {
    const tenant = await t.tenant();
    await tenant.post('/v1/lists', { name });
    await tenant.post('/v1/lists', { name: 'zzz' });
    const { body } = await tenant.get(`/v2/lists?search=${encodeURIComponent(search)}`);
    expect(body.data.map((row: { name: string }) => row.name)).toEqual([name]);
    expect(body.pagination.totalElements).toBe(1);
  });

  it.each(['%', '_', '.', '.*', 'zz top', 'x'.repeat(300)])('finds nothing for the literal %j', async (search) => {
    const tenant = await t.tenant();
    await tenant.post('/v1/lists', { name: 'plain name' });
    const { status, body } = await tenant.get(`/v2/lists?search=${encodeURIComponent(search)}`);
    expect(status).toBe(200);
    expect(body.data).toEqual([]);
    expect(body.pagination).toEqual({ pageNumber: 1, pageSize: 20, totalElements: 0, totalPages: 0 });
  });

  it('takes no folderId', async () => {
    const tenant = await t.tenant();
    await tenant.post('/v1/lists', { name: 'here' });
    expect((await tenant.get('/v2/lists?folderId=nowhere&folder_id=x')).body.data).toHaveLength(1);
  });
});
