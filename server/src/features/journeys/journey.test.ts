import { beforeAll, describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../test/app.js';
import { code, definition, detail, journeysOf } from '../../../test/journeys/made-journeys.js';

const t = useApp();
let tenant: TenantClient;
beforeAll(async () => {
  tenant = await t.tenant();
});

const { make, makeFolder, names } = journeysOf(() => tenant);

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
