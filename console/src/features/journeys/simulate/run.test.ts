import { expect, it } from 'vitest';
import type { Definition } from '../model/definition.ts';
import { explicit } from '../model/ways.ts';
import { advance, dayNumber, speeds, usualSpeed } from './clock.ts';
import { dotsAt, frameAt, whereabouts } from './frame.ts';
import { runOf, type Simulation } from './run.ts';

const hour = 3_600_000;
const from = Date.parse('2026-11-16T09:00:00.000Z');
const at = (hours: number) => new Date(from + hours * hour).toISOString();

const definition: Definition = explicit({
  entry: { api: true },
  steps: [
    { id: 'hello', type: 'sendEmail', emailId: 'e1' },
    { id: 'wait', type: 'delay', for: 'P2D' },
    {
      ...{ id: 'pro', type: 'branch', otherwise: 'thanks' },
      cases: [
        { filter: { property: 'plan', is: 'pro' }, next: 'thanks' },
        { filter: { property: 'plan', is: 'team' }, next: null },
      ],
    },
    { id: 'thanks', type: 'exit' },
  ],
});

const begun = [
  { at: at(0), what: 'entered' as const },
  { at: at(0), what: 'step' as const, stepId: 'hello' },
  { at: at(0), what: 'message' as const, stepId: 'hello', fact: { code: 'queued' as const } },
  { at: at(0), what: 'step' as const, stepId: 'wait' },
  { at: at(0), what: 'waiting' as const, stepId: 'wait' },
];
const simulation: Simulation = {
  contacts: [
    {
      ...{ contactId: 'ada', entered: true, endedAs: 'exited' },
      timeline: [
        ...begun,
        { at: at(48), what: 'step', stepId: 'pro' },
        { at: at(48), what: 'branch', stepId: 'pro', fact: { code: 'caseTaken', place: 1, of: 2, filter: 'pro' } },
        { at: at(48), what: 'step', stepId: 'thanks' },
        { at: at(48), what: 'exited', stepId: 'thanks' },
      ],
    },
    {
      ...{ contactId: 'grace', entered: true, endedAs: 'completed' },
      timeline: [
        ...begun,
        { at: at(48), what: 'step', stepId: 'pro' },
        { at: at(48), what: 'branch', stepId: 'pro', fact: { code: 'caseTaken', place: 2, of: 2, filter: 'team' } },
        { at: at(48), what: 'completed', stepId: 'pro' },
      ],
    },
    {
      ...{ contactId: 'alan', entered: true, endedAs: 'exited' },
      timeline: [...begun, { at: at(20), what: 'exited', stepId: 'wait' }],
    },
    { contactId: 'joan', entered: false, endedAs: null, timeline: [] },
  ],
  steps: [],
};
const run = runOf(simulation, definition, from);

it('knows who took part without entering, and how long the whole takes', () => {
  expect(run.outside).toEqual(['joan']);
  expect([run.start, run.end]).toEqual([from, from + 48 * hour]);
});

it('counts at any moment who came to each step and who stands there', () => {
  const early = frameAt(run, from + 10 * hour);
  expect(early.steps.get('hello')).toEqual({ entered: 3, here: 0 });
  expect(early.steps.get('wait')).toEqual({ entered: 3, here: 3 });
  expect(early).toMatchObject({ entered: 3, onTheWay: 3, mails: 3, exited: 0, completed: 0 });
  const later = frameAt(run, from + 30 * hour);
  expect(later.steps.get('wait')).toEqual({ entered: 3, here: 2 });
  expect(later).toMatchObject({ onTheWay: 2, exited: 1 });
  expect(frameAt(run, run.end)).toMatchObject({ onTheWay: 0, exited: 2, completed: 1 });
});

it('fills the line of the way that was taken, also where two lead to the same step', () => {
  const { edges } = frameAt(run, run.end);
  expect(edges.get(':entry:next')).toBe(3);
  expect(edges.get('wait:next')).toBe(2);
  expect(edges.get('pro:case.0')).toBe(1);
  expect(edges.get('pro:case.1')).toBe(1);
  expect(edges.get('pro:otherwise')).toBeUndefined();
});

it('draws no line for somebody who is taken out of a step', () => {
  const alan = run.trips[2];
  expect(alan?.visits.at(-1)).toEqual({ stepId: 'wait', from, to: from + 20 * hour, edge: undefined });
});

it('says where one contact stands and how it came there', () => {
  const ada = run.trips[0];
  expect(ada && whereabouts(ada, from + hour)).toEqual({ stepId: 'wait', edges: new Set(['hello:next']) });
  const end = ada && whereabouts(ada, run.end);
  expect(end?.stepId).toBeUndefined();
  expect(end?.edges.has('pro:case.0')).toBe(true);
});

it('shows an email on the date on which its window opens', () => {
  const fact = { code: 'queued' as const, until: from + 15 * hour };
  const [first] = simulation.contacts;
  const timeline = first?.timeline.map((note) => (note.what === 'message' ? { ...note, fact } : note)) ?? [];
  const contacts = [{ contactId: 'ada', entered: true, endedAs: 'exited' as const, timeline }];
  const held = runOf({ contacts, steps: [] }, definition, from);
  expect(held.trips[0]?.mails).toEqual([{ at: from + 15 * hour, stepId: 'hello' }]);
  expect(frameAt(held, from + 10 * hour).mails).toBe(0);
  expect(frameAt(held, from + 16 * hour).mails).toBe(1);
});

it('lets people be seen on a line only for a while', () => {
  const span = 4 * hour;
  const dots = dotsAt(run, from + 2 * hour, span);
  expect(dots.some(({ edge }) => edge === ':entry:next')).toBe(true);
  expect(dots.every(({ progress }) => progress >= 0 && progress <= 1)).toBe(true);
  expect(dotsAt(run, from + 12 * hour, span)).toEqual([]);
});

it('runs the clock no further than the end, at a speed that can be watched', () => {
  const speed = usualSpeed(10 * 24 * hour);
  expect(speed.id).toBe('day');
  expect(advance(from, 1000, speed, run.end)).toBe(from + 24 * hour);
  expect(advance(from, 60_000, speed, run.end)).toBe(run.end);
  expect(usualSpeed(3650 * 24 * hour)).toBe(speeds.at(-1));
  expect(dayNumber(from, from)).toBe(1);
  expect(dayNumber(from, from + 25 * hour)).toBe(2);
});
