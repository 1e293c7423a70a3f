import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { definitionArb, onboarding } from '../../../../test/definitions.ts';
import { type Definition, type Step, stepTypes } from './definition.ts';
import * as edit from './edit.ts';
import * as ways from './edit-ways.ts';
import { graphOf } from './graph.ts';
import { readDefinition } from './read.ts';
import { sameText } from './same-json.ts';
import { compact, explicit, waysOf } from './ways.ts';

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

  it('that removes a step leaves no way to it, and no steps that only it led to', () => {
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

  it('that removes a step leaves no way from unreachable steps to those that were removed with it', () => {
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
