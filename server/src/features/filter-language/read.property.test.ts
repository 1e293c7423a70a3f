// Any tree, printed as JSON, reads back to itself, each node at the place where it stands.

import { parseDuration } from '@rapport/contract';
import fc, { type Arbitrary } from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../test/runs.js';
import { parseJson } from '../../lib/parse-json.js';
import { readFilter } from './read.js';
import { Subjects } from './subjects.js';
import type { Duration } from './tree.js';

/** What of a tree says more than its JSON: paths are left out, the reader has to find them. */
type Bare = { readonly kind: string } & Record<string, unknown>;
type Json = Record<string, unknown>;
interface Drawn {
  readonly json: Json;
  readonly tree: Record<string, unknown>;
}

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
const name = text.filter((one) => one.trim() === one);
const scalar = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
);
const number = fc.double({ noNaN: true, noDefaultInfinity: true });
const instant = fc
  .date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true })
  .map((date) => date.toISOString());
const duration = fc
  .oneof(
    fc
      .tuple(fc.nat(3000), fc.nat(23), fc.nat(59), fc.integer({ min: 1, max: 59 }))
      .map(([d, h, m, s]) => `P${d}DT${h}H${m}M${s}S`),
    fc.integer({ min: 1, max: 521 }).map((weeks) => `P${weeks}W`),
  )
  .map((one) => parseDuration(one) as Duration);
const key = fc.stringMatching(/^[a-z_][a-z0-9_]{0,63}$/).filter((one) => one !== '__proto__');
const path = fc.array(text, { minLength: 1, maxLength: 5 });
const listId = fc.stringMatching(/^[0-9a-f]{24}$/);

const same = (op: string, value: Arbitrary<unknown>, field: string) =>
  value.map((one): Drawn => ({ json: { [op]: one }, tree: { op, [field]: one } }));
const timed = (op: string) => duration.map((one): Drawn => ({ json: { [op]: one.text }, tree: { op, duration: one } }));
const bounds = fc.tuple(number, number).map(([a, b]) => [Math.min(a, b) + 0, Math.max(a, b) + 0] as const);

const tests: Record<string, Arbitrary<Drawn>> = {
  ...Object.fromEntries(['is', 'isNot', 'hasEverBeen'].map((op) => [op, same(op, scalar, 'value')])),
  ...Object.fromEntries(
    ['in', 'notIn'].map((op) => [op, same(op, fc.array(scalar, { minLength: 1, maxLength: 9 }), 'values')]),
  ),
  ...Object.fromEntries(
    ['contains', 'notContains', 'startsWith', 'endsWith', 'matches'].map((op) => [op, same(op, text, 'text')]),
  ),
  ...Object.fromEntries(['lt', 'lte', 'gt', 'gte'].map((op) => [op, same(op, number, 'value')])),
  ...Object.fromEntries(['before', 'after'].map((op) => [op, same(op, instant, 'at')])),
  ...Object.fromEntries(['withinLast', 'notWithinLast', 'withinNext'].map((op) => [op, timed(op)])),
  exists: same('exists', fc.boolean(), 'value'),
  between: bounds.map(([low, high]) => ({ json: { between: [low, high] }, tree: { op: 'between', low, high } })),
};
const test = (...left: string[]) =>
  fc.oneof(...Object.entries(tests).flatMap(([op, one]) => (left.includes(op) ? [] : [one])));
const only = (...taken: string[]) => fc.oneof(...taken.map((op) => tests[op] as Arbitrary<Drawn>));

const times = ['before', 'after', 'withinLast', 'notWithinLast', 'withinNext'];
const texts = ['is', 'isNot', 'in', 'notIn', 'contains', 'notContains', 'startsWith', 'endsWith', 'matches'];

