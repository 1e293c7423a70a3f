import type { EntryCause } from '@rapport/contract';
import type { Definition } from '../definition/definition.js';
import { bucketOf } from './bucket.js';
import { delayFrom } from './delay.js';
import { findStep } from './plan.js';
import type { Note, State, StepContext, Stepped, Words } from './types.js';

interface Entering {
  readonly journeyId: string;
  readonly contactId: string;
  readonly enrolmentId: string;
  readonly now: number;
  readonly words: Words;
  readonly chain: number;
  readonly cause: EntryCause;
}

/** Before its first step. */
export function enter(definition: Definition, entering: Entering): { state: State; notes: readonly Note[] } {
  const { journeyId, contactId, now, words, chain, cause } = entering;
  const isHoldout = definition.holdout > 0 && bucketOf(journeyId, contactId, 100) < definition.holdout;
  const state: State = {
    stepId: definition.steps[0]?.id ?? null,
    visit: 0,
    stepAt: now,
    phase: 'ready',
    waitUntil: null,
    goalAt: null,
    isHoldout,
    chain,
    restless: 0,
    words,
    arms: {},
  };
  return { state, notes: [{ at: now, what: 'entered', fact: isHoldout ? { ...cause, isHoldout } : cause }] };
}

/**
 * Puts an enrolment on another version, at the step of the same id: as if it had reached the step when it did, but under the new
 * definition. A step that is of another type now runs at once. Undefined where the step is gone.
 */
export function moveTo(to: Definition, state: State, context: StepContext, from: Definition): Stepped | undefined {
  const step = findStep(to, state.stepId);
  if (step === undefined) return undefined;
  const note: Note = {
    at: context.now,
    what: 'moved',
    stepId: step.id,
    fact: { code: 'movedToVersion' },
  };
  const moved = (changed: State, dueAt: number | null): Stepped => ({
    state: changed,
    effects: [],
    notes: [note],
    dueAt,
  });
  const ready: State = { ...state, phase: 'ready', waitUntil: null };
  if (state.phase === 'ready' || findStep(from, state.stepId)?.type !== step.type) return moved(ready, null);
  // Whatever it waits for: the goal and exitWhen may be others, so that somebody looks.
  if (step.type === 'waitUntil') return moved({ ...state, waitUntil: state.stepAt + step.timeout.ms }, context.now);
  if (step.type !== 'delay') return moved(state, context.now);
  const until = delayFrom(step, state.stepAt, state.visit, context);
  return moved({ ...state, waitUntil: typeof until === 'number' ? until : context.now }, context.now);
}
