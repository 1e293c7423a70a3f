import type { Params } from '@rapport/contract';
import { paging, search } from '@rapport/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseInstant } from '../lib/instant.js';
import { ApiError } from './api-error.js';
import { queryReader, splitQuery } from './query.js';

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

  it('treats no offset as UTC and a date as its midnight', () => {
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
