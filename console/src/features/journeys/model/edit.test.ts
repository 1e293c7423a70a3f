import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Definition, type Step, stepTypes } from './definition.ts';
import * as edit from './edit.ts';
import * as ways from './edit-ways.ts';
import { graphOf } from './graph.ts';
import { layOut, neighbour, pathThrough } from './layout.ts';
import { outlineOf } from './outline.ts';
import { readDefinition } from './read.ts';
import { sameText } from './same-json.ts';
import { compact, explicit, waysOf } from './ways.ts';

const onboarding: Definition = {
  entry: { event: { eventName: 'account_created' } },
  steps: [
    {
      ...{ id: 'has-data', type: 'branch', otherwise: 'welcome' },
      cases: [{ filter: { event: 'data_imported' }, next: 'mark' }],
    },
    { id: 'welcome', type: 'sendEmail', emailId: 'e' },
    {
      ...{ id: 'imports', type: 'waitUntil', timeout: 'P30D', onTimeout: 'silent' },
      branches: [{ event: { eventName: 'data_imported' }, next: 'mark' }],
    },
    { id: 'mark', type: 'updateProperty', property: 'onboarding', value: 'done', next: null },
    { id: 'silent', type: 'exit', reason: 'nothing imported' },
  ],
};

const idOf = (at: number) => `s${at}`;
const nextOf = (count: number) =>
  fc.option(
    fc.oneof(
      fc.constant(null),
      fc.nat(count - 1).map((at) => idOf(at)),
    ),
    { nil: undefined },
  );

/** Any step of every type, with ways absent, null or to any step: circles and orphans too. */
const stepArb = (at: number, count: number): fc.Arbitrary<Step> => {
  const next = nextOf(count);
  const way = fc.record({ next }).map(({ next: to }) => (to === undefined ? {} : { next: to }));
  return fc
    .record({
      type: fc.constantFrom(...stepTypes),
      next,
      more: next,
      ways: fc.array(way, { minLength: 1, maxLength: 3 }),
    })
    .map(({ type, next: to, more, ways: given }): Step => {
      const base = { id: idOf(at), ...(to === undefined ? {} : { next: to }) };
      const extra = (key: string) => (more === undefined ? {} : { [key]: more });
      if (type === 'branch') return { ...base, type, cases: given, ...extra('otherwise') };
      if (type === 'waitUntil') return { ...base, type, branches: given, timeout: 'P1D', ...extra('onTimeout') };
      if (type === 'split')
        return { ...base, type, arms: given.map((one, i) => ({ ...one, name: `${i}`, percent: 1 })) };
      if (type === 'exit') return { id: base.id, type };
      if (type === 'webhook') return { ...base, type, ...extra('onError') };
      return { ...base, type };
    });
};
const definitionArb: fc.Arbitrary<Definition> = fc
  .integer({ min: 1, max: 7 })
  .chain((count) => fc.tuple(...Array.from({ length: count }, (_, at) => stepArb(at, count))))
  .map((steps) => ({ entry: { api: true }, steps }));

const meaning = (definition: Definition) => graphOf(explicit(definition)).edges;

describe('a definition and its graph', () => {
  it('mean the same, whatever the definition: written out, drawn and written back', () => {
    fc.assert(
      fc.property(definitionArb, (definition) => {
        const out = explicit(definition);
        expect(meaning(compact(out))).toEqual(meaning(definition));
        expect(explicit(compact(out))).toEqual(JSON.parse(JSON.stringify(out)));
        const { nodes, edges } = graphOf(out);
        const ids = new Set(nodes.map(({ id }) => id));
        expect(ids.size).toBe(nodes.length);
        for (const edge of edges) expect(ids.has(edge.to) && ids.has(edge.place.from)).toBe(true);
        expect(edges).toHaveLength(1 + out.steps.reduce((sum, step) => sum + waysOf(step).length, 0));
      }),
    );
  });

  it('are as they were when nothing was edited', () => {
    const shown = readDefinition(onboarding);
    expect('definition' in shown && compact(shown.definition)).toEqual(onboarding);
  });

  it('are not drawn when the draft is something else, and say where', () => {
    const problem = (json: unknown) => {
      const read = readDefinition(json);
      return 'problem' in read ? read.problem : undefined;
    };
    expect(problem(null)).toBeUndefined();
    expect(problem({})).toBeUndefined();
    expect(problem({ steps: 3 })).toBe('steps');
    expect(problem({ steps: [3] })).toBe('steps[0]');
    expect(problem({ steps: [{ id: 'a', type: 'dance' }] })).toBe('steps[0].type');
    expect(problem({ steps: [{ id: 'a', type: 'branch' }] })).toBe('steps[0].cases');
    expect(
      problem({
        steps: [
          { id: 'a', type: 'exit' },
          { id: 'a', type: 'exit' },
        ],
      }),
    ).toBe('steps[1].id');
  });
});

