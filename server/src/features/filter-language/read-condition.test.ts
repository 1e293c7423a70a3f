// Subjects and operators, at every edge of the language.
import { describe, expect, it } from 'vitest';
import { faultsOf } from '../../../test/filters/faults.js';
import { readFilter } from './read.js';
import { Subjects } from './subjects.js';

const read = (json: unknown) => readFilter(json, new Subjects([]));
const x255 = 'x'.repeat(255);
const emoji255 = '😀'.repeat(255);
const listId = '0123456789abcdef01234567';

/** Every operator with a value that it takes. */
const good: Record<string, unknown> = {
  ...{ is: 'a', isNot: 1, in: ['a', 1, true], notIn: [false], contains: 'a', notContains: ' ', startsWith: '%' },
  ...{ endsWith: '.*', exists: false, lt: 1, lte: -1.5, gt: 0, gte: 1e300, between: [1, 1], before: '2026-11-15' },
  ...{ after: '2026-11-15T09:30:00+02:00', withinLast: 'P30D', notWithinLast: 'PT1S', withinNext: 'P3650D' },
  ...{ hasEverBeen: 'a', matches: '*' },
};
const texts = ['is', 'isNot', 'in', 'notIn', 'contains', 'notContains', 'startsWith', 'endsWith', 'matches'];
const times = ['before', 'after', 'withinLast', 'notWithinLast', 'withinNext'];
const values = Object.keys(good).filter((operator) => operator !== 'hasEverBeen');
const inWhere = (condition: object) => ({ event: 'e', where: condition });

describe('each subject takes its operators and no other', () => {
  it.each<[string, (test: object) => object, readonly string[]]>([
    ['property', (test) => ({ property: 'a', ...test }), [...values, 'hasEverBeen']],
    ['contact email', (test) => ({ contact: 'email', ...test }), texts],
    ['contact createdAt', (test) => ({ contact: 'createdAt', ...test }), times],
    ['contact updatedAt', (test) => ({ contact: 'updatedAt', ...test }), times],
    ['userProperty', (test) => ({ userProperty: 'a', ...test }), values],
    ['orgProperty', (test) => ({ orgProperty: 'a', ...test }), values],
    ['organization orgId', (test) => ({ organization: 'orgId', ...test }), values],
    ['organization name', (test) => ({ organization: 'name', ...test }), values],
    ['eventProperty', (test) => inWhere({ eventProperty: 'a', ...test }), values],
    ['eventField userId', (test) => inWhere({ eventField: 'userId', ...test }), [...texts, 'exists']],
    ['eventField orgId', (test) => inWhere({ eventField: 'orgId', ...test }), [...texts, 'exists']],
    ['eventField eventDate', (test) => inWhere({ eventField: 'eventDate', ...test }), times],
  ])('%s', (subject, make, taken) => {
    for (const [operator, value] of Object.entries(good)) {
      const asText = subject === 'contact email' && operator === 'isNot' ? 'a' : value;
      const given = subject === 'contact email' && Array.isArray(value) ? ['a'] : asText;
      const faults = faultsOf(make({ [operator]: given }));
      if (taken.includes(operator)) expect([operator, faults]).toEqual([operator, []]);
      else expect(faults).toEqual([expect.stringMatching(`^filter(.where)?.${operator}: `)]);
    }
    expect(faultsOf(make({}))).toEqual([expect.stringContaining('an operator is wanted')]);
    const two = { [taken[0] as string]: good[taken[0] as string], [taken[1] as string]: good[taken[1] as string] };
    expect(faultsOf(make(two))).toEqual([expect.stringContaining('one operator is wanted, not "')]);
    expect(faultsOf(make({ ...two, equals: 1 }))).toEqual([expect.stringMatching(/\.equals: not known here$/)]);
  });
});