const count = fc
  .tuple(fc.nat(9), fc.nat(9), fc.constantFrom('none', 'atLeast', 'atMost', 'both', 'exactly'))
  .map(([a, b, how]): Drawn => {
    const [atLeast, atMost] = [Math.min(a, b), Math.max(a, b)];
    if (how === 'none') return { json: {}, tree: { atLeast: 1 } };
    if (how === 'exactly') return { json: { exactly: a }, tree: { atLeast: a, atMost: a } };
    const tree = how === 'both' ? { atLeast, atMost } : how === 'atLeast' ? { atLeast } : { atMost };
    return { json: tree, tree };
  });
const span = fc.tuple(instant, instant, fc.nat(3)).map(([a, b, which]): Drawn => {
  const [from, to] = a < b ? [a, b] : [b, a];
  const tree = { ...(which & 1 ? { from } : {}), ...(which & 2 ? { to } : {}) };
  return { json: tree, tree };
});
const last = duration.map((one): Drawn => ({ json: { withinLast: one.text }, tree: { withinLast: one } }));
const window = fc.oneof(span, last);

function groupsOf(condition: Arbitrary<Drawn>): Arbitrary<Drawn> {
  return fc.letrec<{ tree: Drawn }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      condition,
      fc.tuple(fc.constantFrom('all', 'any', 'none'), fc.array(tie('tree'), { maxLength: 3 })).map(([kind, of]) => ({
        json: { [kind]: of.map((one) => one.json) },
        tree: { kind, of: of.map((one) => one.tree) },
      })),
    ),
  })).tree;
}
const join = (kind: string, json: Json, tree: Json, asked: Drawn): Drawn => ({
  json: { ...json, ...asked.json },
  tree: { kind, ...tree, test: asked.tree },
});

const where = fc.option(
  groupsOf(
    fc.oneof(
      fc.tuple(path, test('hasEverBeen')).map(([at, one]) => join('eventProperty', { eventProperty: at }, { at }, one)),
      fc
        .tuple(fc.constantFrom('userId', 'orgId'), only(...texts, 'exists'))
        .map(([field, one]) => join('eventField', { eventField: field }, { field }, one)),
      only(...times).map((one) => join('eventField', { eventField: 'eventDate' }, { field: 'eventDate' }, one)),
    ),
  ),
);
const optional = (key: string, drawn: Drawn | null, as: 'json' | 'tree') => (drawn ? { [key]: drawn[as] } : {});

const counted = fc.tuple(count, window).map(([one, when]) => ({
  measure: 'count',
  json: { ...one.json, ...when.json },
  tree: { of: 'count', count: one.tree },
  when,
}));
const distinct = fc.tuple(path, count, window).map(([at, one, when]) => ({
  measure: 'distinct',
  json: { of: at, ...one.json, ...when.json },
  tree: { of: 'distinct', at, count: one.tree },
  when,
}));
const figure = fc
  .tuple(
    fc.constantFrom('sum', 'avg', 'min', 'max'),
    path,
    fc.oneof(only('lt', 'lte', 'gt', 'gte', 'between'), same('is', number, 'value')),
    window,
  )
  .map(([measure, at, one, when]) => ({
    measure,
    json: { of: at, ...one.json, ...when.json },
    tree: { of: measure, at, test: one.tree },
    when,
  }));
const moment = fc
  .tuple(fc.constantFrom('first', 'last'), only('before', 'after', 'withinLast', 'notWithinLast'), span)
  .map(([measure, one, when]) => ({
    measure,
    json: { ...one.json, ...when.json },
    tree: { of: measure, test: one.tree },
    when,
  }));
const latest = fc.tuple(path, test('hasEverBeen', 'withinLast'), window).map(([at, one, when]) => ({
  measure: 'latest',
  json: { of: at, ...one.json, ...when.json },
  tree: { of: 'latest', at, test: one.tree },
  when,
}));
const event = fc.tuple(name, fc.oneof(counted, distinct, figure, moment, latest), where).map(
  ([event, { measure, json, tree, when }, drawn]): Drawn => ({
    json: { event, measure, ...json, ...optional('where', drawn, 'json') },
    tree: { kind: 'event', name: event, measure: tree, window: when.tree, ...optional('where', drawn, 'tree') },
  }),
);

