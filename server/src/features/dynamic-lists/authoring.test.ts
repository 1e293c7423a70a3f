import { describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../test/app.js';
import { makeDynamicList, seedMembers } from '../../../test/dynamic-lists.js';
import { bytes, sql } from '../../db/sql.js';

// No worker: what an edit leaves behind stays as it is.
const t = useApp();
const unknownId = '0123456789abcdef01234567';
const pro = { all: [{ property: 'plan', is: 'pro' }] };

interface Kept {
  revision: number;
  isBuilt: boolean;
  builtTo: string | null;
  attempts: number;
  version: number;
}

async function keptOf(tenant: TenantClient, listId: string): Promise<Kept> {
  const row = await t.db.row(sql<Kept>`
    select l.revision, l.is_built as "isBuilt", l.built_to as "builtTo", l.attempts, a.version
    from dynamic_list l join audience a on a.tenant_id = l.tenant_id
    where l.tenant_id = ${tenant.tenantId} and l.list_id = ${bytes(listId)}`);
  return row as Kept;
}

async function staticList(tenant: TenantClient, name: string): Promise<string> {
  return (await tenant.post('/v2/lists', { name })).body.data.staticListId;
}

it('refuses a filter of more than 1 MiB: every worker remembers it', async () => {
  const tenant = await t.tenant();
  const filter = (length: number) => ({
    property: 'plan',
    in: Array.from({ length: 1000 }, (_, i) => `${i}`.padEnd(length, 'x')),
  });
  const refused = await tenant.post('/v2/dynamic-lists', { name: 'x', filter: filter(1100) });
  expect(refused.status).toBe(400);
  expect(refused.body.errors[0].detail).toBe('filter: a filter has at most 1 MiB');
  expect((await tenant.post('/v2/dynamic-lists', { name: 'x', filter: filter(1000) })).status).toBe(200);
});

describe('POST /v2/dynamic-lists', () => {
  it('answers the row of the specification and the filter as it was sent', async () => {
    const tenant = await t.tenant();
    const folder = (await tenant.post('/v2/folders', { name: 'Audiences' })).body.data;
    const { status, body } = await tenant.post('/v2/dynamic-lists', {
      ...{ name: '  Pros ', description: 'Who pays', folderId: folder.directoryId, filter: pro, other: 1 },
    });
    expect(status).toBe(200);
    const { dynamicListId, createdAt, createdBy, ...rest } = body.data;
    expect(dynamicListId).toMatch(/^[0-9a-f]{24}$/);
    expect(rest).toEqual({
      ...{ name: 'Pros', description: 'Who pays', listType: 'dynamic_list_asset', generatedQueryContext: 'person' },
      ...{ isValidQuery: true, directoryId: folder.directoryId, directoryName: 'Audiences', type: 'dynamic' },
      ...{ updatedAt: createdAt, updatedBy: createdBy, filter: pro },
    });
    const { filter, ...row } = body.data;
    expect(filter).toEqual(pro);
    expect((await tenant.get('/v2/lists')).body.data).toEqual([row]);
    expect((await tenant.get('/v2/dynamic-lists')).body.data).toEqual([row]);
    expect((await tenant.get('/v2/dynamic-lists')).body.pagination.totalElements).toBe(1);
  });

  it('allows two lists of one name', async () => {
    const tenant = await t.tenant();
    expect(await makeDynamicList(tenant, pro, 'Twice')).not.toBe(await makeDynamicList(tenant, pro, 'Twice'));
  });

  it('says person_org when organizations are read', async () => {
    const tenant = await t.tenant();
    const filter = { any: [{ orgMembers: { where: { property: 'a', exists: true } } }] };
    const { body } = await tenant.post('/v2/dynamic-lists', { name: 'x', filter });
    expect(body.data.generatedQueryContext).toBe('person_org');
  });

  it('reports each fault of a filter with its place', async () => {
    const tenant = await t.tenant();
    const filter = { all: [{ property: 'seats', gt: 'ten' }, { property: 'Plan', is: 1 }, { nonsense: 1 }] };
    const { status, body } = await tenant.post('/v2/dynamic-lists', { name: 'x', filter });
    expect(status).toBe(400);
    const details = body.errors.map((error: { detail: string }) => error.detail);
    expect(details).toHaveLength(3);
    expect(details[0]).toBe('filter.all[0].gt: a number is wanted');
    expect(details[1]).toMatch(/^filter\.all\[1\]\.property: /);
    expect(details[2]).toMatch(/^filter\.all\[2\]\.nonsense: /);
    for (const error of body.errors) expect(error.errorCode).toBe('VALIDATION_ERROR');
  });

  it.each([
    ['no filter', { name: 'x' }, /^filter/],
    ['a filter that is null', { name: 'x', filter: null }, /^filter/],
    ['a filter that is a list', { name: 'x', filter: [] }, /^filter: /],
    ['NUL in a filter', { name: 'x', filter: { event: 'a\u0000b' } }, /^filter\.event: /],
    ['a blank name', { name: ' ', filter: pro }, /^name/],
    ['an unknown folder', { name: 'x', filter: pro, folderId: unknownId }, /^folderId/],
    ['a folder that is no id', { name: 'x', filter: pro, folderId: 'Audiences' }, /^folderId/],
    ['an unknown journey', { name: 'x', filter: pro, journeyId: unknownId }, /^journeyId/],
    [
      'an unknown static list',
      { name: 'x', filter: { none: [{ staticListId: unknownId }] } },
      /^filter\.none\[0\]\.staticListId: /,
    ],
    ['an unknown dynamic list', { name: 'x', filter: { dynamicListId: unknownId } }, /^filter\.dynamicListId: /],
    [
      'an unknown list among the members of an organization',
      { name: 'x', filter: { orgMembers: { where: { staticListId: unknownId } } } },
      /^filter\.orgMembers\.where\.staticListId: /,
    ],
  ])('refuses %s with 400', async (_what, body, detail) => {
    const tenant = await t.tenant();
    const refused = await tenant.post('/v2/dynamic-lists', body);
    expect(refused.status).toBe(400);
    expect(refused.body.errors[0].errorCode).toBe('VALIDATION_ERROR');
    expect(refused.body.errors[0].detail).toMatch(detail);
    expect((await tenant.get('/v2/dynamic-lists')).body.data).toEqual([]);
  });

  it("does not see another tenant's lists", async () => {
    const [mine, theirs] = [await t.tenant(), await t.tenant()];
    const ids = { staticListId: await staticList(theirs, 'x'), dynamicListId: await makeDynamicList(theirs, pro) };
    for (const [key, id] of Object.entries(ids)) {
      const { status, body } = await mine.post('/v2/dynamic-lists', { name: 'x', filter: { [key]: id } });
      expect([status, body.errors[0].detail]).toEqual([400, expect.stringContaining(`filter.${key}: `)]);
    }
    for (const path of ['', '/members', '/explain?contactId=x'])
      expect((await mine.get(`/v2/dynamic-lists/${ids.dynamicListId}${path}`)).status).toBe(404);
    expect((await mine.delete(`/v2/dynamic-lists/${ids.dynamicListId}`)).status).toBe(404);
  });

  it('makes one list for one Idempotency-Key', async () => {
    const tenant = await t.tenant();
    const body = { name: 'Once', filter: pro };
    const first = await tenant.post('/v2/dynamic-lists', body, { 'idempotency-key': 'k' });
    const second = await tenant.post('/v2/dynamic-lists', body, { 'idempotency-key': 'k' });
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect(second.body.data).toEqual(first.body.data);
    expect((await tenant.get('/v2/lists?type=dynamic')).body.pagination.totalElements).toBe(1);
  });
});

describe('GET /v2/dynamic-lists', () => {
  it('shows the newest first, page by page, and searches by name', async () => {
    const tenant = await t.tenant();
    for (const name of ['Anna', 'Berta', 'Annette']) await makeDynamicList(tenant, pro, name);
    const names = async (query: string) =>
      (await tenant.get(`/v2/dynamic-lists?${query}`)).body.data.map((row: { name: string }) => row.name);
    expect(await names('')).toEqual(['Annette', 'Berta', 'Anna']);
    expect(await names('page_size=2&pageNumber=2')).toEqual(['Anna']);
    expect(await names('search=NN')).toEqual(['Annette', 'Anna']);
    expect((await tenant.get('/v2/dynamic-lists?search=nn')).body.pagination.totalElements).toBe(2);
    expect((await tenant.get('/v1/dynamic-lists')).status).toBe(404);
  });
});

describe('PATCH /v2/dynamic-lists/{id}', () => {
  it('changes what is given, and null clears', async () => {
    const tenant = await t.tenant();
    const folderId = (await tenant.post('/v2/folders', { name: 'F' })).body.data.directoryId;
    const made = await tenant.post('/v2/dynamic-lists', { name: 'a', description: 'd', folderId, filter: pro });
    const path = `/v2/dynamic-lists/${made.body.data.dynamicListId}`;
    for (const same of [{ name: 'a' }, { filter: pro }, { name: 'a', description: 'd', folderId, filter: pro }])
      expect((await tenant.patch(path, same)).body.data).toEqual(made.body.data);
    const renamed = (await tenant.patch(path, { name: 'b' })).body.data;
    expect(renamed).toEqual({ ...made.body.data, name: 'b', updatedAt: renamed.updatedAt });
    const cleared = (await tenant.patch(path, { description: null, folderId: null, journeyId: null })).body.data;
    expect(cleared).toMatchObject({
      name: 'b',
      description: null,
      directoryId: null,
      directoryName: null,
      filter: pro,
    });
    expect((await tenant.get('/v2/dynamic-lists?search=b')).body.data).toHaveLength(1);
  });

  it('recomputes the members for another filter, and for nothing else', async () => {
    const tenant = await t.tenant();
    const id = await makeDynamicList(tenant, pro);
    await seedMembers(t, tenant, id, []);
    const before = await keptOf(tenant, id);
    for (const change of [{ name: 'other' }, { filter: pro }]) {
      await tenant.patch(`/v2/dynamic-lists/${id}`, change);
      expect(await keptOf(tenant, id)).toEqual(before);
    }
    const filter = { orgProperty: 'plan', is: 'pro' };
    const { body } = await tenant.patch(`/v2/dynamic-lists/${id}`, { filter });
    expect(body.data).toMatchObject({ filter, generatedQueryContext: 'person_org', name: 'other' });
    expect(await keptOf(tenant, id)).toMatchObject({
      ...{ revision: before.revision + 1, isBuilt: false, builtTo: null, version: before.version + 1 },
    });
  });

  it('refuses a circle through any number of lists, with the place', async () => {
    const tenant = await t.tenant();
    const first = await makeDynamicList(tenant, pro);
    const second = await makeDynamicList(tenant, { all: [{ dynamicListId: first }] });
    const third = await makeDynamicList(tenant, { any: [pro, { none: [{ dynamicListId: second }] }] });
    for (const listId of [first, second, third]) {
      const filter = { all: [{ property: 'a', exists: true }, { dynamicListId: listId }] };
      const { status, body } = await tenant.patch(`/v2/dynamic-lists/${first}`, { filter });
      expect(status).toBe(400);
      expect(body.errors).toHaveLength(1);
      expect(body.errors[0].detail).toMatch(/^filter\.all\[1\]\.dynamicListId: /);
    }
    expect((await tenant.get(`/v2/dynamic-lists/${first}`)).body.data.filter).toEqual(pro);
    const diamond = { any: [{ dynamicListId: first }, { dynamicListId: second }] };
    expect((await tenant.patch(`/v2/dynamic-lists/${third}`, { filter: diamond })).status).toBe(200);
  });

  it('lets only one of two edits through that would close a circle together', async () => {
    const tenant = await t.tenant();
    const [a, b] = [await makeDynamicList(tenant, pro), await makeDynamicList(tenant, pro)];
    const answers = await Promise.all([
      tenant.patch(`/v2/dynamic-lists/${a}`, { filter: { dynamicListId: b } }),
      tenant.patch(`/v2/dynamic-lists/${b}`, { filter: { dynamicListId: a } }),
    ]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 400]);
  });

  it('refuses an empty body, nulls for required fields, and unknown lists', async () => {
    const tenant = await t.tenant();
    const id = await makeDynamicList(tenant, pro);
    for (const change of [{}, { name: null }, { filter: null }, { folderId: unknownId }, { journeyId: unknownId }])
      expect((await tenant.patch(`/v2/dynamic-lists/${id}`, change)).status).toBe(400);
    for (const other of [unknownId, 'nonsense'])
      expect((await tenant.patch(`/v2/dynamic-lists/${other}`, { name: 'x' })).status).toBe(404);
    expect((await tenant.patch(`/v2/dynamic-lists/${unknownId}`, { filter: { any: 1 } })).status).toBe(400);
  });
});

