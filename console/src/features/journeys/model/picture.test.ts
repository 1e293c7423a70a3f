import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { definitionArb, onboarding } from '../../../../test/definitions.ts';
import * as edit from './edit.ts';
import { graphOf } from './graph.ts';
import { layOut, neighbour, pathThrough } from './layout.ts';
import { outlineOf } from './outline.ts';
import { explicit } from './ways.ts';

describe('the picture', () => {
  const graph = graphOf(explicit(onboarding));
  const layout = layOut(graph, () => true);

  it('has room for every step and line, and no two boxes on top of each other', () => {
    fc.assert(
      fc.property(definitionArb, (definition) => {
        const drawn = graphOf(explicit(definition));
        const { boxes, lines } = layOut(drawn, () => false);
        expect(lines.size).toBe(drawn.edges.length);
        const all = [...boxes.values()];
        expect(all).toHaveLength(drawn.nodes.length);
        for (const [at, one] of all.entries())
          for (const other of all.slice(at + 1))
            expect(
              one.x + one.width <= other.x + 0.5 ||
                other.x + other.width <= one.x + 0.5 ||
                one.y + one.height <= other.y + 0.5 ||
                other.y + other.height <= one.y + 0.5,
            ).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  it('is walked with arrow keys: along the ways, and beside', () => {
    expect(neighbour(graph, layout, edit.entryId, 'down')).toBe('has-data');
    expect(neighbour(graph, layout, 'has-data', 'up')).toBe(edit.entryId);
    expect(neighbour(graph, layout, 'welcome', 'down')).toBe('imports');
    const [left, right] =
      (layout.boxes.get('mark')?.x ?? 0) < (layout.boxes.get('silent')?.x ?? 0)
        ? ['mark', 'silent']
        : ['silent', 'mark'];
    expect(neighbour(graph, layout, left, 'right')).toBe(right);
    expect(neighbour(graph, layout, 'mark', 'down')).toBeUndefined();
  });

  it('draws a line through its points', () => {
    expect(pathThrough([])).toBe('');
    expect(
      pathThrough([
        { x: 0, y: 0 },
        { x: 10, y: 20 },
      ]),
    ).toBe('M0,0C0,10 10,10 10,20');
  });
});

it('is told as a list: ways below their step, and a step that two ways reach told once', () => {
  const told = outlineOf(explicit(onboarding)).map((item) =>
    item.kind === 'step' ? item.id : item.kind === 'goto' ? `→${item.to}` : item.kind,
  );
  expect(told).toEqual([
    'has-data',
    'way',
    'mark',
    'end',
    'way',
    'welcome',
    'imports',
    'way',
    '→mark',
    'way',
    'silent',
  ]);
});

it('tells every step of any definition once', () => {
  fc.assert(
    fc.property(definitionArb, (definition) => {
      const told = outlineOf(explicit(definition)).flatMap((item) => (item.kind === 'step' ? [item.id] : []));
      expect(told.toSorted()).toEqual(definition.steps.map(({ id }) => id).toSorted());
    }),
  );
});
