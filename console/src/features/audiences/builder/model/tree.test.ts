import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isComplete } from './conditions.ts';
import {
  addNode,
  deepest,
  duplicateNode,
  moveNode,
  moveTo,
  removeNode,
  setCondition,
  setWord,
  unwrapGroup,
  wrapNode,
} from './edit.ts';
import { type FilterJson, jsonFault } from './filter-json.ts';
import {
  conditionOf,
  conditionsOf,
  countUnfinished,
  depthOf,
  type Group,
  isGroup,
  jsonOf,
  type Node,
  pathsOf,
  treeOf,
  wholeOf,
} from './tree.ts';

const a = { property: 'a', is: 1 };
const b = { property: 'b', is: 2 };
const c = { property: 'c', is: 3 };
const all = () => true;
const send = (root: Group) => jsonOf(root, all);
const idOf = (root: Group, json: FilterJson) =>
  conditionsOf(root).find((each) => JSON.stringify(each.json) === JSON.stringify(json))?.id ?? 'none';
const groupsIn = (node: Node): Group[] => (isGroup(node) ? [node, ...node.parts.flatMap(groupsIn)] : []);

const leaf = fc.record({ property: fc.constantFrom('a', 'b', 'c'), is: fc.nat(3) });
const filters = fc.letrec<{ filter: FilterJson }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc
      .tuple(fc.constantFrom('all', 'any', 'none'), fc.array(tie('filter'), { maxLength: 3 }))
      .map(([word, parts]) => ({ [word]: parts })),
  ),
})).filter;

describe('a filter under edit', () => {
  it('is sent as it came if it was not changed', () => {
    fc.assert(
      fc.property(filters, (filter) => {
        expect(send(treeOf(filter))).toEqual(filter);
      }),
    );
  });

  it('leaves out what is not finished, and names places as the service will', () => {
    const tree = treeOf({ all: [a, {}, { any: [{}, b] }] });
    const isFinished = (json: FilterJson) => Object.keys(json).length > 0;
    expect(jsonOf(tree, isFinished)).toEqual({ all: [a, { any: [b] }] });
    const paths = pathsOf(tree, isFinished);
    expect(paths.get(tree.id)).toBe('filter');
    expect(paths.get(idOf(tree, a))).toBe('filter.all[0]');
    expect(paths.get(idOf(tree, b))).toBe('filter.all[1].any[0]');
    expect(paths.get(idOf(tree, {}))).toBeUndefined();
  });

  it('names a condition that stands alone by the filter itself', () => {
    const tree = treeOf(a);
    expect(pathsOf(tree, all).get(idOf(tree, a))).toBe('filter');
    const two = addNode(tree, tree.id, conditionOf(b));
    expect(send(two)).toEqual({ all: [a, b] });
    expect(pathsOf(two, all).get(idOf(two, a))).toBe('filter.all[0]');
  });
});