const step = fc.tuple(name, where, duration);
const sequence = fc
  .tuple(fc.array(step, { minLength: 2, maxLength: 5 }), fc.boolean(), fc.option(last))
  .map(([steps, endsNot, begin]): Drawn => {
    const drawn = steps.map(([name, drawn, within], i) => {
      const not = endsNot && i === steps.length - 1;
      const isBound = i > 0 && (not || i % 2 === 0);
      return {
        json: {
          event: name,
          ...(isBound ? { within: within.text } : {}),
          ...(not ? { not } : {}),
          ...optional('where', drawn, 'json'),
        },
        tree: { name, not, ...(isBound ? { within } : {}), ...optional('where', drawn, 'tree') },
      };
    });
    return {
      json: { sequence: drawn.map((one) => one.json), ...begin?.json },
      tree: { kind: 'sequence', steps: drawn.map((one) => one.tree), ...begin?.tree },
    };
  });
const bucket = fc
  .tuple(text, fc.integer({ min: 1, max: 10_000 }), fc.nat(), fc.nat())
  .map(([seed, of, a, b]): Drawn => {
    const [from, to] = [Math.min(a % of, b % of), Math.max(a % of, b % of)];
    return { json: { bucket: { seed, of, from, to } }, tree: { kind: 'bucket', seed, of, from, to } };
  });
const named = fc.oneof(
  fc.tuple(key, test()).map(([key, one]) => join('property', { property: key }, { key }, one)),
  ...['userProperty', 'orgProperty'].map((kind) =>
    fc.tuple(key, test('hasEverBeen')).map(([key, one]) => join(kind, { [kind]: key }, { key }, one)),
  ),
  fc
    .tuple(fc.constantFrom('orgId', 'name'), test('hasEverBeen'))
    .map(([field, one]) => join('organization', { organization: field }, { field }, one)),
  fc
    .tuple(fc.constantFrom('createdAt', 'updatedAt'), only(...times))
    .map(([field, one]) => join('contact', { contact: field }, { field }, one)),
  ...['staticList', 'dynamicList'].map((kind) =>
    listId.map((id): Drawn => ({ json: { [`${kind}Id`]: id }, tree: { kind, listId: id } })),
  ),
);
const simple = fc.oneof(named, event, sequence, bucket);
const members = fc
  .tuple(
    groupsOf(simple),
    count.filter(({ json }) => !('exactly' in json)),
  )
  .map(
    ([where, one]): Drawn => ({
      json: { orgMembers: { where: where.json, ...one.json } },
      tree: { kind: 'orgMembers', where: where.tree, count: one.tree },
    }),
  );

/** A copy without paths; what it leaves out is put into `paths`. */
function bare(value: unknown, paths: [string, Bare][]): unknown {
  if (Array.isArray(value)) return value.map((one) => bare(one, paths));
  if (typeof value !== 'object' || value === null) return value;
  const { path, ...rest } = value as Bare;
  if (typeof path === 'string') paths.push([path, rest as Bare]);
  return Object.fromEntries(Object.entries(rest).map(([key, one]) => [key, bare(one, paths)]));
}

function at(json: unknown, path: string): unknown {
  const keys = path
    .split(/[.[\]]+/)
    .filter((key) => key !== '')
    .slice(1);
  return keys.reduce((value, key) => (value as Json)[key], json);
}

const subjectOf: Record<string, string> = { staticList: 'staticListId', dynamicList: 'dynamicListId' };

it('a filter printed from any tree reads back to that tree', () => {
  fc.assert(
    fc.property(groupsOf(fc.oneof(simple, members)), ({ json, tree }) => {
      const sent = parseJson(JSON.stringify(json));
      const paths: [string, Bare][] = [];
      // The tree as JSON has it: -0 is 0.
      expect(bare(readFilter(sent, new Subjects([])), paths)).toEqual(parseJson(JSON.stringify(tree)));
      for (const [path, { kind }] of paths) expect(at(sent, path)).toHaveProperty([subjectOf[kind] ?? kind]);
    }),
    { numRuns: runs(500) },
  );
});
