// The collection and single journeys: every sentence of the specification about them, and the bodies of their authors.
import { beforeAll, describe, expect, it } from 'vitest';
import { type Reply, type TenantClient, useApp } from '../../../test/app.js';
import { makeDynamicList } from '../../../test/dynamic-lists.js';

const t = useApp();
let tenant: TenantClient;
beforeAll(async () => {
  tenant = await t.tenant();
});

const code = (reply: Reply) => reply.body.errors[0]?.errorCode;
const detail = (reply: Reply) => reply.body.errors[0]?.detail;
const definition = { entry: { api: true }, steps: [{ id: 'end', type: 'exit' }] };

async function make(body: Record<string, unknown> = {}, as = tenant): Promise<string> {
  const { status, body: answer, text } = await as.post('/v2/journeys', { name: 'A journey', type: 'trigger', ...body });
  if (status !== 200) throw new Error(text);
  return answer.data.journeyId;
}

async function makeFolder(name: string, as = tenant): Promise<string> {
  return (await as.post('/v2/folders', { name })).body.data.directoryId;
}

async function names(query: string, as = tenant): Promise<string[]> {
  const { status, body, text } = await as.get(`/v2/journeys?${query}`);
  if (status !== 200) throw new Error(text);
  return body.data.map((row: { name: string }) => row.name);
}

