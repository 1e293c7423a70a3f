// Section 3 of the contract's decisions: how query strings are read.
import type { Params } from '@rapport/contract';
import { paging, search } from '@rapport/contract';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../test/app.js';
import { parseInstant } from '../lib/instant.js';
import { ApiError } from './api-error.js';
import { queryReader, splitQuery } from './query.js';

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

  it('reads the first 20 rows when it is told nothing', async () => {
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

const many = { kind: 'choice', words: ['active', 'draft'], repeatable: true, description: '' } as const;
const tag = { kind: 'text', emptyIsAbsent: false, repeatable: true, description: '' } as const;
const folderId = { kind: 'text', emptyIsAbsent: false, repeatable: false, description: '' } as const;
const instant = { kind: 'instant', repeatable: false, description: '' } as const;
const params = {
  status: many,
  tag,
  folderId,
  search,
  startTime: instant,
  endTime: instant,
  ...paging,
} satisfies Params;
const read = queryReader(params, true);

function refusedField(text: string, reader = read): string | undefined {
  try {
    reader(text);
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(ApiError);
    expect((error as ApiError).code).toBe('VALIDATION_ERROR');
    return (error as ApiError).items[0]?.detail;
  }
}

describe('queryReader', () => {
  it('gives defaults, empty arrays and undefined for what is absent', () => {
    expect(read('')).toEqual({
      status: [],
      tag: [],
      folderId: undefined,
      search: undefined,
      startTime: undefined,
      endTime: undefined,
      pageNumber: 1,
      pageSize: 20,
    });
  });

  it.each([
    'status=active&status=draft',
    'status=active&status[]=draft',
    'status[]=active&status[]=draft',
    'status%5B%5D=active&status%5b%5d=draft',
    'status=active&x=1&status%5B%5D=draft',
  ])('joins the values of %s', (text) => {
    expect(read(text).status).toEqual(['active', 'draft']);
  });

  it.each([
    'status=Active',
    'status=',
    'status',
    'status[]=',
    'status=active,draft',
    'status=active&status=nope',
    'status[]=ACTIVE',
  ])('refuses %s', (text) => expect(refusedField(text)).toBe('status'));

  it('ignores an index between the brackets, which is another parameter', () => {
    expect(read('status[0]=nope&status[][]=nope&status[=nope').status).toEqual([]);
  });

  it('keeps an empty tag and an empty folderId, which match nothing', () => {
    expect(read('tag=&folderId=')).toMatchObject({ tag: [''], folderId: '' });
    expect(read('search=').search).toBeUndefined();
  });

  it('does not trim', () => {
    expect(read('search=+a+&folderId=%20x%20&tag=%09')).toMatchObject({ search: ' a ', folderId: ' x ', tag: ['\t'] });
  });

  it('reads snake_case where the route says so, and counts both spellings as one', () => {
    expect(read('folder_id=f&start_time=2026-01-01&page_size=3')).toMatchObject({
      folderId: 'f',
      startTime: '2026-01-01T00:00:00.000Z',
      pageSize: 3,
    });
    expect(refusedField('folder_id=f&folderId=f')).toBe('folderId');
    expect(refusedField('start_time=2026-01-01&startTime=2026-01-01')).toBe('startTime');
    const camelOnly = queryReader(params, false);
    expect(camelOnly('folder_id=f&page_size=0&page_number=x&start_time=x')).toEqual(camelOnly(''));
  });

  it('reads snake_case of scalar parameters only', () => {
    const reader = queryReader({ emailStatus: many }, true);
    expect(reader('email_status=active&email_status[]=active').emailStatus).toEqual([]);
    expect(reader('emailStatus=active').emailStatus).toEqual(['active']);
  });

  it('throws nothing but ApiError, whatever it reads', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom(...'%=&+[]0123456789abcdefABCDEF') }),
      fc.constantFrom(
        ...Object.keys(params),
        'status[]',
        'tag%5B%5D',
        'page_number',
        '=',
        '&',
        '%',
        '%C3',
        '2026-02-29',
      ),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join('');
        refusedField(text);
        for (const [name] of splitQuery(text)) expect(typeof name).toBe('string');
      }),
      { numRuns: 2000 },
    );
  });

  it('reads back any sound text that is percent-encoded, and refuses what is not sound', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.array(fc.string({ unit: 'grapheme' })), (folder, tags) => {
        const sound = [folder, ...tags].every((text) => !text.includes('\0'));
        const text = new URLSearchParams([
          ['folderId', folder],
          ...tags.map((one): [string, string] => ['tag[]', one]),
        ]).toString();
        if (!sound) expect(refusedField(text)).toBeDefined();
        else expect(read(text)).toMatchObject({ folderId: folder, tag: tags });
      }),
    );
  });
});