describe('each operator takes its values and no other', () => {
  it.each<[string, unknown[]]>([
    ['is', ['', 'a', x255.repeat(9), 0, -1.5, 1e300, true, false, '$1', "'; drop table contact", '%', 'Ünïcödé']],
    ['in', [[''], Array.from({ length: 1000 }, (_, i) => i), ['1', 1, true, 'a', 'a']]],
    ['contains', ['a', ' ', x255, emoji255, '.*', '\\']],
    ['exists', [true, false]],
    ['gt', [0, -0, 1e308, -5]],
    [
      'between',
      [
        [0, 0],
        [-1, 1],
        [1.5, 1e10],
      ],
    ],
    ['before', ['2026-11-15', '2026-11-15T09:30:00', '2026-11-15t09:30:00.123456789z', '0001-01-01', '2024-02-29']],
    ['withinLast', ['PT1S', 'P3650D', 'P2W']],
  ])('%s', (operator, all) => {
    for (const value of all) expect(faultsOf({ property: 'a', [operator]: value })).toEqual([]);
  });

  it.each<[string, unknown[]]>([
    ['is', [null, [], {}, ['a'], Number.POSITIVE_INFINITY, 'a\0', '\ud800', { toString: 'a' }]],
    ['hasEverBeen', [null, ['a'], {}]],
    ['in', [null, 'a', [], {}, { length: 1 }, [null], [['a']], ['\udc00'], Array.from({ length: 1001 }, (_, i) => i)]],
    ['notIn', ['a', 5, true]],
    ['contains', [null, '', 5, true, ['a'], `${x255}x`, `${emoji255}x`, 'a\0', '\ud83d']],
    ['exists', [null, 1, 'true', []]],
    ['lt', [null, '1', true, [], Number.NaN, Number.NEGATIVE_INFINITY]],
    ['between', [null, 1, [1], [1, 2, 3], [2, 1], ['1', '2'], [null, 1], [1, null], { 0: 1, 1: 2 }]],
    ['before', [null, 0, '', 'tomorrow', '2026-02-30', '2026-11-15 09:30:00', '15.11.2026', '2026-11-15T25:00:00Z']],
    ['withinNext', [null, 30, 'P1M', 'P1Y', 'PT0S', 'P3651D', '', ['P1D']]],
  ])('%s refuses', (operator, all) => {
    for (const value of all) {
      const fault = expect.stringMatching(`^filter\\.${operator}(\\[\\d+\\])?: `);
      expect([value, faultsOf({ property: 'a', [operator]: value })]).toEqual([value, [fault]]);
    }
  });

  it('the place of a fault in a list is that of the element', () => {
    expect(faultsOf({ property: 'a', in: ['a', null] })[0]).toMatch(/^filter\.in\[1\]: /);
    expect(faultsOf({ property: 'a', between: [1, 'x'] })).toEqual(['filter.between[1]: a number is wanted']);
  });

  it('times become what the API writes, -0 becomes 0', () => {
    expect(read({ property: 'a', after: '2026-11-15T09:30:00+02:00' })).toMatchObject({
      test: { op: 'after', at: '2026-11-15T07:30:00.000Z' },
    });
    expect(read({ property: 'a', is: -0 })).toMatchObject({ test: { value: 0 } });
  });
});

describe('a property key', () => {
  const subjects = ['property', 'userProperty', 'orgProperty'];
  it.each(['a', '_', 'first_name', 'a1', 'constructor', 'x'.repeat(64)])('%s can exist', (key) => {
    for (const subject of subjects) expect(faultsOf({ [subject]: key, is: 1 })).toEqual([]);
  });
  it.each([
    null,
    1,
    '',
    'A',
    'firstName',
    '1a',
    'a-b',
    'a b',
    'a\n',
    'é',
    'x'.repeat(65),
    '__proto__',
    ['a'],
    "a'",
    'a"',
  ])('%j cannot', (key) => {
    for (const subject of subjects) {
      expect(faultsOf({ [subject]: key, is: 1 })).toEqual([
        expect.stringContaining(`filter.${subject}: no property can have this key`),
      ]);
    }
  });
});

describe('the email of a contact', () => {
  it('is compared trimmed and in lower case', () => {
    expect(read({ contact: 'email', is: ' Ann@Example.COM ' })).toMatchObject({ test: { value: 'ann@example.com' } });
    expect(read({ contact: 'email', notIn: ['A@b.C', 'd'] })).toMatchObject({ test: { values: ['a@b.c', 'd'] } });
    expect(read({ contact: 'email', endsWith: ' @X.com' })).toMatchObject({ test: { text: ' @x.com' } });
  });
  it('is text', () => {
    expect(faultsOf({ contact: 'email', is: 5 })).toEqual(['filter.is: a text is wanted']);
    expect(faultsOf({ contact: 'email', in: ['a', true] })).toEqual(['filter.in[1]: a text is wanted']);
  });
  it.each(['name', 'Email', '', null, 1, 'contactId', ['email']])('the field %j is refused', (field) => {
    expect(faultsOf({ contact: field, is: 'a' })).toEqual([
      'filter.contact: "email", "createdAt" or "updatedAt" is wanted',
    ]);
  });
});

