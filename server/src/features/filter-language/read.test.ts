// The shape of filters: groups, limits, places, hostile input. Subjects and operators have their own files.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { faultsOf } from '../../../test/filters/faults.js';
import { FilterFault, FilterFaults } from './fault.js';
import { readFilter } from './read.js';
import type { Subject } from './subject.js';
import { Subjects } from './subjects.js';

const none = new Subjects([]);
const condition = { property: 'plan', is: 'pro' };

function nested(depth: number, inner: unknown = condition): unknown {
  let filter = inner;
  for (let i = 0; i < depth; i++) filter = { [['all', 'any', 'none'][i % 3] as string]: [filter] };
  return filter;
}

function times<T>(count: number, one: T): T[] {
  return Array.from({ length: count }, () => one);
}

describe('the shape of a filter', () => {
  it('has the place of each part', () => {
    const filter = readFilter({ all: [condition, { none: [{ any: [] }, condition] }] }, none);
    const test = { op: 'is', value: 'pro' };
    expect(filter).toEqual({
      kind: 'all',
      path: 'filter',
      of: [
        { kind: 'property', path: 'filter.all[0]', key: 'plan', test },
        {
          kind: 'none',
          path: 'filter.all[1]',
          of: [
            { kind: 'any', path: 'filter.all[1].none[0]', of: [] },
            { kind: 'property', path: 'filter.all[1].none[1]', key: 'plan', test },
          ],
        },
      ],
    });
  });

  it('is named as its caller says', () => {
    expect(faultsOf({ all: [1] }, none, 'definition.exits[0]')).toEqual([
      'definition.exits[0].all[0]: a filter is wanted: an object that is a group or a condition',
    ]);
  });

  it.each([null, 1, 'all', true, [], [condition], undefined])('%j is no filter', (json) => {
    expect(faultsOf(json)).toEqual(['filter: a filter is wanted: an object that is a group or a condition']);
  });

  it.each([
    [{}, 'filter: a group ("all", "any", "none") or a condition is wanted'],
    [{ is: 1 }, 'filter: a group ("all", "any", "none") or a condition is wanted'],
    [{ all: {} }, 'filter.all: a list of filters is wanted'],
    [{ any: null }, 'filter.any: a list of filters is wanted'],
    [{ none: [null] }, 'filter.none[0]: a filter is wanted'],
    [{ all: [], any: [] }, 'filter: one group is wanted, not "all" and "any"'],
    [{ all: [], property: 'a' }, 'filter.property: nothing stands beside "all" of a group'],
    [{ All: [] }, 'filter.All: not known here'],
    [{ all: [condition, { property: 'x', gt: '5' }] }, 'filter.all[1].gt: a number is wanted'],
    [{ eventProperty: 'a', is: 1 }, 'filter.eventProperty: not known here'],
    [{ marketing: 'opened' }, 'filter.marketing: not known here'],
    [{ property: 'a', event: 'b', is: 1 }, 'filter: one subject is wanted, not "property" and "event"'],
  ])('%j is refused', (json, fault) => {
    expect(faultsOf(json)).toEqual([expect.stringContaining(fault)]);
  });
});

describe('the limits of a filter', () => {
  it('groups are nested ten deep, not eleven', () => {
    expect(faultsOf(nested(10))).toEqual([]);
    expect(faultsOf(nested(10, { all: [] }))).toEqual([
      expect.stringMatching(/^filter\.all.*: groups are nested at most 10 deep$/),
    ]);
    expect(faultsOf(nested(11))).toHaveLength(1);
  });

  it('a where counts from its own top', () => {
    const where = nested(10, { eventProperty: 'a', exists: true });
    const members = nested(10, { event: 'b', where });
    expect(faultsOf(nested(10, { orgMembers: { where: members } }))).toEqual([]);
    expect(faultsOf({ event: 'b', where: nested(1, where) })[0]).toMatch(/^filter\.where\..*at most 10 deep/);
    expect(faultsOf({ orgMembers: { where: nested(1, members) } })[0]).toMatch(/^filter\.orgMembers\.where.*10 deep/);
  });

  it('there are 200 conditions, not 201', () => {
    expect(faultsOf({ all: times(200, condition) })).toEqual([]);
    expect(faultsOf({ all: times(201, condition) })).toEqual([
      'filter: a filter has at most 200 conditions, those of every "where" included',
    ]);
    expect(faultsOf({ all: times(200, { any: [condition] }) })).toEqual([]);
  });

  it.each([
    ['an event', (where: unknown) => ({ event: 'a', where })],
    ['a sequence', (where: unknown) => ({ sequence: [{ event: 'a' }, { event: 'b', where }] })],
  ])('the conditions in the where of %s count too', (_, make) => {
    const where = (count: number) => ({ all: times(count, { eventProperty: 'a', is: 1 }) });
    expect(faultsOf({ all: [...times(99, condition), make(where(100))] })).toEqual([]);
    expect(faultsOf({ all: [...times(99, condition), make(where(101))] })).toHaveLength(1);
  });

  it('so do those in the where of members', () => {
    expect(faultsOf({ orgMembers: { where: { all: times(199, condition) } } })).toEqual([]);
    expect(faultsOf({ orgMembers: { where: { all: times(200, condition) } } })).toHaveLength(1);
  });

  it('empty groups cost no conditions, but there is an end to them', () => {
    expect(faultsOf({ all: times(1999, { all: [] }) })).toEqual([]);
    expect(faultsOf({ all: times(2000, { all: [] }) })).toEqual(['filter: a filter has at most 2,000 groups']);
  });

  it('twenty faults are told, in their order, and no more', () => {
    const faults = faultsOf({ all: times(100, { property: 'a', gt: '1' }) });
    expect(faults).toEqual(times(20, '').map((_, i) => `filter.all[${i}].gt: a number is wanted`));
    expect(faultsOf({ all: [{ property: 'a' }, condition, { x: 1 }, { event: '' }] })).toEqual([
      expect.stringMatching(/^filter\.all\[0\]: an operator is wanted/),
      'filter.all[2].x: not known here',
      'filter.all[3].event: a text of 1 to 255 characters is wanted',
    ]);
  });
});