describe('DELETE /v2/dynamic-lists/{id}', () => {
  it('removes the list from every read', async () => {
    const tenant = await t.tenant();
    const id = await makeDynamicList(tenant, pro);
    const { body } = await tenant.delete(`/v2/dynamic-lists/${id}`);
    expect(body.data).toEqual({ dynamicListId: id, success: true });
    for (const path of ['', '/members', '/explain?contactId=x'])
      expect((await tenant.get(`/v2/dynamic-lists/${id}${path}`)).status).toBe(404);
    expect((await tenant.get('/v2/lists')).body.pagination.totalElements).toBe(0);
    expect((await tenant.delete(`/v2/dynamic-lists/${id}`)).status).toBe(404);
  });

  it('is refused while the filter of a live list uses it, and says which', async () => {
    const tenant = await t.tenant();
    const part = await makeDynamicList(tenant, pro, 'Part');
    const whole = await makeDynamicList(tenant, { none: [{ all: [{ dynamicListId: part }] }] }, 'Whole');
    const refused = await tenant.delete(`/v2/dynamic-lists/${part}`);
    expect([refused.status, refused.body.errors[0].errorCode]).toEqual([409, 'INVALID_STATE']);
    expect(refused.body.errors[0].message).toContain('"Whole"');
    await tenant.delete(`/v2/dynamic-lists/${whole}`);
    expect((await tenant.delete(`/v2/dynamic-lists/${part}`)).status).toBe(200);
  });
});

