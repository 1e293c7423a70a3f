// One step of one enrolment. Pure: the same code runs live and in simulations.
import { assertNever } from '../../../lib/assert-never.js';
import type { Definition, Step as StepOf } from '../definition/definition.js';
import { sayFilter } from '../definition/say-step.js';
import { begin } from './begin.js';
import { Doing, filtersAt, findStep, stepOf } from './doing.js';
import type { Answer, Arrival, Asks, State, Step, Stepped } from './types.js';
import { lookAtWait } from './wait.js';

/** The goal first, then exitWhen, then the step: who has reached both leaves with the goal. */
export const step: Step = (definition, state, arrival, world) => {
  const doing = new Doing(definition, state, world);
  const { goal, exitWhen } = definition;
  if (goal && state.goalAt === null && world.holds(goal.filter.path).holds) {
    doing.change({ goalAt: world.now });
    doing.add({ kind: 'goal' });
    doing.note('goal', { code: 'goalReached', filter: sayFilter(goal.filter) });
    if (goal.exit) return doing.end({ as: 'exited', reason: 'goal' });
  }
  if (exitWhen && world.holds(exitWhen.path).holds) return doing.end({ as: 'exited', reason: 'exitWhen' });
  return proceed(stepOf(definition, state), arrival, doing);
};

function proceed(at: StepOf, arrival: Arrival, doing: Doing): Stepped {
  const { state } = doing;
  switch (state.phase) {
    case 'ready':
      return begin(at, doing);
    case 'waiting':
      return wait(at, arrival, doing);
    case 'writing':
      return isFor(state, arrival, 'applied') && 'next' in at ? doing.goOn(at.next) : doing.stayAsItIs();
    case 'calling':
      if (!isFor(state, arrival, 'answered') || at.type !== 'webhook') return doing.stayAsItIs();
      return hear(at, arrival.answer, doing);
    default:
      return assertNever(state.phase);
  }
}

function wait(at: StepOf, arrival: Arrival, doing: Doing): Stepped {
  if (at.type === 'waitUntil') return lookAtWait(at, arrival, doing);
  if (at.type !== 'delay') throw new Error(`Nobody waits at a step of the type ${at.type}`);
  const { waitUntil } = doing.state;
  return waitUntil !== null && doing.world.now < waitUntil ? doing.stayAsItIs() : doing.goOn(at.next);
}

/** News of an earlier visit concern nobody any more. */
function isFor<Kind extends 'applied' | 'answered'>(
  { visit }: State,
  arrival: Arrival,
  kind: Kind,
): arrival is Extract<Arrival, { kind: Kind }> {
  return arrival.kind === kind && 'visit' in arrival && arrival.visit === visit;
}

function hear(at: Extract<StepOf, { type: 'webhook' }>, answer: Answer, doing: Doing): Stepped {
  if (!answer.ok) {
    doing.note('webhook', { code: 'givenUp', why: answer.why });
    return doing.goOn(at.onError === undefined ? at.next : at.onError);
  }
  const { webhook: _, ...others } = doing.state.words;
  doing.change({ words: answer.body === undefined ? others : { ...others, webhook: answer.body } });
  doing.note('webhook', { code: 'answered', status: answer.status, hasJson: answer.body !== undefined });
  return doing.goOn(at.next);
}

const asked = new WeakMap<Definition, Map<string, readonly string[]>>();

/** The filters that the next step() looks at. The same list for all that ask for the same of a version. */
export const asks: Asks = (definition, state) => {
  const { goal, exitWhen } = definition;
  const isLooking = state.phase === 'ready' || state.phase === 'waiting';
  const hasGoal = goal !== undefined && state.goalAt === null;
  const key = `${hasGoal}:${isLooking ? state.stepId : ''}`;
  const known = asked.get(definition)?.get(key);
  if (known) return known;
  const paths = [
    ...(hasGoal ? [goal.filter] : []),
    ...(exitWhen ? [exitWhen] : []),
    ...(isLooking ? filtersAt(stepOf(definition, state)) : []),
  ].map((filter) => filter.path);
  asked.set(definition, (asked.get(definition) ?? new Map<string, readonly string[]>()).set(key, paths));
  return paths;
};

/** The events that an enrolment waits for, by the branch of its step. */
export function waitsOf(definition: Definition, { phase, stepId }: State): { eventName: string; branch: number }[] {
  const at = phase === 'waiting' ? findStep(definition, stepId) : undefined;
  if (at?.type !== 'waitUntil') return [];
  return at.branches.flatMap((one, branch) => (one.kind === 'event' ? [{ eventName: one.eventName, branch }] : []));
}
