import { expect, it } from 'vitest';
import type { Definition, Step } from './definition.ts';
import { graphOf } from './graph.ts';
import { layOut } from './layout.ts';

const mail = (id: string, next: string | null = null): Step => ({ id, type: 'sendEmail', emailId: 'e', next });
const placesIn = (steps: readonly Step[]) => {
  const definition: Definition = { entry: { api: true }, steps: [...steps] };
  const graph = graphOf(definition);
  const { boxes, lines } = layOut(graph, () => true);
  return {
    x: (id: string) => boxes.get(id)?.x ?? Number.NaN,
    label: (id: string) => lines.get(id)?.label.x ?? Number.NaN,
  };
};

it('draws the arms of a split in their order, however the steps are stored', () => {
  const split: Step = {
    ...{ id: 'split', type: 'split' },
    arms: [
      { name: 'A', percent: 50, next: 'a' },
      { name: 'B', percent: 50, next: 'b' },
      { name: 'C', percent: 0, next: null },
    ],
  };
  const { x, label } = placesIn([split, mail('b', 'after'), mail('a', 'after'), mail('after')]);
  expect(x('a')).toBeLessThan(x('b'));
  const [a, b, c] = graphOf({ entry: { api: true }, steps: [split, mail('b'), mail('a')] })
    .edges.slice(1)
    .map(({ id }) => id);
  expect(label(a ?? '')).toBeLessThan(label(b ?? ''));
  expect(label(b ?? '')).toBeLessThan(label(c ?? ''));
});

it('draws the ways of a branch in their order, what is otherwise last', () => {
  const branch: Step = {
    ...{ id: 'branch', type: 'branch', otherwise: 'three' },
    cases: [
      { filter: { property: 'plan', is: 'pro' }, next: 'one' },
      { filter: { property: 'plan', is: 'free' }, next: 'two' },
    ],
  };
  const { x } = placesIn([branch, mail('three'), mail('two'), mail('one')]);
  expect(x('one')).toBeLessThan(x('two'));
  expect(x('two')).toBeLessThan(x('three'));
});
