import { describe, expect, it } from 'vitest';
import { api, type Json, list, plan, read } from '../../../../test/journeys/definitions.js';
import {
  contactId,
  contextOf,
  defined,
  entered,
  first,
  journeyId,
  look,
  now,
  told,
} from '../../../../test/journeys/steps.js';
import { bucketOf } from './bucket.js';
import { asks, step } from './step.js';
import type { Arrival } from './types.js';

describe('branch and split', () => {
  const cases = [
    { filter: plan, next: 'z' },
    { filter: plan, next: null },
  ];
  const branch = defined([{ id: 'a', type: 'branch', cases, otherwise: null }]);
  const place = (i: number) => `definition.steps[0].cases[${i}].filter`;

  it('takes the first case that holds', () => {
    expect(asks(branch, entered(branch), look)).toEqual([place(0), place(1)]);
    expect(first(branch, contextOf({}, { [place(0)]: true, [place(1)]: true })).state.stepId).toBe('z');
    const second = first(branch, contextOf({}, { [place(1)]: true }));
    expect(told(second)).toEqual(['step', 'branch: Case 2 of 2: The contact’s property “plan” is “pro”.', 'completed']);
    expect(told(first(branch))).toEqual(['step', 'branch: No condition was met: took the other path.', 'completed']);
  });

  const arms = (one: number) => [
    { name: 'a', percent: one, next: 'z' },
    { name: 'b', percent: 100 - one, next: null },
  ];
  const split = (one: number) => defined([{ id: 'a', type: 'split', arms: arms(one) }]);
  const bucket = bucketOf(`${journeyId}:a`, contactId, 100);

  it('splits by the bucket, arms in their order from 0', () => {
    expect(first(split(bucket + 1)).state).toMatchObject({ stepId: 'z', arms: { a: 'a' } });
    expect(first(split(bucket))).toMatchObject({ ended: { as: 'completed' }, state: { arms: { a: 'b' } } });
    expect(told(first(split(100)))).toEqual(['step', `split: Arm “a” (bucket ${bucket} of 100).`]);
  });

  it('sends every contact to the arm that won', () => {
    const after = (arm: string, isSignificant: boolean | null) =>
      first(split(100), contextOf({ winnerOf: (id) => (id === 'a' ? { arm, isSignificant } : undefined) }));
    expect(after('b', true).state.arms).toEqual({ a: 'b' });
    for (const isSignificant of [true, null])
      expect(told(after('b', isSignificant))[1]).toBe('split: Arm “b”, which won.');
    expect(told(after('b', false))[1]).toBe('split: Arm “b”, which won, though the difference was not significant.');
    expect(after('gone', true).state.arms).toEqual({ a: 'a' });
  });
});

