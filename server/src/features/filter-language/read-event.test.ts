// Conditions on events and sequences of them, at every edge of the language.
import { describe, expect, it } from 'vitest';
import { faultsOf } from '../../../test/filters/faults.js';
import { readFilter } from './read.js';
import { Subjects } from './subjects.js';

const read = (json: unknown) => readFilter(json, new Subjects([]));
const base = { kind: 'event', path: 'filter', name: 'Order' };
const days30 = { ms: 30 * 86_400_000, text: 'P30D' };
const x255 = 'x'.repeat(255);

describe('an event condition', () => {
  it.each<[object, object]>([
    [{}, { measure: { of: 'count', count: { atLeast: 1 } }, window: {} }],
    [
      { measure: 'count', exactly: 0 },
      { measure: { of: 'count', count: { atLeast: 0, atMost: 0 } }, window: {} },
    ],
    [{ atMost: 3 }, { measure: { of: 'count', count: { atMost: 3 } }, window: {} }],
    [
      { atLeast: 2, atMost: 2, withinLast: 'P30D' },
      { measure: { of: 'count', count: { atLeast: 2, atMost: 2 } }, window: { withinLast: days30 } },
    ],
    [
      { from: '2026-01-01', to: '2026-01-01' },
      {
        measure: { of: 'count', count: { atLeast: 1 } },
        window: { from: '2026-01-01T00:00:00.000Z', to: '2026-01-01T00:00:00.000Z' },
      },
    ],
    [
      { measure: 'distinct', of: 'sku', atLeast: 2 },
      { measure: { of: 'distinct', at: ['sku'], count: { atLeast: 2 } }, window: {} },
    ],
    [
      { measure: 'sum', of: ['cart', 'total'], gt: 5, withinLast: 'P30D' },
      { measure: { of: 'sum', at: ['cart', 'total'], test: { op: 'gt', value: 5 } }, window: { withinLast: days30 } },
    ],
    [
      { measure: 'avg', of: 'a', is: 5 },
      { measure: { of: 'avg', at: ['a'], test: { op: 'is', value: 5 } }, window: {} },
    ],
    [
      { measure: 'first', withinLast: 'P30D', from: '2026-01-01' },
      {
        measure: { of: 'first', test: { op: 'withinLast', duration: days30 } },
        window: { from: '2026-01-01T00:00:00.000Z' },
      },
    ],
    [
      { measure: 'latest', of: 'plan', isNot: 'pro', withinLast: 'P30D' },
      { measure: { of: 'latest', at: ['plan'], test: { op: 'isNot', value: 'pro' } }, window: { withinLast: days30 } },
    ],
    [
      { measure: 'latest', of: 'at', notWithinLast: 'P30D', to: '2026-01-01' },
      {
        measure: { of: 'latest', at: ['at'], test: { op: 'notWithinLast', duration: days30 } },
        window: { to: '2026-01-01T00:00:00.000Z' },
      },
    ],
  ])('%j is read', (json, rest) => {
    expect(read({ event: 'Order', ...json })).toEqual({ ...base, ...rest });
  });

  it('has a where over the event', () => {
    const where = {
      any: [
        { eventProperty: ['a', 'b'], is: 1 },
        { eventField: 'userId', exists: false },
      ],
    };
    expect(read({ event: ' Order ', where })).toEqual({
      ...base,
      measure: { of: 'count', count: { atLeast: 1 } },
      window: {},
      where: {
        kind: 'any',
        path: 'filter.where',
        of: [
          { kind: 'eventProperty', path: 'filter.where.any[0]', at: ['a', 'b'], test: { op: 'is', value: 1 } },
          { kind: 'eventField', path: 'filter.where.any[1]', field: 'userId', test: { op: 'exists', value: false } },
        ],
      },
    });
  });

  it.each<[object, string]>([
    [{ event: '' }, '.event: '],
    [{ event: '  ' }, '.event: '],
    [{ event: null }, '.event: '],
    [{ event: 5 }, '.event: '],
    [{ event: `${x255}x` }, '.event: '],
    [{ event: 'a\0b' }, '.event: '],
    [{ measure: 'median' }, '.measure: '],
    [{ measure: null }, '.measure: '],
    [{ of: 'a' }, '.of: "of" belongs to'],
    [{ measure: 'first', of: 'a', before: '2026-01-01' }, '.of: "of" belongs to'],
    [{ measure: 'sum', gt: 1 }, ': "of" is wanted'],
    [{ measure: 'distinct' }, ': "of" is wanted'],
    [{ measure: 'latest', is: 1 }, ': "of" is wanted'],
    [{ measure: 'sum', of: 'a' }, ': an operator is wanted'],
    [{ measure: 'sum', of: 'a', gt: 1, lt: 2 }, ': one operator is wanted, not "gt" and "lt"'],
    [{ measure: 'sum', of: 'a', is: '5' }, '.is: a number is wanted'],
    [{ measure: 'sum', of: 'a', isNot: 5 }, '.isNot: this operator cannot stand here'],
    [{ measure: 'sum', of: 'a', atLeast: 5 }, '.atLeast: not known here'],
    [{ measure: 'count', gt: 5 }, '.gt: not known here'],
    [{ measure: 'distinct', of: 'a', is: 5 }, '.is: not known here'],
    [{ exactly: 1, atLeast: 1 }, '.exactly: "exactly" stands alone'],
    [{ atLeast: 2, atMost: 1 }, '.atLeast: the bounds are reversed'],
    [{ atLeast: null }, '.atLeast: a whole number'],
    [{ exactly: -1 }, '.exactly: a whole number'],
    [{ atLeast: 1.5 }, '.atLeast: a whole number'],
    [{ withinLast: 'P1D', from: '2026-01-01' }, '.withinLast: a window is'],
    [{ measure: 'latest', of: 'a', is: 1, withinLast: 'P1D', to: '2026-01-01' }, '.withinLast: a window is'],
    [{ from: '2026-01-02', to: '2026-01-01' }, '.from: the bounds are reversed'],
    [{ from: 'x' }, '.from: a time is wanted'],
    [{ to: null }, '.to: a time is wanted'],
    [{ withinLast: 'P1M' }, '.withinLast: months and years'],
    [{ notWithinLast: 'P1D' }, '.notWithinLast: not known here'],
    [{ measure: 'first' }, ': an operator is wanted'],
    [{ measure: 'last', withinLast: 'P1D', notWithinLast: 'P1D' }, ': one operator is wanted'],
    [{ measure: 'last', withinNext: 'P1D' }, '.withinNext: this operator cannot stand here'],
    [{ measure: 'last', atLeast: 1, before: '2026-01-01' }, '.atLeast: not known here'],
    [{ measure: 'latest', of: 'a', withinLast: 'P1D' }, ': an operator is wanted'],
    [{ measure: 'latest', of: 'a', hasEverBeen: 1 }, '.hasEverBeen: only a property of a contact'],
    [{ measure: 'max', of: '', gt: 1 }, '.of: '],
    [{ measure: 'max', of: [], gt: 1 }, '.of: a list of 1 to 5 keys'],
    [{ measure: 'max', of: ['a', 'b', 'c', 'd', 'e', 'f'], gt: 1 }, '.of: a list of 1 to 5 keys'],
    [{ measure: 'max', of: ['a', ''], gt: 1 }, '.of[1]: '],
    [{ measure: 'max', of: ['a', 5], gt: 1 }, '.of[1]: '],
    [{ measure: 'max', of: `${x255}x`, gt: 1 }, '.of: '],
    [{ where: null }, '.where: a filter is wanted'],
    [{ where: [] }, '.where: a filter is wanted'],
    [{ where: { property: 'a', is: 1 } }, '.where: a condition on an event is wanted'],
    [{ where: { eventProperty: 'a', eventField: 'userId', is: 1 } }, '.where: one subject is wanted'],
    [{ where: { eventField: 'email', is: 1 } }, '.where.eventField: '],
    [{ where: { eventProperty: null, is: 1 } }, '.where.eventProperty: '],
    [{ where: { eventProperty: 'a', hasEverBeen: 1 } }, '.where.hasEverBeen: only a property of a contact'],
    [{ where: { all: [{ eventProperty: 'a', event: 'b', is: 1 }] } }, '.where.all[0].event: not known here'],
    [{ within: 'P1D' }, '.within: not known here'],
    [{ name: 'a' }, '.name: not known here'],
  ])('%j is refused', (json, fault) => {
    expect(faultsOf({ event: 'Order', ...json })).toEqual([expect.stringContaining(`filter${fault}`)]);
  });

  it('names and paths have up to 255 characters, of any kind', () => {
    for (const name of [x255, '😀'.repeat(255), "it's", '$1', '__proto__', 'constructor', 'a.b']) {
      expect(faultsOf({ event: name, where: { eventProperty: [name, name], exists: true } })).toEqual([]);
    }
  });
});