describe('GET /v2/journeys', () => {
  const rowKeys = [
    ...['journeyId', 'name', 'type', 'status', 'nextRunTime', 'tags', 'directoryId', 'directoryName'],
    ...['dynamicListId', 'campaignContext', 'createdAt', 'createdBy'],
  ];

  it('has exactly the keys of the specification in a row, each of them present', async () => {
    const own = await t.tenant();
    await make({}, own);
    const folderId = await makeFolder('Filed', own);
    await make({ tags: ['a'], folderId, definition }, own);
    const { body } = await own.get('/v2/journeys');
    expect(body.data.map((row: object) => Object.keys(row))).toEqual([rowKeys, rowKeys]);
    const [filed, bare] = body.data;
    expect(bare).toEqual({
      journeyId: expect.stringMatching(/^[0-9a-f]{24}$/),
      name: 'A journey',
      type: 'trigger',
      status: 'draft',
      nextRunTime: null,
      tags: [],
      directoryId: null,
      directoryName: null,
      dynamicListId: null,
      campaignContext: 'person',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      createdBy: { id: expect.any(Number), name: expect.any(String) },
    });
    expect(filed).toMatchObject({ tags: ['a'], directoryId: folderId, directoryName: 'Filed' });
    expect(body.pagination).toEqual({ pageNumber: 1, pageSize: 20, totalElements: 2, totalPages: 1 });
  });

  it('sorts by name, whatever the case, where it is asked to', async () => {
    const own = await t.tenant();
    for (const name of ['beta', 'Alpha', 'gamma', 'ALPHA 2']) await make({ name }, own);
    expect(await names('sort=name', own)).toEqual(['Alpha', 'ALPHA 2', 'beta', 'gamma']);
    expect(await names('sort=name&pageSize=2&pageNumber=2', own)).toEqual(['beta', 'gamma']);
    expect(await names('sort=name&search=alpha', own)).toEqual(['Alpha', 'ALPHA 2']);
    expect(await names('sort=-createdAt', own)).toEqual(await names('', own));
    const reply = await own.get('/v2/journeys?sort=createdAt');
    expect([reply.status, code(reply), detail(reply)]).toEqual([400, 'VALIDATION_ERROR', 'sort']);
  });

  it('says of a single one when it was changed last, and by whom', async () => {
    const own = await t.tenant();
    const journeyId = await make({}, own);
    const read = async () => (await own.get(`/v2/journeys/${journeyId}`)).body.data;
    const { createdAt, createdBy, updatedAt, updatedBy } = await read();
    expect([updatedAt, updatedBy]).toEqual([createdAt, createdBy]);
    const accounts = `/admin/tenants/${own.tenantId}/accounts`;
    const { accountId } = (await t.admin.post(accounts, { name: 'Grace' })).body.data;
    const token = { name: 'hers', scopes: ['READ', 'WRITE'], accountId };
    const hers = t.withToken((await t.admin.post(`/admin/tenants/${own.tenantId}/tokens`, token)).body.data.token);
    const patched = await hers.patch(`/v2/journeys/${journeyId}`, { name: 'Changed' });
    expect(patched.body.data).toMatchObject({ createdBy, updatedBy: { id: accountId, name: 'Grace' } });
    expect(await read()).toMatchObject({ updatedBy: { id: accountId, name: 'Grace' } });
    expect((await read()).updatedAt > createdAt).toBe(true);
    const before = await own.get(`/v2/journeys/${journeyId}`);
    const { name, type, tags, definition } = before.body.data;
    const again = await own.patch(`/v2/journeys/${journeyId}`, { name, type, tags: [...tags, ...tags], definition });
    expect([again.status, again.headers.etag]).toEqual([200, before.headers.etag]);
    expect(again.body.data).toEqual(before.body.data);
  });

  it('names the account that made it', async () => {
    const own = await t.tenant();
    const journeyId = await make({}, own);
    const { body } = await t.admin.get(`/admin/tenants/${own.tenantId}/accounts`);
    const { accountId, name } = body.data[0];
    expect((await own.get(`/v2/journeys/${journeyId}`)).body.data.createdBy).toEqual({ id: accountId, name });
  });

  it('is paged, newest first, and a page past the end is empty', async () => {
    const own = await t.tenant();
    for (const name of ['one', 'two', 'three']) await make({ name }, own);
    expect(await names('', own)).toEqual(['three', 'two', 'one']);
    expect(await names('pageSize=2', own)).toEqual(['three', 'two']);
    expect(await names('page_size=2&page_number=2', own)).toEqual(['one']);
    const { body } = await own.get('/v2/journeys?pageNumber=9&pageSize=2');
    expect(body.data).toEqual([]);
    expect(body.pagination).toEqual({ pageNumber: 9, pageSize: 2, totalElements: 3, totalPages: 2 });
  });

  describe('filters', () => {
    let own: TenantClient;
    let [folderA, folderB]: string[] = [];
    beforeAll(async () => {
      own = await t.tenant();
      [folderA, folderB] = [await makeFolder('A', own), await makeFolder('B', own)];
      await make({ name: 'Draft 100%', type: 'batch', tags: ['x', 'y'], folderId: folderA }, own);
      await make({ name: 'draft_two', tags: ['y'], folderId: folderB }, own);
      const active = await make({ name: 'Running ÄÖ', tags: ['X'], folderId: folderA, definition }, own);
      await own.post(`/v2/journeys/${active}/activate`);
      const stopped = await make({ name: 'Stopped .*', tags: [], definition }, own);
      await own.post(`/v2/journeys/${stopped}/activate`);
      await own.post(`/v2/journeys/${stopped}/deactivate`);
    });

    it.each([
      ['status=active', ['Running ÄÖ']],
      ['status=inactive', ['Stopped .*']],
      ['status=draft', ['draft_two', 'Draft 100%']],
      ['status=active&status=inactive', ['Stopped .*', 'Running ÄÖ']],
      ['status=active&status[]=draft', ['Running ÄÖ', 'draft_two', 'Draft 100%']],
      ['status%5B%5D=active&status%5B%5D=inactive', ['Stopped .*', 'Running ÄÖ']],
      ['type=batch', ['Draft 100%']],
      ['type=batch&type[]=trigger', ['Stopped .*', 'Running ÄÖ', 'draft_two', 'Draft 100%']],
      ['tag=y', ['draft_two', 'Draft 100%']],
      ['tag=x', ['Draft 100%']],
      ['tag=X&tag[]=x', ['Running ÄÖ', 'Draft 100%']],
      ['tag=nothing', []],
      ['tag=', []],
      ['tag=x,y', []],
      ['tag=x&tag=nothing', ['Draft 100%']],
      ['search=DRAFT', ['draft_two', 'Draft 100%']],
      ['search=%C3%A4%C3%B6', ['Running ÄÖ']],
      ['search=%25', ['Draft 100%']],
      ['search=_', ['draft_two']],
      ['search=.*', ['Stopped .*']],
      ['search=nothing', []],
      ['search=', ['Stopped .*', 'Running ÄÖ', 'draft_two', 'Draft 100%']],
      ['search[]=DRAFT', ['Stopped .*', 'Running ÄÖ', 'draft_two', 'Draft 100%']],
      ['folderId=ffffffffffffffffffffffff', []],
      ['folderId=no-id', []],
      ['folderId=', []],
      ['status=draft&tag=y&type=batch&search=draft', ['Draft 100%']],
      ['status=active&type=batch', []],
    ])('%s', async (query, wanted) => {
      expect(await names(query, own)).toEqual(wanted);
      const { body } = await own.get(`/v2/journeys?${query}`);
      expect(body.pagination.totalElements).toBe(wanted.length);
    });

    it('takes one email: those that send it, and nothing of other tenants', async () => {
      const [other, one, two] = [await t.tenant(), 'a'.repeat(24), 'b'.repeat(24)];
      const sending = (emailId: string) => ({
        entry: { api: true },
        steps: [{ id: 'mail', type: 'sendEmail', emailId }],
      });
      await make({ name: 'Sends one', definition: sending(one) }, other);
      await make({ name: 'Sends two', definition: sending(two) }, other);
      await make({ name: 'Exits', definition: { entry: { api: true }, steps: [{ id: one, type: 'exit' }] } }, other);
      expect(await names(`emailId=${one}`, other)).toEqual(['Sends one']);
      expect(await names(`email_id=${two}&search=sends`, other)).toEqual(['Sends two']);
      expect(await names(`emailId=${one}`, own)).toEqual([]);
      expect(await names('emailId=', other)).toEqual([]);
    });

    it('takes one folder, in both spellings', async () => {
      expect(await names(`folderId=${folderA}`, own)).toEqual(['Running ÄÖ', 'Draft 100%']);
      expect(await names(`folder_id=${folderB}`, own)).toEqual(['draft_two']);
      expect(await names(`folderId=${folderA}&status=draft`, own)).toEqual(['Draft 100%']);
    });

    it.each([
      ...['status=Active', 'status=', 'status=active,draft', 'status[]=x', 'type=both', 'type='],
      ...['pageNumber=0', 'pageNumber=2147483648', 'pageSize=0', 'pageSize=201', 'pageSize=1.5', 'pageSize='],
    ])('refuses %s', async (query) => {
      const reply = await own.get(`/v2/journeys?${query}`);
      expect([reply.status, code(reply)]).toEqual([400, 'VALIDATION_ERROR']);
    });

    it.each(['search', 'folderId', 'pageNumber', 'pageSize'])('refuses to take %s twice', async (name) => {
      const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      for (const query of [`${name}=1&${name}=2`, `${name}=1&${name}=1`, `${name}=1&${snake}=1`]) {
        const reply = await own.get(`/v2/journeys?${query}`);
        expect([reply.status, detail(reply)]).toEqual([400, name]);
      }
    });
  });

  it('shows the dynamic list that is the audience, and its context', async () => {
    const person = await makeDynamicList(tenant, { property: 'plan', is: 'pro' });
    const org = await makeDynamicList(tenant, { orgProperty: 'plan', is: 'pro' });
    const of = async (type: string, entry: unknown) => {
      const id = await make({ type, definition: { entry } });
      const { dynamicListId, campaignContext } = (await tenant.get(`/v2/journeys/${id}`)).body.data;
      return [dynamicListId, campaignContext];
    };
    expect(await of('batch', { audience: { dynamicListId: person } })).toEqual([person, 'person']);
    expect(await of('batch', { audience: { dynamicListId: org } })).toEqual([org, 'person_org']);
    expect(await of('batch', { audience: { staticListId: person } })).toEqual([null, 'person']);
    expect(await of('batch', { audience: { dynamicListId: 5 } })).toEqual([null, 'person']);
    expect(await of('batch', { audience: { dynamicListId: 'x'.repeat(24) } })).toEqual([null, 'person']);
    expect(await of('batch', ['audience'])).toEqual([null, 'person']);
    expect(await of('trigger', { joined: { dynamicListId: org } })).toEqual([null, 'person']);
  });
});