describe('an edit', () => {
  it('that puts a step in leaves every other way as it was', () => {
    fc.assert(
      fc.property(definitionArb, fc.constantFrom(...stepTypes), fc.nat(), (given, type, pick) => {
        const before = explicit(given);
        const { edges } = graphOf(before);
        const edge = edges[pick % edges.length];
        if (!edge) return;
        const { definition, id } = edit.insertStep(before, edge.place, type);
        expect(edit.targetOf(definition, edge.place)).toBe(id);
        const step = edit.stepOf(definition, id);
        for (const way of step ? waysOf(step) : []) expect(way.to).toBe(edit.targetOf(before, edge.place));
        const others = graphOf(definition).edges.filter(({ place }) => place.from !== id);
        for (const other of others) if (other.id !== edge.id) expect(edges).toContainEqual(other);
      }),
    );
  });

  it('that puts a step in is taken back by removing it', () => {
    fc.assert(
      fc.property(definitionArb, fc.nat(), (given, pick) => {
        const before = explicit(given);
        const { edges } = graphOf(before);
        const { place } = edges[pick % edges.length] ?? {};
        if (!place) return;
        const { definition, id } = edit.insertStep(before, place, 'delay');
        expect(meaning(edit.removeStep(definition, id).definition)).toEqual(meaning(before));
      }),
    );
  });

  it('that removes a step leaves no way to it, and nobody behind that only it led to', () => {
    fc.assert(
      fc.property(definitionArb, fc.nat(), (given, pick) => {
        const before = explicit(given);
        const gone = before.steps[pick % before.steps.length]?.id ?? '';
        const reached = edit.reachable(before);
        const { definition, also } = edit.removeStep(before, gone);
        const left = new Set(definition.steps.map(({ id }) => id));
        expect(left.has(gone)).toBe(false);
        for (const step of definition.steps)
          for (const { to } of waysOf(step)) if (to !== null) expect(left.has(to)).toBe(true);
        const now = edit.reachable(definition);
        for (const id of left) if (reached.has(id)) expect(now.has(id)).toBe(true);
        for (const id of also) expect(reached.has(id)).toBe(true);
      }),
    );
  });

  it('that removes a step leaves no way from steps that nobody reached to those that went along', () => {
    const send = (id: string, next: string | null) => ({ id, type: 'sendEmail' as const, emailId: 'x', next });
    const branch = {
      id: 's0',
      type: 'branch' as const,
      cases: [
        { filter: {}, next: 's2' },
        { filter: {}, next: 's1' },
      ],
      otherwise: null,
    };
    const before = {
      entry: { api: true as const },
      steps: [branch, send('s1', 's2'), send('s2', null), send('s3', 's1')],
    };
    const { definition, also } = edit.removeStep(explicit(before), 's0');
    expect(also).toEqual(['s1']);
    expect(edit.targetOf(definition, { from: 's3', slot: 'next' })).toBeNull();
  });

  it('names the steps that went with a branch', () => {
    const { definition, also } = edit.removeStep(explicit(onboarding), 'imports');
    expect(also).toEqual(['silent']);
    expect(edit.targetOf(definition, { from: 'welcome', slot: 'next' })).toBe('mark');
  });

  it('renames a step with all ways to it, but never to a name that is taken', () => {
    const renamed = edit.renameStep(explicit(onboarding), 'mark', 'done');
    expect(edit.targetOf(renamed, { from: 'has-data', slot: 'case.0' })).toBe('done');
    expect(edit.renameStep(renamed, 'done', 'welcome')).toBe(renamed);
  });

  it('adds and removes ways; the arms of a split share everybody', () => {
    const split: Step = {
      id: 's',
      type: 'split',
      arms: ways.evenly([
        { name: 'A', percent: 0 },
        { name: 'B', percent: 0 },
      ]),
    };
    const three = ways.addWay(split);
    expect(three.type === 'split' && three.arms.map(({ name, percent }) => [name, percent])).toEqual([
      ['A', 34],
      ['B', 33],
      ['C', 33],
    ]);
    const two = ways.removeWay(three, 0);
    expect(two.type === 'split' && two.arms.map(({ name, percent }) => [name, percent])).toEqual([
      ['B', 50],
      ['C', 50],
    ]);
  });

  it('goes to the end of the main way when no place is named, also in a circle', () => {
    expect(edit.lastPlace({ entry: {}, steps: [] })).toEqual(edit.entryPlace);
    expect(edit.lastPlace(explicit(onboarding))).toEqual({ from: 'mark', slot: 'next' });
    const circle: Definition = { entry: {}, steps: [{ id: 'a', type: 'delay', for: 'P1D', next: 'a' }] };
    expect(edit.lastPlace(circle)).toEqual({ from: 'a', slot: 'next' });
  });
});

it('knows that a definition is the same whatever the order of its keys', () => {
  expect(sameText({ steps: [{ type: 'delay', for: 'P1D', id: 'a' }], entry: { api: true } })).toBe(
    sameText({ entry: { api: true }, steps: [{ id: 'a', type: 'delay', for: 'P1D' }] }),
  );
  expect(sameText({ steps: [1, 2] })).not.toBe(sameText({ steps: [2, 1] }));
});

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