describe('a sequence', () => {
  const [a, b] = [{ event: 'A' }, { event: 'B' }];
  it('is read', () => {
    const sequence = [a, { event: 'B', within: 'P30D', where: { all: [] } }, { event: 'C', within: 'P30D', not: true }];
    expect(read({ sequence, withinLast: 'P30D' })).toEqual({
      kind: 'sequence',
      path: 'filter',
      withinLast: days30,
      steps: [
        { name: 'A', not: false },
        { name: 'B', not: false, within: days30, where: { kind: 'all', path: 'filter.sequence[1].where', of: [] } },
        { name: 'C', not: true, within: days30 },
      ],
    });
    expect(faultsOf({ sequence: [a, b, a, b, a] })).toEqual([]);
  });

  it.each<[unknown, string]>([
    [null, ': '],
    [{}, ': '],
    [[], ': a list of 2 to 5 steps is wanted'],
    [[a], ': a list of 2 to 5 steps is wanted'],
    [[a, b, a, b, a, b], ': a list of 2 to 5 steps is wanted'],
    [[a, null], '[1]: a step is wanted'],
    [[a, 'B'], '[1]: a step is wanted'],
    [[a, {}], '[1]: "event" is wanted'],
    [[{ event: '' }, b], '[0].event: '],
    [[{ ...a, within: 'P1D' }, b], '[0].within: the first step has no "within"'],
    [[a, { ...b, within: 'P1M' }], '[1].within: months and years'],
    [[a, { ...b, within: null }], '[1].within: a duration is wanted'],
    [[a, { ...b, not: true }], '[1]: a step that is "not" needs a "within"'],
    [[a, { ...b, not: false }], '[1].not: true is wanted'],
    [[a, { ...b, not: null }], '[1].not: true is wanted'],
    [[{ ...a, not: true }, b], '[0].not: only the last step'],
    [[a, { ...b, not: true, within: 'P1D' }, a], '[1].not: only the last step'],
    [[a, { ...b, atLeast: 2 }], '[1].atLeast: not known here'],
    [[a, { ...b, where: { eventProperty: 'a' } }], '[1].where: an operator is wanted'],
  ])('%j is refused', (sequence, fault) => {
    expect(faultsOf({ sequence })).toEqual([expect.stringContaining(`filter.sequence${fault}`)]);
  });

  it('has nothing beside it but withinLast', () => {
    expect(faultsOf({ sequence: [a, b], from: '2026-01-01' })).toEqual(['filter.from: not known here']);
    expect(faultsOf({ sequence: [a, b], withinLast: null })[0]).toMatch(/^filter\.withinLast: a duration/);
  });
});
