import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../test/app.js';

const t = useApp();
let tenant: TenantClient;
const rows = 3;

beforeAll(async () => {
  tenant = await t.tenant();
  for (const name of ['alpha', 'Beta', 'gamma 100%']) {
    await tenant.post('/v1/lists', { name });
    await tenant.post('/v2/folders', { name });
  }
});

async function expectRefused(path: string, field: string): Promise<void> {
  const { status, body } = await tenant.get(path);
  expect(status, path).toBe(400);
  expect(body).toMatchObject({ data: null, meta: { status: 'FAILURE' } });
  expect(body.errors).toEqual([
    { errorCode: 'VALIDATION_ERROR', message: expect.stringContaining(field), detail: field },
  ]);
}

describe.each(['/v2/lists', '/v2/folders'])('GET %s', (path) => {
  const page = async (query: string) => (await tenant.get(`${path}?${query}`)).body;

  it('reads the first 20 rows by default', async () => {
    const { data, pagination, errors, meta } = (await tenant.get(path)).body;
    expect(data).toHaveLength(rows);
    expect(pagination).toEqual({ pageNumber: 1, pageSize: 20, totalElements: rows, totalPages: 1 });
    expect(errors).toEqual([]);
    expect(meta.status).toBe('SUCCESS');
  });

  it.each([
    '0',
    '-1',
    '2147483648',
    '1.5',
    '1.0',
    'abc',
    '',
    '+1',
    ' 1',
    '1 ',
    '1e2',
    '0x1',
    '٣',
    '１',
    '%00',
    '99999999999999999999',
    'null',
  ])('refuses the page number %j', (value) => expectRefused(`${path}?pageNumber=${encodeURI(value)}`, 'pageNumber'));

  it.each(['0', '-1', '201', '2147483648', '1.5', 'abc', '', 'Infinity', 'NaN', '1,2'])(
    'refuses the page size %j',
    (value) => expectRefused(`${path}?pageSize=${value}`, 'pageSize'),
  );

  it.each([
    ['pageNumber=2147483647', 2_147_483_647, 20],
    ['pageSize=200', 1, 200],
    ['pageSize=1', 1, 1],
    ['pageNumber=2147483647&pageSize=200', 2_147_483_647, 200],
  ])('takes %s, the end of the range', async (query, pageNumber, pageSize) => {
    const { pagination } = await page(query);
    expect(pagination).toMatchObject({ pageNumber, pageSize, totalElements: rows });
  });

  it('answers a page past the end with no rows, its own number and true totals', async () => {
    const { data, pagination } = await page('pageNumber=7&pageSize=2');
    expect(data).toEqual([]);
    expect(pagination).toEqual({ pageNumber: 7, pageSize: 2, totalElements: rows, totalPages: 2 });
  });

  it('has no pages at all when nothing matches', async () => {
    const { data, pagination } = await page('search=nothing+like+this&pageNumber=3');
    expect(data).toEqual([]);
    expect(pagination).toEqual({ pageNumber: 3, pageSize: 20, totalElements: 0, totalPages: 0 });
  });

  it('goes through all rows once, page by page', async () => {
    const seen = [];
    for (const number of [1, 2, 3]) seen.push(...(await page(`pageSize=1&pageNumber=${number}`)).data);
    expect(seen).toEqual((await page('')).data);
  });

  it.each([
    ['pageNumber=1&pageNumber=1', 'pageNumber'],
    ['pageNumber=1&pageNumber=2', 'pageNumber'],
    ['pageSize=5&pageSize=5', 'pageSize'],
    ['search=a&search=a', 'search'],
    ['search=&search=', 'search'],
    ['search&search', 'search'],
    ['search=a&x=1&search=b', 'search'],
    ['page_number=1&pageNumber=1', 'pageNumber'],
    ['page_size=1&page_size=1', 'pageSize'],
    ['page%53ize=1&pageSize=1', 'pageSize'],
  ])('refuses the repeat in %s', (query, field) => expectRefused(`${path}?${query}`, field));

  it('takes the snake_case spelling of every parameter', async () => {
    expect((await page('page_number=2&page_size=1')).pagination).toMatchObject({ pageNumber: 2, pageSize: 1 });
    await expectRefused(`${path}?page_size=0`, 'pageSize');
  });

  it.each([
    'folderId=x&folder_id=y',
    'unknown=1&unknown=2',
    'search[]=zzz',
    'search%5B%5D=zzz&search%5B%5D=zzz',
    'pageSize[]=0',
    'PageSize=0',
    'pagesize=0',
    'page-size=0',
    '__proto__=1&constructor=2&toString=3',
    'broken=%zz&%ff=1&%=2',
    '&&&',
    '=&==&=a',
    '&amp;pageSize=0',
  ])('ignores what it does not know: %s', async (query) => {
    expect((await page(query)).data).toHaveLength(rows);
  });

  it.each(['%zz', '%', '%f', '%ff', '%C3', '%ED%A0%80', '%00', 'a%00b'])(
    'refuses the search %s, which is no text',
    (value) => expectRefused(`${path}?search=${value}`, 'search'),
  );

  it.each([
    ['search=ALPHA', 1],
    ['search=a', 3],
    ['search=', 3],
    ['search', 3],
    ['search=100%25', 1],
    ['search=%25', 1],
    ['search=gamma+100', 1],
    ['search=gamma%20100', 1],
    ['search=%2B', 0],
    ['search=+', 1],
    ['search=alpha+', 0],
    ['search=+alpha', 0],
    ['search=a=b', 0],
    ['search=alpha%26x', 0],
  ])('takes the text of %s literally', async (query, count) => {
    const { data, pagination } = await page(query);
    expect(data).toHaveLength(count);
    expect(pagination.totalElements).toBe(count);
  });
});

