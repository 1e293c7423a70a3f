import { describe, expect, it } from 'vitest';
import { api, email, type Json, list, ordered, plan, read } from '../../../../test/journeys/definitions.js';
import type { Definition } from '../definition/definition.js';
import { sayFact } from '../timeline/say-fact.js';
import { bucketOf } from './bucket.js';
import { enter } from './enter.js';
import { asks, step, waitsOf } from './step.js';
import type { Arrival, Held, State, StepContext, Stepped } from './types.js';

const now = Date.parse('2026-11-16T09:00:00Z');
const hour = 3_600_000;
const journeyId = 'd'.repeat(24);
const contactId = '0'.repeat(32);
const enrolmentId = 'e'.repeat(32);
const cause = { code: 'eventCame', eventName: 'ordered' } as const;

/** A definition of these steps before an exit `z`. */
function defined(steps: Json[], keys: Json = {}): Definition {
  return read({ entry: ordered, steps: [...steps, { id: 'z', type: 'exit' }], ...keys });
}

const contextOf = (keys: Partial<StepContext> = {}, held: Record<string, boolean | Held> = {}): StepContext => ({
  ...{ now, journeyId, contactId, enrolmentId, properties: {}, timeZone: 'UTC', winnerOf: () => undefined },
  holds: (place) => {
    const one = held[place] ?? false;
    return typeof one === 'boolean' ? { holds: one, next: null } : one;
  },
  ...keys,
});

function entered(definition: Definition, keys: { event?: Json; chain?: number } = {}): State {
  const { event, chain = 0 } = keys;
  return enter(definition, { journeyId, contactId, enrolmentId, now, words: event ? { event } : {}, chain, cause })
    .state;
}

const look: Arrival = { kind: 'look' };
/** The first step of a definition. */
const first = (definition: Definition, context = contextOf(), keys = {}) =>
  step(definition, entered(definition, keys), look, context);
const told = ({ notes }: Stepped) =>
  notes.map(({ what, fact }) => (fact === undefined ? what : `${what}: ${sayFact(fact)}`));

describe('entering', () => {
  it('stands before the first step', () => {
    const definition = defined([{ id: 'a', type: 'delay', for: 'PT1H' }]);
    const { state, notes } = enter(definition, {
      ...{ journeyId, contactId, enrolmentId, now },
      words: {},
      chain: 3,
      cause,
    });
    expect(state).toMatchObject({ stepId: 'a', visit: 0, phase: 'ready', chain: 3, isHoldout: false });
    expect(notes).toEqual([{ at: now, what: 'entered', fact: cause }]);
  });

  it('knows who is held out by the bucket with the journey as seed', () => {
    // As the filter of lists counts it: 8 hex digits of SHA-256 of "seed:contactId".
    const bucket = bucketOf(journeyId, contactId, 100);
    expect(bucket).toBe(Number.parseInt(hashOfHoldout.slice(0, 8), 16) % 100);
    for (const holdout of [0, 50]) {
      const { state } = enter(defined([{ id: 'a', type: 'delay', for: 'PT1H' }], { holdout }), {
        journeyId,
        contactId,
        enrolmentId,
        now,
        words: {},
        chain: 0,
        cause,
      });
      expect(state.isHoldout).toBe(bucket < holdout);
    }
  });
});
// printf 'dddddddddddddddddddddddd:00000000000000000000000000000000' | sha256sum
const hashOfHoldout = 'e4b588e64e08270677060a46253dbed60525c7506425ded0b2264ee904b89b48';

