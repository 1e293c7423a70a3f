// The collection and single journeys: every sentence of the specification about them, and the bodies of their authors.
import { beforeAll, describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../test/app.js';
import { makeDynamicList } from '../../../test/dynamic-lists.js';
import { code, definition, detail, journeysOf } from '../../../test/journeys/made-journeys.js';

const t = useApp();
let tenant: TenantClient;
beforeAll(async () => {
  tenant = await t.tenant();
});

const { make, makeFolder, names } = journeysOf(() => tenant);

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