describe('editing', () => {
  it('moves a condition through groups, one place as it is seen at a time', () => {
    let tree = treeOf({ all: [a, { any: [b] }, c] });
    const id = idOf(tree, a);
    const seen = [];
    for (let step = 0; step < 4; step++) {
      tree = moveNode(tree, id, 'down');
      seen.push(send(tree));
    }
    expect(seen).toEqual([
      { all: [{ any: [a, b] }, c] },
      { all: [{ any: [b, a] }, c] },
      { all: [{ any: [b] }, a, c] },
      { all: [{ any: [b] }, c, a] },
    ]);
    for (let step = 0; step < 4; step++) tree = moveNode(tree, id, 'up');
    expect(send(tree)).toEqual({ all: [a, { any: [b] }, c] });
  });

  it('drops a node where it was let go, counting places as they were before', () => {
    const tree = treeOf({ all: [a, b, c] });
    expect(send(moveTo(tree, idOf(tree, a), tree.id, 3))).toEqual({ all: [b, c, a] });
    expect(send(moveTo(tree, idOf(tree, c), tree.id, 0))).toEqual({ all: [c, a, b] });
    expect(moveTo(tree, idOf(tree, b), tree.id, 1)).toBe(tree);
  });

  it('groups with the other word, and takes the group away again', () => {
    const tree = treeOf({ all: [a, b] });
    const wrapped = wrapNode(tree, idOf(tree, a));
    expect(send(wrapped)).toEqual({ all: [{ any: [a] }, b] });
    const group = wrapped.parts[0] as Group;
    expect(send(unwrapGroup(wrapped, group.id))).toEqual({ all: [a, b] });
    expect(send(setWord(wrapped, group.id, 'none'))).toEqual({ all: [{ none: [a] }, b] });
  });

  it('changes, copies and removes one condition and no other', () => {
    const tree = treeOf({ all: [a, { any: [b] }] });
    expect(send(setCondition(tree, idOf(tree, b), c))).toEqual({ all: [a, { any: [c] }] });
    expect(send(duplicateNode(tree, idOf(tree, b)))).toEqual({ all: [a, { any: [b, b] }] });
    expect(send(removeNode(tree, idOf(tree, b)))).toEqual({ all: [a, { any: [] }] });
  });

  it('never loses a condition by moving, puts nothing into itself, and nests no deeper than the language', () => {
    fc.assert(
      fc.property(filters, fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat(4), fc.nat(3))), (filter, moves) => {
        let tree = treeOf(filter);
        const before = sorted(tree);
        for (const [which, where, at, what] of moves) {
          const nodes = [...groupsIn(tree), ...conditionsOf(tree)];
          const groups = groupsIn(tree);
          const id = nodes[which % nodes.length]?.id ?? '';
          const target = groups[where % groups.length] as Group;
          if (what === 0) tree = moveTo(tree, id, target.id, Math.min(at, target.parts.length));
          else if (what === 1) tree = moveNode(tree, id, at % 2 === 0 ? 'up' : 'down');
          else if (what === 2) tree = wrapNode(tree, id);
          else tree = unwrapGroup(tree, id);
        }
        expect(sorted(tree)).toEqual(before);
        expect(depthOf(tree)).toBeLessThanOrEqual(deepest);
      }),
    );
  });
});

const sorted = (tree: Group) =>
  conditionsOf(tree)
    .map(({ json }) => JSON.stringify(json))
    .toSorted();

describe('a filter inside of a condition', () => {
  const half = { eventProperty: 'plan', is: '' };
  const whole = { eventProperty: 'plan', is: 'pro' };
  const bought = (where: object) => ({ event: 'bought', atLeast: 1, where });
  const inner = { all: [whole, half] };
  const filter = {
    all: [
      bought(inner),
      { sequence: [{ event: 'a', where: inner }, { event: 'b' }] },
      { orgMembers: { where: { all: [bought(inner)] }, atLeast: 2 } },
    ],
  };

  it('is sent without what is not finished, however deep, and keeps it in the tree', () => {
    const sent = { all: [whole] };
    expect(jsonOf(treeOf(filter), isComplete)).toEqual({
      all: [
        bought(sent),
        { sequence: [{ event: 'a', where: sent }, { event: 'b' }] },
        { orgMembers: { where: { all: [bought(sent)] }, atLeast: 2 } },
      ],
    });
    expect(wholeOf(treeOf(filter))).toEqual(filter);
  });

  it('counts with what is not finished', () => {
    expect(countUnfinished(treeOf(filter), isComplete)).toBe(3);
    expect(countUnfinished(treeOf({ all: [{}, bought({ all: [] })] }), isComplete)).toBe(1);
  });
});

describe('JSON that is no filter', () => {
  it('is told by its line, or by what a filter looks like', () => {
    expect(jsonFault('{"all": []}')).toBeUndefined();
    expect(jsonFault('{"all": [\n  {"property": \n')).toEqual({ kind: 'syntax', line: 3 });
    expect(jsonFault('{"all": [5]}')).toEqual({ kind: 'shape' });
    expect(jsonFault('[]')).toEqual({ kind: 'shape' });
  });
});