describe('sendEmail', () => {
  const send = { id: 'a', type: 'sendEmail', emailId: email };
  const window = { from: '10:00', to: '18:00', timeZone: 'contact' };

  it('queues one message and goes on at once', () => {
    const stepped = first(defined([send]));
    expect(stepped.effects).toEqual([
      { kind: 'message', stepId: 'a', visit: 1, emailId: email, isTransactional: false, dueAt: now },
    ]);
    expect(stepped).toMatchObject({ state: { stepId: 'z', phase: 'ready', visit: 1 }, dueAt: null });
    expect(told(stepped)).toEqual(['step', 'message: Queued.']);
  });

  it('waits for the window, in the contact’s zone', () => {
    const stepped = first(defined([send], { window }), contextOf({ properties: { time_zone: 'America/New_York' } }));
    expect(stepped.effects).toMatchObject([{ dueAt: Date.parse('2026-11-16T15:00:00Z') }]);
    expect(told(stepped)[1]).toBe('message: Queued; leaves when the window opens at 2026-11-16T15:00:00.000Z.');
    // It has no zone that exists: the tenant's.
    const other = first(
      defined([send], { window }),
      contextOf({ properties: { time_zone: 'x' }, timeZone: 'Europe/Berlin' }),
    );
    expect(other.effects).toMatchObject([{ dueAt: now }]);
  });

  it('passes over the window when it is transactional', () => {
    expect(first(defined([{ ...send, transactional: true }], { window })).effects).toMatchObject([
      { dueAt: now, isTransactional: true },
    ]);
  });

  it('is skipped for those who are held out', () => {
    const definition = defined([send], { window });
    const stepped = step(definition, { ...entered(definition), isHoldout: true }, look, contextOf());
    expect(stepped.effects).toMatchObject([{ kind: 'message', skipped: 'holdout' }]);
    expect(told(stepped)[1]).toBe('message: Not sent: the contact is in the holdout.');
  });
});

describe('delay', () => {
  const delay = (keys: Json) => defined([{ id: 'a', type: 'delay', ...keys }]);

  it('waits, and goes on when its time has come', () => {
    const definition = delay({ for: 'PT1H' });
    const begun = first(definition);
    expect(begun).toMatchObject({
      state: { phase: 'waiting', waitUntil: now + hour, stepAt: now, visit: 1 },
      dueAt: now + hour,
    });
    expect(told(begun)).toEqual(['step', 'waiting: Waits until 2026-11-16T10:00:00.000Z.']);
    const early = step(definition, begun.state, look, contextOf({ now: now + hour - 1 }));
    expect(early).toMatchObject({ state: begun.state, notes: [], dueAt: now + hour });
    expect(step(definition, begun.state, look, contextOf({ now: now + hour })).state).toMatchObject({
      stepId: 'z',
      phase: 'ready',
    });
  });

  it('is lengthened by a share of its spread that is the same whenever it is asked for', () => {
    const definition = delay({ for: 'PT1H', spread: 'PT1H' });
    const { waitUntil } = first(definition).state;
    expect(waitUntil).toBe(first(definition).state.waitUntil);
    expect(waitUntil).toBeGreaterThan(now + hour);
    expect(waitUntil).toBeLessThan(now + 2 * hour);
    expect(first(definition, contextOf({ enrolmentId: 'f'.repeat(32) })).state.waitUntil).not.toBe(waitUntil);
  });

  it('waits until a time of day where the contact is', () => {
    const { state } = first(
      delay({ untilTime: '09:00', days: [1] }),
      contextOf({ properties: { time_zone: 'America/New_York' } }),
    );
    expect(state.waitUntil).toBe(Date.parse('2026-11-16T14:00:00Z'));
  });

  it.each([
    ['2026-11-17T09:00:00Z', 'waiting: Waits until 2026-11-17T10:00:00.000Z.'],
    ['2026-11-16T08:00:00Z', 'step: 2026-11-16T09:00:00.000Z has passed: goes on at once.'],
    ['soon', 'step: No time in "due": goes on at once.'],
    ['2026-02-31', 'step: No time in "due": goes on at once.'],
    [20261117, 'step: No time in "due": goes on at once.'],
    [undefined, 'step: No time in "due": goes on at once.'],
  ])('waits until the time in a property: %s', (due, words) => {
    const stepped = first(delay({ untilProperty: 'due', offset: 'PT1H' }), contextOf({ properties: { due } }));
    expect(told(stepped).at(-1)).toBe(words);
    expect(stepped.state.stepId).toBe(words.startsWith('waiting') ? 'a' : 'z');
  });

  it('rests where a circle comes round at once', () => {
    const circle = read({
      entry: ordered,
      steps: [
        { id: 'a', type: 'addToList', staticListId: list },
        { id: 'b', type: 'delay', untilProperty: 'due', next: 'a' },
      ],
    });
    let stepped: Stepped = first(circle);
    let rounds = 0;
    while (stepped.state.phase === 'ready' && rounds++ < 100) stepped = step(circle, stepped.state, look, contextOf());
    expect(stepped.state).toMatchObject({
      stepId: 'b',
      visit: 4,
      phase: 'waiting',
      waitUntil: now + hour,
      restless: 0,
    });
    expect(told(stepped)[1]).toBe(
      'waiting: It came round in a circle without waiting anywhere: rests until 2026-11-16T10:00:00.000Z.',
    );
  });
});

