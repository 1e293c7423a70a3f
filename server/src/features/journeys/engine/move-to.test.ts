import { describe, expect, it } from 'vitest';
import { type Json, ordered, plan, read } from '../../../../test/journeys/definitions.js';
import { enter, moveTo } from './enter.js';
import { step } from './step.js';
import type { State, StepContext } from './types.js';

const now = Date.parse('2026-11-16T09:00:00Z');
const hour = 3_600_000;
const ids = { journeyId: 'd'.repeat(24), contactId: '0'.repeat(32), enrolmentId: 'e'.repeat(32) };
const worldAt = (at: number, properties = {}): StepContext => ({
  ...ids,
  ...{ now: at, enteredAt: now, properties, timeZone: 'UTC' },
  holds: () => ({ holds: false, next: null }),
  winnerOf: () => undefined,
});
const defined = (first: Json) =>
  read({
    entry: ordered,
    steps: [
      { id: 'a', ...first },
      { id: 'z', type: 'exit' },
    ],
  });

const long = defined({ type: 'delay', for: 'PT10H' });
const begun = (definition = long): State => {
  const { state } = enter(definition, { ...ids, now, words: {}, chain: 0, cause: { code: 'joinedList' } });
  return step(definition, state, { kind: 'look' }, worldAt(now)).state;
};
const wait = (timeout: string) =>
  defined({ type: 'waitUntil', branches: [{ filter: plan, next: 'z' }], timeout, onTimeout: 'z' });

describe('moving to another version', () => {
  it('counts a delay anew from when the step was reached', () => {
    const moved = moveTo(defined({ type: 'delay', for: 'PT3H' }), begun(), worldAt(now + hour), long);
    expect(moved).toMatchObject({
      state: { phase: 'waiting', waitUntil: now + 3 * hour, stepAt: now, visit: 1 },
      dueAt: now + hour,
    });
    expect(moved?.notes).toMatchObject([{ at: now + hour, what: 'moved', stepId: 'a' }]);
  });

  it('lets those go whose new delay is over already', () => {
    const short = defined({ type: 'delay', for: 'PT1H' });
    const moved = moveTo(short, begun(), worldAt(now + 2 * hour), long);
    expect(step(short, moved?.state as State, { kind: 'look' }, worldAt(now + 2 * hour)).state.stepId).toBe('z');
    const gone = defined({ type: 'delay', untilProperty: 'due' });
    const other = moveTo(gone, begun(), worldAt(now + hour), long);
    expect(step(gone, other?.state as State, { kind: 'look' }, worldAt(now + hour)).state.stepId).toBe('z');
  });

  it('waits with the new timeout, and somebody looks at the new filters', () => {
    const moved = moveTo(wait('PT5H'), begun(wait('PT1H')), worldAt(now + 60_000), wait('PT1H'));
    expect(moved).toMatchObject({ state: { waitUntil: now + 5 * hour }, dueAt: now + 60_000 });
  });

  it('runs a step of another type at once, as another visit', () => {
    const mail = defined({ type: 'sendEmail', emailId: 'b'.repeat(24) });
    const moved = moveTo(mail, begun(), worldAt(now + hour), long);
    expect(moved).toMatchObject({ state: { stepId: 'a', phase: 'ready', waitUntil: null, visit: 1 }, dueAt: null });
    expect(step(mail, moved?.state as State, { kind: 'look' }, worldAt(now + hour)).effects).toMatchObject([
      { kind: 'message', visit: 2 },
    ]);
    expect(moveTo(wait('PT1H'), begun(), worldAt(now), long)?.state.phase).toBe('ready');
  });

  it('keeps waiting for a write or webhook that is on its way', () => {
    const hook = defined({ type: 'webhook', url: 'https://example.com' });
    const calling = begun(hook);
    expect(moveTo(hook, calling, worldAt(now + hour), hook)).toMatchObject({ state: calling, dueAt: now + hour });
  });

  it('leaves those alone whose step is gone', () => {
    const other = read({ entry: ordered, steps: [{ id: 'b', type: 'exit' }] });
    expect(moveTo(other, begun(), worldAt(now), long)).toBeUndefined();
  });
});