describe('GET /v2/lists', () => {
  it.each(['Static', 'STATIC', '', 'static,dynamic', 'static ', 'all', 'null'])('refuses the type %j', (value) =>
    expectRefused(`/v2/lists?type=${encodeURIComponent(value)}`, 'type'),
  );

  it('takes one type once', async () => {
    await expectRefused('/v2/lists?type=static&type=static', 'type');
    await expectRefused('/v2/lists?type=static&type=dynamic', 'type');
    expect((await tenant.get('/v2/lists?type[]=dynamic')).body.data).toHaveLength(rows);
  });

  it('joins different parameters with AND', async () => {
    expect((await tenant.get('/v2/lists?type=static&search=alpha')).body.data).toHaveLength(1);
    expect((await tenant.get('/v2/lists?type=dynamic&search=alpha')).body.data).toHaveLength(0);
  });

  it('answers any query string with a page or with a 400 envelope', async () => {
    const byte = fc.integer({ min: 0, max: 255 }).map((n) => `%${n.toString(16).padStart(2, '0')}`);
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }).map(encodeURIComponent),
      fc.array(byte, { maxLength: 8 }).map((bytes) => bytes.join('')),
      fc.string({ unit: fc.constantFrom(...'%&=+[]aZ09._-~!*;:@/?') }),
      fc.constantFrom('1', '0', '200', 'static', 'dynamic', '2147483647', ''),
    );
    const name = fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom('type', 'search', 'pageNumber', 'pageSize', 'page_number', 'page_size') },
      { weight: 1, arbitrary: fc.constantFrom('search[]', 'type%5B%5D', 'page%4Eumber', '__proto__', 'folderId') },
      { weight: 1, arbitrary: text },
    );
    const query = fc.array(
      fc.tuple(name, fc.constantFrom('=', '', '=='), text).map((parts) => parts.join('')),
      { maxLength: 5 },
    );
    await fc.assert(
      fc.asyncProperty(query, async (parts) => {
        const { status, body } = await tenant.get(`/v2/lists?${parts.join('&')}`);
        expect([200, 400]).toContain(status);
        expect(Array.isArray(body.data)).toBe(status === 200);
        expect(body.errors.length > 0).toBe(status === 400);
        expect(body.meta.status).toBe(status === 200 ? 'SUCCESS' : 'FAILURE');
      }),
      { numRuns: 400 },
    );
  });
});