describe('waitUntil', () => {
  const same = { eventProperty: 'order', is: { entry: 'order' } };
  const wait = {
    id: 'a',
    type: 'waitUntil',
    branches: [
      { event: { eventName: 'paid', where: same }, next: 'p' },
      { filter: plan, next: 'q' },
    ],
    timeout: 'PT1H',
    onTimeout: null,
  };
  const add = (id: string) => ({ id, type: 'addToList', staticListId: list });
  const definition = read({ entry: ordered, steps: [wait, add('p'), add('q')] });
  const branch = 'definition.steps[0].branches[1].filter';
  const paid = (at: number, order: unknown): Arrival => ({
    ...{ kind: 'event', eventName: 'paid' },
    event: { at, eventDate: '2026-11-16T09:00:00.000Z', userId: null, orgId: null, properties: { order } },
  });
  const begun = first(definition, contextOf({}, { [branch]: { holds: false, next: now + 10 } }), {
    event: { order: 7 },
  });
  const later = (arrival: Arrival, at: number, held = {}) =>
    step(definition, begun.state, arrival, contextOf({ now: at }, held));

  it('waits for its events and its filters, and says for which', () => {
    expect(begun).toMatchObject({ state: { phase: 'waiting', waitUntil: now + hour }, dueAt: now + 10 });
    expect(told(begun)).toEqual(['step', 'waiting: Waits until 2026-11-16T10:00:00.000Z at most.']);
    expect(waitsOf(definition, begun.state)).toEqual([{ eventName: 'paid', branch: 0 }]);
    expect(asks(definition, begun.state, look)).toEqual([branch]);
    expect(waitsOf(definition, entered(definition))).toEqual([]);
  });

  it('goes on with the event that means the same order', () => {
    const stepped = later(paid(now, 7), now + 5);
    expect(stepped.state).toMatchObject({ stepId: 'p', phase: 'ready' });
    expect(told(stepped)).toEqual(['branch: Branch 1 of 2: the event "paid" came.']);
    expect(later(paid(now, 8), now + 5).state.stepId).toBe('a');
  });

  it('counts events from when the step was reached to the timeout, however late they are heard', () => {
    expect(later(paid(now - 1, 7), now + 5).state.stepId).toBe('a');
    expect(later(paid(now + hour, 7), now + 2 * hour).state.stepId).toBe('p');
    expect(later(paid(now + hour + 1, 7), now + 2 * hour)).toMatchObject({ ended: { as: 'completed', reason: null } });
  });

  it('takes a filter that is true from the beginning', () => {
    const stepped = first(definition, contextOf({}, { [branch]: true }));
    expect(stepped.state).toMatchObject({ stepId: 'q', visit: 1 });
    expect(told(stepped)).toEqual(['step', 'branch: Branch 2 of 2: The contact\'s property "plan" is "pro".']);
  });

  it('takes the first of two that come true at once', () => {
    expect(later(paid(now, 7), now, { [branch]: true }).state.stepId).toBe('p');
    expect(later(paid(now, 8), now, { [branch]: true }).state.stepId).toBe('q');
  });

  it('ends with the timeout', () => {
    expect(later(look, now + hour - 1).ended).toBeUndefined();
    const stepped = later(look, now + hour);
    expect(stepped).toMatchObject({ ended: { as: 'completed' }, state: { stepId: 'a' } });
    expect(told(stepped)).toEqual(['branch: Nothing came within PT1H: timeout.', 'completed']);
  });

  it('rests where a circle comes round at once, but hears what comes', () => {
    const circle = read({
      entry: ordered,
      steps: [{ ...wait, branches: [{ filter: plan, next: 'a' }], onTimeout: 'a' }],
    });
    const held = { 'definition.steps[0].branches[0].filter': true };
    const again = step(circle, first(circle, contextOf({}, held)).state, look, contextOf({}, held));
    expect(again).toMatchObject({ state: { visit: 2, phase: 'waiting', waitUntil: now + hour }, dueAt: now + hour });
    expect(step(circle, again.state, look, contextOf({ now: now + 5 }, held)).state).toMatchObject({
      phase: 'ready',
      restless: 0,
    });
  });
});

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
    expect(told(second)).toEqual([
      'step',
      'branch: Case 2 of 2: The contact\'s property "plan" is "pro".',
      'completed',
    ]);
    expect(told(first(branch))).toEqual(['step', 'branch: No case holds: otherwise.', 'completed']);
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
    expect(told(first(split(100)))).toEqual(['step', `split: Arm "a" (bucket ${bucket} of 100).`]);
  });

  it('sends everybody to the arm that won', () => {
    const after = (arm: string, isSignificant: boolean | null) =>
      first(split(100), contextOf({ winnerOf: (id) => (id === 'a' ? { arm, isSignificant } : undefined) }));
    expect(after('b', true).state.arms).toEqual({ a: 'b' });
    for (const isSignificant of [true, null])
      expect(told(after('b', isSignificant))[1]).toBe('split: Arm "b", which won.');
    expect(told(after('b', false))[1]).toBe('split: Arm "b", which won, though the difference was not significant.');
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
    expect(told(begun)).toEqual(['step', 'property: Sets "plan" to "pro".']);
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

  it('changes lists, emits, starts and leaves', () => {
    const add = first(defined([{ id: 'a', type: 'removeFromList', staticListId: list }]));
    expect(add).toMatchObject({
      effects: [{ kind: 'list', staticListId: list, what: 'remove' }],
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
      `step: The journey ${list} was not started: 10 journeys have started one another already.`,
    ]);
  });

  it('takes the contact out of another journey, and goes on', () => {
    const left = first(defined([{ id: 'a', type: 'leaveJourney', journeyId: list }]));
    expect(left).toMatchObject({ effects: [{ kind: 'leave', journeyId: list }], state: { stepId: 'z' } });
    expect(told(left)).toEqual([`step: Takes the contact out of the journey ${list}.`]);
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
    expect(told(begun)).toEqual(['step', 'webhook: Calls example.com.']);
    const hear = (arrival: Arrival, state = begun.state) => step(definition, state, arrival, contextOf());
    const fine = hear({ kind: 'answered', visit: 1, answer: { ok: true, status: 200, body: { a: 1 } } });
    expect(fine.state).toMatchObject({ stepId: 'z', words: { webhook: { a: 1 } } });
    const empty = hear(
      { kind: 'answered', visit: 1, answer: { ok: true, status: 204 } },
      { ...begun.state, words: { webhook: 1 } },
    );
    expect(empty.state.words).toEqual({});
    const failed = hear({ kind: 'answered', visit: 1, answer: { ok: false, why: 'no answer within 24 hours.' } });
    expect(told(failed)).toEqual(['webhook: Given up: no answer within 24 hours.', 'completed']);
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
    expect(told(stepped)).toEqual(['goal: The contact\'s property "plan" is "pro".', 'exited: Reason: goal.']);
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