describe('members of organizations', () => {
  const where = { property: 'a', exists: true };
  it.each([
    [{ where }, { atLeast: 1 }],
    [{ where, atLeast: 0 }, { atLeast: 0 }],
    [{ where, atMost: 2 }, { atMost: 2 }],
    [
      { where, atLeast: 2, atMost: 2 },
      { atLeast: 2, atMost: 2 },
    ],
  ])('%j counts so', (orgMembers, count) => {
    expect(read({ orgMembers })).toEqual({
      kind: 'orgMembers',
      path: 'filter',
      count,
      where: { kind: 'property', path: 'filter.orgMembers.where', key: 'a', test: { op: 'exists', value: true } },
    });
  });
  it.each([
    [null, 'filter.orgMembers: an object is wanted'],
    [{}, 'filter.orgMembers: "where" is wanted'],
    [{ where: null }, 'filter.orgMembers.where: a filter is wanted'],
    [{ where, exactly: 1 }, 'filter.orgMembers.exactly: not known here'],
    [{ where, atLeast: 3, atMost: 2 }, 'filter.orgMembers.atLeast: the bounds are reversed'],
    [{ where, atLeast: -1 }, 'filter.orgMembers.atLeast: a whole number'],
    [{ where, atLeast: 1.5 }, 'filter.orgMembers.atLeast: a whole number'],
    [{ where, atMost: '2' }, 'filter.orgMembers.atMost: a whole number'],
    [{ where, atMost: 2 ** 31 }, 'filter.orgMembers.atMost: a whole number from 0 to 2,147,483,647 is wanted'],
    [{ where: { any: [{ orgMembers: { where } }] } }, 'filter.orgMembers.where.any[0].orgMembers: a "where" has no'],
    [{ where: { eventProperty: 'a', is: 1 } }, 'filter.orgMembers.where.eventProperty: not known here'],
  ])('%j is refused', (orgMembers, fault) => {
    expect(faultsOf({ orgMembers })).toEqual([expect.stringContaining(fault)]);
  });
  it('have no operator beside them', () => {
    expect(faultsOf({ orgMembers: { where }, atLeast: 1 })).toEqual(['filter.atLeast: not known here']);
  });
});

describe('lists and buckets', () => {
  it('a list is named by its id', () => {
    expect(read({ staticListId: listId })).toEqual({ kind: 'staticList', path: 'filter', listId });
    expect(read({ dynamicListId: listId })).toEqual({ kind: 'dynamicList', path: 'filter', listId });
  });
  it.each(['', 'x', listId.toUpperCase(), `${listId}0`, ` ${listId}`, null, 5, [listId]])('%j names nothing', (id) => {
    expect(faultsOf({ staticListId: id })[0]).toMatch(/^filter\.staticListId: /);
    expect(faultsOf({ dynamicListId: id })[0]).toMatch(/^filter\.dynamicListId: /);
  });
  it('a list takes no operator, and is one', () => {
    expect(faultsOf({ staticListId: listId, is: true })).toEqual(['filter.is: not known here']);
    expect(faultsOf({ staticListId: listId, dynamicListId: listId })[0]).toMatch('one subject is wanted');
  });

  const bucket = { seed: 'a', of: 100, from: 0, to: 9 };
  it.each([
    bucket,
    { ...bucket, of: 1, to: 0 },
    { ...bucket, of: 10_000, from: 9999, to: 9999 },
    { ...bucket, seed: emoji255 },
  ])('%j is a share', (given) => {
    expect(read({ bucket: given })).toEqual({ kind: 'bucket', path: 'filter', ...given });
  });
  it.each([
    [null, ''],
    [{ of: 100, from: 0, to: 9 }, ''],
    [{ ...bucket, seed: '' }, '.seed'],
    [{ ...bucket, seed: 5 }, '.seed'],
    [{ ...bucket, of: 0 }, '.of'],
    [{ ...bucket, of: 10_001 }, '.of'],
    [{ ...bucket, of: 1.5 }, '.of'],
    [{ ...bucket, from: -1 }, '.from'],
    [{ ...bucket, to: 100 }, '.to'],
    [{ ...bucket, from: 5, to: 4 }, '.from'],
    [{ ...bucket, to: null }, '.to'],
    [{ ...bucket, share: 1 }, '.share'],
  ])('%j is none', (given, place) => {
    expect(faultsOf({ bucket: given })).toEqual([expect.stringContaining(`filter.bucket${place}: `)]);
  });
});
