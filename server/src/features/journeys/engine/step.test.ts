import { describe, expect, it } from 'vitest';
import { email, type Json, list, ordered, plan, read } from '../../../../test/journeys/definitions.js';
import {
  cause,
  contactId,
  contextOf,
  defined,
  enrolmentId,
  entered,
  first,
  journeyId,
  look,
  now,
  told,
} from '../../../../test/journeys/steps.js';
import { bucketOf } from './bucket.js';
import { enter } from './enter.js';
import { asks, step, waitsOf } from './step.js';
import type { Arrival, Stepped } from './types.js';

const hour = 3_600_000;

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
    expect(told(stepped)[1]).toBe(
      'message: Queued to be sent when the sending window opens at 2026-11-16T15:00:00.000Z.',
    );
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
    expect(told(stepped)[1]).toBe('message: Not sent: they were in the holdout.');
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
    expect(told(begun)).toEqual(['step', 'waiting: Started a wait until 2026-11-16T10:00:00.000Z.']);
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
    ['2026-11-17T09:00:00Z', 'waiting: Started a wait until 2026-11-17T10:00:00.000Z.'],
    ['2026-11-16T08:00:00Z', 'step: 2026-11-16T09:00:00.000Z had passed: continued right away.'],
    ['soon', 'step: No date in “due”: continued right away.'],
    ['2026-02-31', 'step: No date in “due”: continued right away.'],
    [20261117, 'step: No date in “due”: continued right away.'],
    [undefined, 'step: No date in “due”: continued right away.'],
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
      'waiting: The steps loop without a wait: put on hold until 2026-11-16T10:00:00.000Z.',
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
    expect(told(begun)).toEqual(['step', 'waiting: Started a wait until 2026-11-16T10:00:00.000Z at most.']);
    expect(waitsOf(definition, begun.state)).toEqual([{ eventName: 'paid', branch: 0 }]);
    expect(asks(definition, begun.state, look)).toEqual([branch]);
  });

  it('hears events that come after it was entered and before it is begun', () => {
    const ready = entered(definition, { event: { order: 7 } });
    expect(waitsOf(definition, ready)).toEqual([{ eventName: 'paid', branch: 0 }]);
    const begunBy = (at: number) => step(definition, ready, paid(at, 7), contextOf({ now: now + 60 })).state;
    expect(begunBy(now + 5)).toMatchObject({ stepId: 'p', visit: 1 });
    expect(begunBy(now - 1)).toMatchObject({ stepId: 'a', phase: 'waiting' });
    // One that was acknowledged before the step was begun, and is applied later.
    const { state } = step(definition, ready, look, contextOf({ now: now + 60 }));
    expect(step(definition, state, paid(now + 5, 7), contextOf({ now: now + 90 })).state.stepId).toBe('p');
  });

  it('goes on with the event that means the same order', () => {
    const stepped = later(paid(now, 7), now + 5);
    expect(stepped.state).toMatchObject({ stepId: 'p', phase: 'ready' });
    expect(told(stepped)).toEqual(['branch: Branch 1 of 2: did “paid”.']);
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
    expect(told(stepped)).toEqual(['step', 'branch: Branch 2 of 2: The contact’s property “plan” is “pro”.']);
  });

  it('takes the first of two that come true at once', () => {
    expect(later(paid(now, 7), now, { [branch]: true }).state.stepId).toBe('p');
    expect(later(paid(now, 8), now, { [branch]: true }).state.stepId).toBe('q');
  });

  it('ends with the timeout', () => {
    expect(later(look, now + hour - 1).ended).toBeUndefined();
    const stepped = later(look, now + hour);
    expect(stepped).toMatchObject({ ended: { as: 'completed' }, state: { stepId: 'a' } });
    expect(told(stepped)).toEqual(['branch: Timed out after PT1H.', 'completed']);
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