describe('a hostile filter', () => {
  it('of 10,000 levels is refused without being followed', () => {
    expect(faultsOf(nested(10_000))).toHaveLength(1);
    let members: unknown = condition;
    for (let i = 0; i < 10_000; i++) members = { orgMembers: { where: members } };
    expect(faultsOf(members)).toEqual(['filter.orgMembers.where.orgMembers: a "where" has no "orgMembers" of its own']);
    let value: unknown = 1;
    for (let i = 0; i < 10_000; i++) value = [value];
    expect(faultsOf({ property: 'a', in: value })).toHaveLength(1);
  });

  it('of masses is refused early', () => {
    expect(faultsOf({ all: times(300_000, null) })).toHaveLength(20);
    expect(faultsOf({ property: 'a', in: times(300_000, 1) })).toEqual([
      'filter.in: a list of 1 to 1,000 values is wanted',
    ]);
    const keys = Object.fromEntries(times(100_000, 0).map((_, i) => [`k${i}`, 1]));
    expect(faultsOf({ ...keys, property: 'a' })).toEqual(['filter.k0: not known here']);
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype', 'valueOf'])(
    'with the key %s gets no further than with any other',
    (key) => {
      for (const text of [
        `{"${key}":[]}`,
        `{"${key}":{"property":"a","is":1}}`,
        `{"property":"a","is":1,"${key}":1}`,
      ]) {
        expect(faultsOf(JSON.parse(text))).toEqual([`filter.${key}: not known here`]);
      }
      expect(faultsOf({ event: 'a', measure: key })[0]).toMatch(/^filter\.measure: /);
      expect(faultsOf({ contact: key, is: 'a' })[0]).toMatch(/^filter\.contact: /);
    },
  );

  it('has its strange keys quoted and its long ones cut', () => {
    expect(faultsOf({ 'a"b\n': 1 })).toEqual(['filter["a\\"b\\n"]: not known here']);
    expect(faultsOf({ '\ud800\0': 1 })).toEqual(['filter["\\ud800\\u0000"]: not known here']);
    expect(faultsOf({ ['x'.repeat(65_536)]: 1 })).toEqual([`filter["${'x'.repeat(40)}…"]: not known here`]);
  });

  it('of any JSON never crashes the reader', () => {
    const words = [
      'all',
      'any',
      'none',
      'property',
      'contact',
      'event',
      'sequence',
      'orgMembers',
      'where',
      'bucket',
    ].concat([
      'is',
      'in',
      'between',
      'withinLast',
      'measure',
      'of',
      'eventProperty',
      'eventField',
      'staticListId',
      '__proto__',
    ]);
    const { filter } = fc.letrec((tie) => ({
      filter: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom<unknown>('count', 'sum', 'email', 'a', 'P1D', 1, true, null),
        fc.jsonValue(),
        fc.array(tie('filter'), { maxLength: 4 }),
        fc.dictionary(fc.constantFrom(...words), tie('filter'), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(filter, (json) => {
        for (const fault of faultsOf(json)) expect(fault).toMatch(/^filter/);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('a registered subject', () => {
  const subject = (key: string, also?: readonly string[]): Subject => ({
    key,
    ...(also ? { also } : {}),
    read(fields, path) {
      if (fields[key] === 'bad') throw new FilterFault(`${path}.${key}`, 'is bad');
      return { ...fields };
    },
    say: () => 'opened an email',
    reads: () => ['message'],
    compile: () => {
      throw new Error('not here');
    },
  });
  const subjects = new Subjects([subject('journeyId'), subject('marketing', ['journeyId'])]);

  it('reads its whole condition', () => {
    const json = { marketing: 'opened', atLeast: 2 };
    expect(readFilter({ all: [json] }, subjects)).toMatchObject({
      of: [{ kind: 'registered', path: 'filter.all[0]', subject: { key: 'marketing' }, spec: json }],
    });
  });

  it('has its fault among the others', () => {
    expect(faultsOf({ all: [{ marketing: 'bad' }, { x: 1 }] }, subjects)).toEqual([
      'filter.all[0].marketing: is bad',
      'filter.all[1].x: not known here',
    ]);
  });

  it('may take the key of another as its own', () => {
    const json = { journeyId: 'a', marketing: 'opened' };
    expect(readFilter(json, subjects)).toMatchObject({ subject: { key: 'marketing' }, spec: json });
    expect(readFilter({ journeyId: 'a' }, subjects)).toMatchObject({ subject: { key: 'journeyId' } });
    expect(faultsOf({ event: 'x', journeyId: 'a' }, subjects)).toEqual([
      'filter: one subject is wanted, not "event" and "journeyId"',
    ]);
  });

  it('has a key that no other has', () => {
    expect(() => new Subjects([subject('a'), subject('a')])).toThrow('one key');
    expect(subjects.keys).toEqual(['journeyId', 'marketing']);
    expect(subjects.of('toString')).toBeUndefined();
  });
});

it('FilterFaults tell at most twenty', () => {
  expect(new FilterFaults(times(30, { path: 'a', words: 'b' })).faults).toHaveLength(20);
});