describe('a journey', () => {
  it('is created as a draft, and read back with its definition and its tag', async () => {
    const folderId = await makeFolder('For one');
    const body = { name: '  Welcome ', type: 'trigger', tags: [' a ', 'b', 'a'], folderId, definition };
    const made = await tenant.post('/v2/journeys', body);
    expect(made.status).toBe(200);
    expect(made.body.data).toMatchObject({
      ...{ name: 'Welcome', type: 'trigger', status: 'draft', tags: ['a', 'b'], directoryId: folderId },
      ...{ definition, isPaused: false, revision: 1, version: null },
    });
    const read = await tenant.get(`/v2/journeys/${made.body.data.journeyId}`);
    expect(read.body.data).toEqual(made.body.data);
    expect([made.headers.etag, read.headers.etag]).toEqual(['"1"', '"1"']);
  });

  it('needs no definition, and takes null for absent', async () => {
    const nulls = { tags: null, folderId: null, definition: null };
    const made = await tenant.post('/v2/journeys', { name: 'Bare', type: 'batch', ...nulls });
    expect(made.body.data).toMatchObject({ tags: [], directoryId: null, definition: null });
  });

  it('may have the name of another', async () => {
    expect(await make({ name: 'Twin' })).not.toBe(await make({ name: 'Twin' }));
  });

  it.each([
    [{ name: undefined }, 'name'],
    [{ name: null }, 'name'],
    [{ name: '  ' }, 'name'],
    [{ name: 'x'.repeat(256) }, 'name'],
    [{ name: 5 }, 'name'],
    [{ type: undefined }, 'type'],
    [{ type: 'Batch' }, 'type'],
    [{ type: '' }, 'type'],
    [{ tags: 'a' }, 'tags'],
    [{ tags: [''] }, 'tags[0]'],
    [{ tags: ['ok', ' '] }, 'tags[1]'],
    [{ tags: ['x'.repeat(65)] }, 'tags[0]'],
    [{ tags: [5] }, 'tags[0]'],
    [{ tags: Array.from({ length: 51 }, (_, i) => `t${i}`) }, 'tags'],
    [{ folderId: 'f'.repeat(24) }, 'folderId'],
    [{ folderId: 'no id' }, 'folderId'],
    [{ definition: 'text' }, 'definition'],
    [{ definition: [] }, 'definition'],
    [{ definition: 5 }, 'definition'],
  ])('refuses %j', async (change, field) => {
    const reply = await tenant.post('/v2/journeys', { name: 'x', type: 'batch', ...change });
    expect([reply.status, code(reply), detail(reply)]).toEqual([400, 'VALIDATION_ERROR', field]);
  });

  it('takes any object as the definition of a draft, up to 256 KiB and as PostgreSQL can keep it', async () => {
    const odd = { any: ['thing', { deep: [null, 1.5, 'ä'] }], __proto: {} };
    const id = await make({ definition: odd });
    expect((await tenant.get(`/v2/journeys/${id}`)).body.data.definition).toEqual(odd);
    const filled = (bytes: number) => ({ text: 'x'.repeat(bytes - '{"text":""}'.length) });
    expect((await tenant.post('/v2/journeys', { name: 'x', type: 'batch', definition: filled(262_144) })).status).toBe(
      200,
    );
    const long = await tenant.post('/v2/journeys', { name: 'x', type: 'batch', definition: filled(262_145) });
    expect([long.status, detail(long)]).toEqual([400, expect.stringMatching(/^definition: .*256 KiB/)]);
    for (const text of ['\u0000', '\ud800']) {
      const reply = await tenant.post('/v2/journeys', { name: 'x', type: 'batch', definition: { text } });
      expect([reply.status, detail(reply)]).toEqual([400, expect.stringMatching(/^definition/)]);
    }
  });

  it('is made once for an Idempotency-Key', async () => {
    const own = await t.tenant();
    const headers = { 'idempotency-key': 'once' };
    const first = await own.post('/v2/journeys', { name: 'Once', type: 'batch' }, headers);
    const again = await own.post('/v2/journeys', { name: 'Once', type: 'batch' }, headers);
    expect(again.body.data).toEqual(first.body.data);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(await names('', own)).toEqual(['Once']);
    const other = await own.post('/v2/journeys', { name: 'Twice', type: 'batch' }, headers);
    expect([other.status, code(other)]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
  });

  it('is not found once it is deleted, nor by what is no id, on any route', async () => {
    const gone = await make();
    const answer = await tenant.delete(`/v2/journeys/${gone}`);
    expect(answer.body.data).toEqual({ journeyId: gone, success: true });
    const body = { definition };
    for (const id of [gone, '0'.repeat(24), 'x', gone.toUpperCase(), `${gone}0`, '%00', '..%2f'])
      for (const [method, path, payload] of [
        ['GET', ''],
        ['PATCH', '', { name: 'x' }],
        ['DELETE', ''],
        ['POST', '/activate'],
        ['POST', '/deactivate'],
        ['POST', '/pause'],
        ['POST', '/resume'],
        ['POST', '/compare', body],
        ['GET', '/versions'],
      ] as const) {
        const reply = await tenant.send(method, `/v2/journeys/${id}${path}`, payload);
        expect([method, path, id, reply.status, code(reply)]).toEqual([method, path, id, 404, 'NOT_FOUND']);
      }
    expect(await names('pageSize=200')).not.toContain(gone);
  });

  it('leaves the collection and its count when it is deleted', async () => {
    const own = await t.tenant();
    const [first] = [await make({ name: 'first' }, own), await make({ name: 'second' }, own)];
    await own.delete(`/v2/journeys/${first}`);
    const { body } = await own.get('/v2/journeys');
    expect(body.pagination.totalElements).toBe(1);
    expect(body.data.map((row: { name: string }) => row.name)).toEqual(['second']);
  });

  it('is nowhere under /v1', async () => {
    for (const path of ['/v1/journeys', `/v1/journeys/${await make()}`]) {
      const reply = await tenant.get(path);
      expect([reply.status, code(reply)]).toEqual([404, 'NOT_FOUND']);
    }
  });
});

describe('PATCH /v2/journeys/{id}', () => {
  it('changes what is given, counts the edit, and clears with null', async () => {
    const folderId = await makeFolder('For edits');
    const id = await make({ name: 'Before', tags: ['a'], definition });
    const changed = await tenant.patch(`/v2/journeys/${id}`, { name: 'After', folderId, tags: ['b', 'b'] });
    expect(changed.body.data).toMatchObject({
      ...{ name: 'After', directoryId: folderId, directoryName: 'For edits', tags: ['b'], definition, revision: 2 },
    });
    expect(changed.headers.etag).toBe('"2"');
    const cleared = await tenant.patch(`/v2/journeys/${id}`, { tags: null, folderId: null, definition: null });
    expect(cleared.body.data).toMatchObject({ tags: [], directoryId: null, definition: null, revision: 3 });
    expect((await tenant.patch(`/v2/journeys/${id}`, { type: 'batch' })).body.data.type).toBe('batch');
  });

  it.each([
    [{}, 'body'],
    [{ unknown: 1 }, 'body'],
    [{ name: null }, 'name'],
    [{ type: null }, 'type'],
    [{ folderId: 'f'.repeat(24) }, 'folderId'],
    [{ inFlight: 'move' }, 'definition'],
    [{ inFlight: 'stay', definition }, 'inFlight'],
  ])('refuses %j', async (change, field) => {
    const id = await make();
    const reply = await tenant.patch(`/v2/journeys/${id}`, change);
    expect([reply.status, detail(reply)]).toEqual([400, field]);
    expect((await tenant.get(`/v2/journeys/${id}`)).body.data.revision).toBe(1);
  });

  it('is refused when somebody else was faster', async () => {
    const id = await make();
    const patch = (name: string, tag: string) => tenant.patch(`/v2/journeys/${id}`, { name }, { 'if-match': tag });
    expect((await patch('first', '"1"')).status).toBe(200);
    const late = await patch('late', '"1"');
    expect([late.status, code(late)]).toEqual([412, 'EDIT_CONFLICT']);
    expect((await patch('bare', '2')).status).toBe(200);
    expect((await patch('any', '*')).status).toBe(200);
    expect((await tenant.get(`/v2/journeys/${id}`)).body.data).toMatchObject({ name: 'any', revision: 4 });
  });

  it('lets one of two win who send the same tag at once', async () => {
    const id = await make();
    const replies = await Promise.all(
      ['a', 'b', 'c'].map((name) => tenant.patch(`/v2/journeys/${id}`, { name }, { 'if-match': '"1"' })),
    );
    expect(replies.map((reply) => reply.status).sort()).toEqual([200, 412, 412]);
  });

  it('takes it out of a folder that is deleted', async () => {
    const folderId = await makeFolder('Short-lived');
    const id = await make({ folderId });
    await tenant.delete(`/v2/folders/${folderId}`);
    expect((await tenant.get(`/v2/journeys/${id}`)).body.data).toMatchObject({
      directoryId: null,
      directoryName: null,
    });
  });
});

it('lets a dynamic list be made for a journey that is there', async () => {
  const journeyId = await make();
  const body = { name: 'Audience', filter: { all: [] }, journeyId };
  const made = await tenant.post('/v2/dynamic-lists', body);
  expect(made.body.data.listType).toBe('campaign_audience');
  await tenant.delete(`/v2/journeys/${journeyId}`);
  const late = await tenant.post('/v2/dynamic-lists', body);
  expect([late.status, detail(late)]).toEqual([400, 'journeyId']);
});

it('is told in the metrics how many are active and how many of them are paused', async () => {
  const figure = async (state: string) => {
    const { text } = await t.anonymous.get('/metrics');
    return Number(new RegExp(`^rapport_journeys\\{state="${state}"\\} (\\d+)$`, 'm').exec(text)?.[1]);
  };
  const before = [await figure('running'), await figure('paused')];
  const [one, two] = [await make({ definition }), await make({ definition })];
  for (const id of [one, two]) await tenant.post(`/v2/journeys/${id}/activate`);
  await tenant.post(`/v2/journeys/${two}/pause`);
  expect([await figure('running'), await figure('paused')]).toEqual(before.map((count) => count + 1));
});
