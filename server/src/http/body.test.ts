import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Reply, type TenantClient, useApp } from '../../test/app.js';

const t = useApp();
let tenant: TenantClient;
let listPath = '';
let folderPath = '';
let fresh = 0;

beforeAll(async () => {
  tenant = await t.tenant();
  await t.app.http.listen({ host: '127.0.0.1', port: 0 });
});
beforeEach(async () => {
  fresh++;
  listPath = `/v1/lists/${(await tenant.post('/v1/lists', { name: `list ${fresh}` })).body.data.staticListId}`;
  folderPath = `/v2/folders/${(await tenant.post('/v2/folders', { name: `folder ${fresh}` })).body.data.directoryId}`;
});

const targets: [string, () => string][] = [
  ['POST', () => '/v1/lists'],
  ['POST', () => '/v2/folders'],
  ['PATCH', () => listPath],
  ['PATCH', () => folderPath],
];

function expectInvalid(reply: Reply, detail?: string): void {
  expect(reply.status).toBe(400);
  expect(reply.body).toMatchObject({ data: null, meta: { status: 'FAILURE' } });
  for (const item of reply.body.errors) expect(item.errorCode).toBe('VALIDATION_ERROR');
  if (detail) expect(reply.body.errors[0].detail).toBe(detail);
}

async function storedNames(): Promise<unknown> {
  const [lists, folders] = [await tenant.get('/v2/lists?pageSize=200'), await tenant.get('/v2/folders?pageSize=200')];
  return [lists.body.data, folders.body.data];
}

/** A key in a body, written as JSON text so that the parser meets it, not the test. */
const nested = (depth: number) => `{"name":"deep","x":${'['.repeat(depth)}${']'.repeat(depth)}}`;

describe.each(targets)('a body of %s %#', (method, path) => {
  it.each([
    ['cut off', '{"name":'],
    ['with a trailing comma', '{"name":"a",}'],
    ['with single quotes', "{'name':'a'}"],
    ['with something after it', '{"name":"a"}{}'],
    ['with a comment', '{"name":"a"/**/}'],
    ['with NaN', '{"name":NaN}'],
    ['with a raw control character', '{"name":"a\u0001"}'],
    ['form-encoded', 'name=a'],
    ['an array', '[{"name":"a"}]'],
    ['an empty array', '[]'],
    ['a string', '"name"'],
    ['a number', '7'],
    ['null', 'null'],
    ['true', 'true'],
    ['white space', ' \n '],
    ['a byte order mark alone', '\ufeff'],
    ['empty', ''],
    ['an empty object', '{}'],
    ['without a known field', '{"nom":"a","Name":"a","NAME":"a"}'],
    ['with a null name', '{"name":null}'],
    ['with an empty name', '{"name":""}'],
    ['with a blank name', '{"name":" \\t\\n\\u00a0 "}'],
    ['with a number for a name', '{"name":1}'],
    ['with an array for a name', '{"name":["a"]}'],
    ['with an object for a name', '{"name":{"a":1}}'],
    ['with a boolean for a name', '{"name":true}'],
    ['with NUL', '{"name":"a\\u0000b"}'],
    ['with a lone surrogate', '{"name":"a\\ud800"}'],
    ['with surrogates the wrong way round', '{"name":"\\udc00\\ud800"}'],
    ['with __proto__', '{"name":"a","__proto__":{"admin":true}}'],
    ['with an escaped __proto__', '{"name":"a","\\u005f_proto__":{"admin":true}}'],
    ['with a deep __proto__', '{"name":"a","x":[{"__proto__":null}]}'],
    ['with 10,000 levels', nested(10_000)],
    ['with 10,000 levels that never close', '['.repeat(10_000)],
    ['with 10,000 levels of objects', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
  ])('is refused with 400 and changes nothing: %s', async (_, body) => {
    const before = await storedNames();
    expectInvalid(await tenant.send(method, path(), body));
    expect(await storedNames()).toEqual(before);
  });

  it.each([
    ['a byte that never is', Buffer.from([0x7b, 0x22, 0x6e, 0x61, 0x6d, 0x65, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d])],
    ['a cut character', Buffer.from([0x7b, 0x22, 0x6e, 0x61, 0x6d, 0x65, 0x22, 0x3a, 0x22, 0xc3, 0x22, 0x7d])],
    [
      'an encoded surrogate',
      Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"}')]),
    ],
    ['an overlong slash', Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xc0, 0xaf]), Buffer.from('"}')])],
    ['UTF-16', Buffer.from('\ufeff{"name":"a"}', 'utf16le')],
  ])('is refused when it is not UTF-8: %s', async (_, body) => {
    expectInvalid(await tenant.send(method, path(), body), 'body');
  });

  it.each([
    ['text/plain', '{"name":"typed"}'],
    ['text/json', '{"name":"typed"}'],
    ['application/x-www-form-urlencoded', 'name=typed'],
    ['multipart/form-data; boundary=x', '--x--'],
    ['application/jsonp', '{"name":"typed"}'],
    ['application/json5', '{"name":"typed"}'],
    ['application/x-ndjson', '{"name":"typed"}'],
    ['application/json, text/plain', '{"name":"typed"}'],
    ['application/json; charset=latin1', '{"name":"typed"}'],
    ['application/json; charset=utf-16', '{"name":"typed"}'],
    ['nonsense', '{"name":"typed"}'],
    ['/', '{"name":"typed"}'],
    ['text/plain', undefined],
    ['application/octet-stream', undefined],
  ])('is refused as %s, with the body %s', async (type, body) => {
    expectInvalid(await tenant.send(method, path(), body, { 'content-type': type }));
  });

  it('is refused when there is none', async () => {
    expectInvalid(await tenant.send(method, path()));
    expectInvalid(await tenant.send(method, path(), '', { 'content-type': 'application/json' }));
  });

  it.each([
    'application/json',
    'Application/JSON',
    'application/json;charset=utf-8',
    'application/json; charset=UTF-8',
    'application/json; charset="utf-8"',
    'application/json ; charset=utf8',
    'application/json; charset=utf-8; profile="x"',
    'application/json; odata=verbose',
    'application/vnd.api+json',
    'application/problem+json; charset=utf-8',
  ])('is taken as %s', async (type) => {
    const name = `typed ${fresh}`;
    expect((await tenant.send(method, path(), { name }, { 'content-type': type })).status).toBe(200);
  });

  it('is taken with a byte order mark, white space, escapes and unknown fields', async () => {
    const body = `\ufeff \n{"\\u006eame":"sp\\u00e9cial ${fresh}","x":{"y":[1,{"z":null}]},"constructor":{"prototype":{"a":1}},"toString":"t"}\n`;
    expect((await tenant.send(method, path(), body)).status).toBe(200);
    const names = JSON.stringify(await storedNames());
    expect(names).toContain(`spécial ${fresh}`);
    expect(({} as Record<string, unknown>).a).toBeUndefined();
  });

  it('takes the last of two equal keys, as JSON.parse does', async () => {
    expect((await tenant.send(method, path(), `{"name":7,"name":"twice ${fresh}"}`)).status).toBe(200);
  });

  it('may have the word __proto__ for a value', async () => {
    expect((await tenant.send(method, path(), { name: `__proto__ ${fresh}`, x: '__proto__' })).status).toBe(200);
  });

  it('may be nested 50 levels deep in unknown fields', async () => {
    expect((await tenant.send(method, path(), nested(50).replace('deep', `deep ${fresh}`))).status).toBe(200);
  });

  it('names every field that is wrong', async () => {
    const reply = await tenant.send(method, path(), { name: 7 });
    expectInvalid(reply, 'name');
    expect(reply.body.errors[0].message).toMatch(/^name must be a string/);
  });
});

