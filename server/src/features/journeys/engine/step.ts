// One step of one enrolment. Pure: the same code runs live and in simulations.
import { assertNever } from '../../../lib/assert-never.js';
import type { Definition, Step as StepOf } from '../definition/definition.js';
import { sayFilter } from '../definition/say-step.js';
import { begin } from './begin.js';
import { filtersAt, findStep, StepPlan, stepOf } from './plan.js';
import type { Arrival, Asks, State, Step, Stepped, WebhookAnswer } from './types.js';
import { lookAtWait } from './wait.js';

/** The goal first, then exitWhen, then the step: who has reached both leaves with the goal. */
export const step: Step = (definition, state, arrival, context) => {
  const plan = new StepPlan(definition, state, context);
  const { goal, exitWhen } = definition;
  if (goal && state.goalAt === null && context.holds(goal.filter.path).holds) {
    plan.change({ goalAt: context.now });
    plan.add({ kind: 'goal' });
    plan.note('goal', { code: 'goalReached', filter: sayFilter(goal.filter) });
    if (goal.exit) return plan.end({ as: 'exited', reason: 'goal' });
  }
  if (exitWhen && context.holds(exitWhen.path).holds) return plan.end({ as: 'exited', reason: 'exitWhen' });
  return proceed(stepOf(definition, state), arrival, plan);
};

function proceed(at: StepOf, arrival: Arrival, plan: StepPlan): Stepped {
  const { state } = plan;
  switch (state.phase) {
    case 'ready':
      return begin(at, plan, arrival);
    case 'waiting':
      return wait(at, arrival, plan);
    case 'writing':
      return isFor(state, arrival, 'applied') && 'next' in at ? plan.goOn(at.next) : plan.stayAsItIs();
    case 'calling':
      if (!isFor(state, arrival, 'answered') || at.type !== 'webhook') return plan.stayAsItIs();
      return hear(at, arrival.answer, plan);
    default:
      return assertNever(state.phase);
  }
}

function wait(at: StepOf, arrival: Arrival, plan: StepPlan): Stepped {
  if (at.type === 'waitUntil') return lookAtWait(at, arrival, plan);
  if (at.type !== 'delay') throw new Error(`A step of the type ${at.type} has no wait`);
  const { waitUntil } = plan.state;
  return waitUntil !== null && plan.context.now < waitUntil ? plan.stayAsItIs() : plan.goOn(at.next);
}

/** News about an earlier visit are ignored. */
function isFor<Kind extends 'applied' | 'answered'>(
  { visit }: State,
  arrival: Arrival,
  kind: Kind,
): arrival is Extract<Arrival, { kind: Kind }> {
  return arrival.kind === kind && 'visit' in arrival && arrival.visit === visit;
}

function hear(at: Extract<StepOf, { type: 'webhook' }>, answer: WebhookAnswer, plan: StepPlan): Stepped {
  if (!answer.ok) {
    plan.note('webhook', { code: 'givenUp', why: answer.why });
    return plan.goOn(at.onError === undefined ? at.next : at.onError);
  }
  const { webhook: _, ...others } = plan.state.words;
  plan.change({ words: answer.body === undefined ? others : { ...others, webhook: answer.body } });
  plan.note('webhook', { code: 'answered', status: answer.status, hasJson: answer.body !== undefined });
  return plan.goOn(at.next);
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

/** The events that an enrolment waits for, by the branch of its step: also where it has entered and its first step is not begun yet. */
export function waitsOf(
  definition: Definition,
  { phase, stepId, visit }: State,
): { eventName: string; branch: number }[] {
  const isThere = phase === 'waiting' || (phase === 'ready' && visit === 0);
  const at = isThere ? findStep(definition, stepId) : undefined;
  if (at?.type !== 'waitUntil') return [];
  return at.branches.flatMap((one, branch) => (one.kind === 'event' ? [{ eventName: one.eventName, branch }] : []));
}
