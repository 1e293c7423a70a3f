// Which part of a filter decides: removing only it must be a step towards the list.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { culpritOf } from './about-list.js';
import { clause, wordsIn } from './words.js';

type Tree = { kind: 'all' | 'any' | 'none'; of: Tree[] } | { kind: 'leaf'; holds: boolean };
interface Node {
  path: string;
  text: string;
  holds: boolean;
}

function holds(tree: Tree): boolean {
  if (tree.kind === 'leaf') return tree.holds;
  if (tree.kind === 'all') return tree.of.every(holds);
  return tree.of.some(holds) === (tree.kind === 'any');
}

function nodesOf(tree: Tree, path = 'filter'): Node[] {
  const self = { path, text: path, holds: holds(tree) };
  if (tree.kind === 'leaf') return [self];
  return [self, ...tree.of.flatMap((part, i) => nodesOf(part, `${path}.${tree.kind}[${i}]`))];
}

const { tree } = fc.letrec<{ tree: Tree; leaf: Tree; group: Tree }>((tie) => ({
  tree: fc.oneof({ maxDepth: 4 }, tie('leaf'), tie('group')),
  leaf: fc.record({ kind: fc.constant('leaf' as const), holds: fc.boolean() }),
  group: fc.record({
    kind: fc.constantFrom('all' as const, 'any' as const, 'none' as const),
    of: fc.array(tie('tree'), { maxLength: 4 }),
  }),
}));

/** The part of a tree at a path of its nodes. */
function partAt(whole: Tree, path: string): Tree {
  return [...path.matchAll(/\[(\d+)\]/g)].reduce(
    (part, [, i]) => (part.kind === 'leaf' ? part : (part.of[Number(i)] as Tree)),
    whole,
  );
}

describe('the part that decides', () => {
  it('is of a filter that fails, and every group around it fails or holds because of it', () => {
    fc.assert(
      fc.property(
        tree.filter((one) => !holds(one)),
        (one) => {
          const nodes = nodesOf(one);
          const found = culpritOf(nodes) as Node;
          expect(partAt(one, found.path)).toBeDefined();
          expect(holds(partAt(one, found.path))).toBe(found.holds);
          // Only groups that one part alone can make fail lead to it.
          expect(found.path.includes('.any[')).toBe(false);
          // It holds where a `none` forbids it, and fails elsewhere.
          expect(found.holds).toBe(/\.none\[\d+\]$/.test(found.path));
        },
      ),
    );
  });
});

describe('words', () => {
  it('give times in the tenant’s zone, and become part of a sentence', () => {
    const words = wordsIn('Europe/Berlin', new Date('2026-11-18T12:00:00Z'));
    expect(words.day('2026-11-15T23:30:00.000Z')).toBe('16 November 2026');
    expect(words.plain('They entered on 2026-11-15T23:30:00.000Z; so be it.')).toBe(
      'They entered on 16 November 2026 at 00:30; so be it.',
    );
    expect(clause('They did it.')).toBe('they did it');
    expect(clause('SMTP said no.')).toBe('SMTP said no');
  });
});