describe('steps that do something', () => {
  const update = (value: unknown) => defined([{ id: 'a', type: 'updateProperty', property: 'plan', value }]);

  it('writes a property and waits until that is applied', () => {
    const definition = update('pro');
    const begun = first(definition);
    expect(begun).toMatchObject({
      effects: [{ kind: 'property', visit: 1, property: 'plan', value: 'pro' }],
      state: { phase: 'writing' },
      dueAt: null,
    });
    expect(told(begun)).toEqual(['step', 'property: Set “plan” to “pro”.']);
    expect(step(definition, begun.state, look, contextOf()).state).toEqual(begun.state);
    expect(step(definition, begun.state, { kind: 'applied', visit: 0 }, contextOf()).state).toEqual(begun.state);
    expect(step(definition, begun.state, { kind: 'applied', visit: 1 }, contextOf()).state).toMatchObject({
      stepId: 'z',
      phase: 'ready',
    });
  });

  it.each<[string, Json | undefined, unknown]>([
    ['a value', { cart: { plan: 'pro' } }, 'pro'],
    ['false', { cart: { plan: false } }, false],
    ['nothing', { cart: {} }, undefined],
    ['null', { cart: { plan: null } }, undefined],
    ['a list', { cart: { plan: ['pro'] } }, undefined],
    ['a list on the way', { cart: [{ plan: 'pro' }] }, undefined],
    ['no event', undefined, undefined],
  ])('copies from the entry event: %s', (_, event, value) => {
    const stepped = first(update({ entry: ['cart', 'plan'] }), contextOf(), event ? { event } : {});
    expect(stepped.effects).toEqual(
      value === undefined ? [] : [{ kind: 'property', visit: 1, property: 'plan', value }],
    );
    expect(stepped.state.phase).toBe(value === undefined ? 'ready' : 'writing');
  });

  it('changes lists and topics, emits, starts and leaves', () => {
    const add = first(defined([{ id: 'a', type: 'removeFromList', staticListId: list }]));
    expect(add).toMatchObject({
      effects: [{ kind: 'list', staticListId: list, what: 'remove' }],
      state: { stepId: 'z' },
    });
    const topic = first(defined([{ id: 'a', type: 'setTopic', topicId: list, state: 'subscribed' }]));
    expect(topic).toMatchObject({
      effects: [{ kind: 'topic', visit: 1, topicId: list, state: 'subscribed' }],
      state: { stepId: 'z' },
    });
    const emit = first(defined([{ id: 'a', type: 'emitEvent', eventName: 'told', properties: { a: 1 } }]));
    expect(emit).toMatchObject({
      effects: [{ kind: 'event', visit: 1, eventName: 'told', properties: { a: 1 } }],
      state: { phase: 'writing' },
    });
    const exit = first(read({ entry: api, steps: [{ id: 'a', type: 'exit', reason: 'enough' }] }));
    expect(exit).toMatchObject({
      ended: { as: 'exited', reason: 'enough' },
      state: { stepId: 'a', visit: 1 },
      dueAt: null,
    });
    expect(first(read({ entry: api, steps: [{ id: 'a', type: 'exit' }] })).ended).toEqual({
      as: 'exited',
      reason: 'exit',
    });
  });

  it('starts a tenth journey of a chain and not an eleventh', () => {
    const definition = defined([{ id: 'a', type: 'startJourney', journeyId: list }]);
    expect(first(definition, contextOf(), { chain: 8 }).effects).toEqual([
      { kind: 'journey', journeyId: list, chain: 9 },
    ]);
    const eleventh = first(definition, contextOf(), { chain: 9 });
    expect(eleventh).toMatchObject({ effects: [], state: { stepId: 'z' } });
    expect(told(eleventh)).toEqual([
      `step: The journey ${list} was not started: 10 journeys have already started each other.`,
    ]);
  });

  it('takes the contact out of another journey, and goes on', () => {
    const left = first(defined([{ id: 'a', type: 'leaveJourney', journeyId: list }]));
    expect(left).toMatchObject({ effects: [{ kind: 'leave', journeyId: list }], state: { stepId: 'z' } });
    expect(told(left)).toEqual([`step: Took them out of the journey ${list}.`]);
  });

  it('calls, and keeps the answer', () => {
    const hook = { id: 'a', type: 'webhook', url: 'https://example.com/x?secret=1', onError: null };
    const definition = defined([hook]);
    const begun = first(definition);
    expect(begun).toMatchObject({
      effects: [{ kind: 'webhook', stepId: 'a', visit: 1 }],
      state: { phase: 'calling' },
      dueAt: null,
    });
    expect(told(begun)).toEqual(['step', 'webhook: Called example.com.']);
    const hear = (arrival: Arrival, state = begun.state) => step(definition, state, arrival, contextOf());
    const fine = hear({ kind: 'answered', visit: 1, answer: { ok: true, status: 200, body: { a: 1 } } });
    expect(fine.state).toMatchObject({ stepId: 'z', words: { webhook: { a: 1 } } });
    const empty = hear(
      { kind: 'answered', visit: 1, answer: { ok: true, status: 204 } },
      { ...begun.state, words: { webhook: 1 } },
    );
    expect(empty.state.words).toEqual({});
    const failed = hear({ kind: 'answered', visit: 1, answer: { ok: false, why: 'no answer within 24 hours.' } });
    expect(told(failed)).toEqual(['webhook: Gave up: no answer within 24 hours.', 'completed']);
    expect(hear({ kind: 'answered', visit: 2, answer: { ok: true, status: 200 } }).state).toEqual(begun.state);
  });
});

describe('the goal and exitWhen', () => {
  const delay = { id: 'a', type: 'delay', for: 'PT1H' };
  const both = (exit: boolean) => defined([delay], { goal: { filter: plan, exit }, exitWhen: plan });
  const goal = 'definition.goal.filter';
  const exitWhen = 'definition.exitWhen';

  it('lets those who reached the goal go with that reason, before exitWhen and before the step', () => {
    const stepped = first(both(true), contextOf({}, { [goal]: true, [exitWhen]: true }));
    expect(stepped).toMatchObject({
      effects: [{ kind: 'goal' }],
      ended: { as: 'exited', reason: 'goal' },
      state: { goalAt: now, visit: 0 },
    });
    expect(told(stepped)).toEqual(['goal: The contact’s property “plan” is “pro”.', 'exited: Reason: goal.']);
    expect(first(both(false), contextOf({}, { [goal]: true, [exitWhen]: true })).ended).toEqual({
      as: 'exited',
      reason: 'exitWhen',
    });
  });

  it('reaches the goal once', () => {
    const definition = both(false);
    const begun = first(definition, contextOf({}, { [goal]: true }));
    expect(begun).toMatchObject({ effects: [{ kind: 'goal' }], state: { phase: 'waiting', goalAt: now } });
    expect(asks(definition, begun.state, look)).toEqual([exitWhen]);
    expect(step(definition, begun.state, look, contextOf({ now: now + 5 }, { [goal]: true }))).toMatchObject({
      effects: [],
      state: { goalAt: now },
    });
  });

  it('looks again when one of them may change by itself, whatever it waits for', () => {
    const held = { [goal]: { holds: false, next: now + 7 }, [exitWhen]: { holds: false, next: now + 8 } };
    expect(first(both(true), contextOf({}, held)).dueAt).toBe(now + 7);
    const hook = defined([{ id: 'a', type: 'webhook', url: 'https://example.com' }], { exitWhen: plan });
    const calling = first(hook, contextOf({}, held));
    expect(calling.dueAt).toBe(now + 8);
    expect(step(hook, calling.state, look, contextOf({ now: now + 8 }, { [exitWhen]: true })).ended).toEqual({
      as: 'exited',
      reason: 'exitWhen',
    });
  });
});