describe('an instant in a query string', () => {
  it.each([
    ['2026-11-15T09:30:00Z', '2026-11-15T09:30:00.000Z'],
    ['2026-11-15t09:30:00z', '2026-11-15T09:30:00.000Z'],
    ['2026-11-15T09:30:00', '2026-11-15T09:30:00.000Z'],
    ['2026-11-15T09:30:00.5', '2026-11-15T09:30:00.500Z'],
    ['2026-11-15T09:30:00.123456789Z', '2026-11-15T09:30:00.123Z'],
    ['2026-11-15', '2026-11-15T00:00:00.000Z'],
    ['2026-11-15T09:30:00%2B02:00', '2026-11-15T07:30:00.000Z'],
    ['2026-11-15T09:30:00+02:00', '2026-11-15T07:30:00.000Z'],
    ['2026-11-15T09:30:00%2002:00', '2026-11-15T07:30:00.000Z'],
    ['2026-11-15T09%3A30%3A00-05:30', '2026-11-15T15:00:00.000Z'],
    ['2026-11-15T00:00:00-00:00', '2026-11-15T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2000-02-29T23:59:59.999Z', '2000-02-29T23:59:59.999Z'],
    ['2024-12-31T23:30:00-01:00', '2025-01-01T00:30:00.000Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
    ['0001-01-01', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('%s is %s', (text, expected) => {
    expect(read(`startTime=${text}`).startTime).toBe(expected);
  });

  it.each([
    '',
    'yesterday',
    '2026',
    '2026-11',
    '2026-11-15T',
    '2026-11-15T09',
    '2026-11-15T09:30',
    '2026-11-15T09:30Z',
    '2026-11-15Z',
    '2026-11-15T24:00:00Z',
    '2026-11-15T09:60:00Z',
    '2026-11-15T09:30:61Z',
    '2026-11-15T09:30:00.Z',
    '2026-11-15T09:30:00,5Z',
    '2026-11-15T09:30:00+0200',
    '2026-11-15T09:30:00%2B24:00',
    '2026-11-15T09:30:00%2B02:60',
    '2026-11-15T09:30:00++02:00',
    '2026-11-15T09:30:00Z+',
    '+2026-11-15',
    '2023-02-29',
    '1900-02-29',
    '2026-02-30',
    '2026-13-01',
    '2026-00-01',
    '2026-01-00',
    '26-11-15',
    '02026-11-15',
    '-2026-11-15',
    '%2B002026-11-15',
    '0000-01-01',
    '0001-01-01T00:00:00%2B00:01',
    '9999-12-31T23:59:59-00:01',
    '1763199000',
    '1763199000000',
    '2026-11-15T09:30:00Z%00',
    '2026-11-15T09:30:00Z%0A',
    '٢٠٢٦-11-15',
  ])('refuses %j', (text) => {
    expect(refusedField(`startTime=${text}`)).toBe('startTime');
  });
});

describe('parseInstant', () => {
  const [first, last] = [new Date('0001-01-02T00:00:00Z'), new Date('9999-12-30T23:59:59.999Z')];
  const moment = fc.date({ min: first, max: last, noInvalidDate: true });

  it('reads back what the API writes', () => {
    fc.assert(
      fc.property(moment, (date) => {
        expect(parseInstant(date.toISOString())).toBe(date.toISOString());
      }),
    );
  });

  it('means the same moment whatever the offset', () => {
    const offset = fc.integer({ min: -(23 * 60 + 59), max: 23 * 60 + 59 });
    fc.assert(
      fc.property(moment, offset, (date, minutes) => {
        const local = new Date(date.getTime() + minutes * 60_000).toISOString().slice(0, -1);
        const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
        const suffix = `${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
        expect(parseInstant(local + suffix)).toBe(date.toISOString());
      }),
    );
  });

  it('takes no offset for UTC and a date for its midnight', () => {
    fc.assert(
      fc.property(moment, (date) => {
        const iso = date.toISOString();
        expect(parseInstant(iso.slice(0, -1))).toBe(iso);
        expect(parseInstant(iso.slice(0, 10))).toBe(`${iso.slice(0, 10)}T00:00:00.000Z`);
      }),
    );
  });

  it('answers a canonical time or nothing, for any text', () => {
    const nearly = fc.string({ unit: fc.constantFrom(...'0123456789-:.TZ+ '), maxLength: 32 });
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), nearly), (text) => {
        const read = parseInstant(text);
        if (read === undefined) return;
        expect(read).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
        expect(parseInstant(read)).toBe(read);
      }),
      { numRuns: 1000 },
    );
  });
});