describe('a body of POST /v1/lists', () => {
  it('names the first 20 faults and says how many more there are', async () => {
    const body = `{"contactIds":[${Array(1000).fill('"\\ud800"').join()}]}`;
    const reply = await tenant.send('POST', `${listPath}/members`, body);
    expectInvalid(reply, 'contactIds[0]');
    expect(reply.body.errors).toHaveLength(20);
    expect(reply.body.errors[19].message).toBe(
      'contactIds[19] must be valid Unicode without NUL. And 980 more faults.',
    );
  });

  it('measures an array before it reads an item', async () => {
    const body = `{"contactIds":[${Array(1001).fill('"\\ud800"').join()}]}`;
    const reply = await tenant.send('POST', `${listPath}/members`, body);
    expectInvalid(reply, 'contactIds');
    expect(reply.body.errors).toMatchObject([{ message: 'contactIds must not have more than 1000 items.' }]);
  });

  it('names all faults at once', async () => {
    const { body } = await tenant.post('/v1/lists', { name: '', folder: {} });
    expect(body.errors.map((item: { detail: string }) => item.detail).sort()).toEqual(['folder', 'name']);
  });

  it('counts characters, not bytes or what they look like', async () => {
    const accents = `e${'\u0301'.repeat(254)}`;
    expect((await tenant.post('/v1/lists', { name: accents })).body.data.name).toBe(accents);
    expectInvalid(await tenant.post('/v1/lists', { name: `${accents}\u0301` }), 'name');
  });

  it('is trimmed before it is counted', async () => {
    expect((await tenant.post('/v1/lists', { name: `${' '.repeat(300)}t${fresh}${' '.repeat(300)}` })).status).toBe(
      200,
    );
  });
});

describe('a body of PATCH', () => {
  it('clears with null what may be cleared, and only that', async () => {
    await tenant.patch(listPath, { folder: 'somewhere' });
    expect((await tenant.get(listPath)).body.data).toHaveProperty('directoryId');
    expectInvalid(await tenant.patch(listPath, { name: null, folder: null }), 'name');
    expect((await tenant.get(listPath)).body.data).toHaveProperty('directoryId');
    expect((await tenant.patch(listPath, { folder: null })).status).toBe(200);
    expect((await tenant.get(listPath)).body.data).not.toHaveProperty('directoryId');
  });

  it('says which keys it takes when it brings none of them', async () => {
    const reply = await tenant.patch(listPath, { unknown: 1 });
    expectInvalid(reply, 'body');
    expect(reply.body.errors[0].message).toContain('name, folder');
  });
});

describe('a POST that needs no body', () => {
  const unknown = '/v2/journeys/nope/activate';

  it.each(['[]', '[{}]', '7', '"x"', 'null', 'true'])(
    'refuses %s, which is no object, before all else',
    async (body) => {
      expectInvalid(await tenant.send('POST', unknown, body), 'body');
    },
  );

  it.each([undefined, '', '{}', '{"unknown":[null]}'])('takes %j', async (body) => {
    const headers = { 'content-type': 'application/json' };
    expect((await tenant.send('POST', unknown, body, headers)).status).toBe(404);
  });
});

describe('DELETE and GET', () => {
  it('need no body and ignore one', async () => {
    const headers = { 'content-type': 'application/json' };
    expect((await tenant.send('GET', listPath, undefined, headers)).status).toBe(200);
    expect((await tenant.send('DELETE', folderPath, undefined, headers)).status).toBe(200);
    expect((await tenant.send('DELETE', listPath, { any: 'thing' })).status).toBe(200);
  });
});