describe('DELETE /v2/lists/{id}', () => {
  it('is refused while a live filter uses the static list, also among members of an organization', async () => {
    const tenant = await t.tenant();
    const used = await staticList(tenant, 'Used');
    const names = ['One', 'Two', 'Three', 'Four'];
    const filter = { orgMembers: { where: { any: [{ staticListId: used }] } } };
    const ids: string[] = [];
    for (const name of names) ids.push(await makeDynamicList(tenant, filter, name));
    const refused = await tenant.delete(`/v2/lists/${used}`);
    expect([refused.status, refused.body.errors[0].errorCode]).toEqual([409, 'INVALID_STATE']);
    expect(refused.body.errors[0].message).toContain('"One", "Two", "Three", 1 more');
    for (const id of ids) await tenant.patch(`/v2/dynamic-lists/${id}`, { filter: pro });
    expect((await tenant.delete(`/v2/lists/${used}`)).status).toBe(200);
  });

  it('races with a filter that begins to use it: only one of the two goes through', async () => {
    const tenant = await t.tenant();
    for (let round = 0; round < 5; round++) {
      const id = await staticList(tenant, `Round ${round}`);
      const [gone, made] = await Promise.all([
        tenant.delete(`/v2/lists/${id}`),
        tenant.post('/v2/dynamic-lists', { name: 'x', filter: { staticListId: id } }),
      ]);
      expect([
        [200, 400],
        [409, 200],
      ]).toContainEqual([gone.status, made.status]);
    }
  });
});
