// waitUntil: the first of its branches that comes true, or the timeout.
import type { Step, WaitBranch } from '../definition/definition.js';
import { sayFilter } from '../definition/say-step.js';
import { isRestless, restMs } from './delay.js';
import type { StepPlan } from './plan.js';
import type { Arrival, Stepped } from './types.js';

type Wait = Extract<Step, { type: 'waitUntil' }>;

export function beginWait(step: Wait, plan: StepPlan, arrival: Arrival): Stepped {
  const { context } = plan;
  plan.note('step');
  const until = context.now + step.timeout.ms;
  const taken = findBranch(step, plan, arrival);
  if (taken !== undefined && !isRestless(plan.state, plan)) return take(step, taken, plan);
  if (taken === undefined) {
    plan.note('waiting', { code: 'waits', until, atMost: true });
    return plan.stay('waiting', until);
  }
  const rested = context.now + restMs;
  plan.note('waiting', { code: 'rests', until: rested });
  return plan.stay('waiting', until, Math.min(until, rested));
}

export function lookAtWait(step: Wait, arrival: Arrival, plan: StepPlan): Stepped {
  const { state, context } = plan;
  const taken = findBranch(step, plan, arrival);
  if (taken !== undefined) return take(step, taken, plan);
  if (state.waitUntil === null || context.now < state.waitUntil) return plan.stayAsItIs();
  plan.note('branch', { code: 'timedOut', timeout: step.timeout.text });
  return plan.goOn(step.onTimeout);
}

/** In their order: an event that arrives can make a filter true as well. */
function findBranch({ branches }: Wait, plan: StepPlan, arrival: Arrival): number | undefined {
  const index = branches.findIndex((branch) =>
    branch.kind === 'filter'
      ? plan.context.holds(branch.filter.path).holds
      : arrival.kind === 'event' && isMeant(branch, arrival, plan),
  );
  return index < 0 ? undefined : index;
}

/** Acknowledged from when the step was reached to the timeout, however late it is looked at. */
function isMeant(
  { eventName, where }: Extract<WaitBranch, { kind: 'event' }>,
  arrival: Extract<Arrival, { kind: 'event' }>,
  { state, context }: StepPlan,
): boolean {
  const { event } = arrival;
  // The first step is reached by entering; it may be begun later, such as after a pause.
  const reachedAt = state.visit === 1 ? Math.min(context.enteredAt, state.stepAt) : state.stepAt;
  if (arrival.eventName !== eventName || event.at < reachedAt) return false;
  if (state.waitUntil !== null && event.at > state.waitUntil) return false;
  // "Now" is when it was acknowledged, so that a slow day changes nothing.
  return where === undefined || where.holds(event, { now: event.at, entry: state.words.event });
}

function take({ branches }: Wait, index: number, plan: StepPlan): Stepped {
  const branch = branches[index] as WaitBranch;
  const at = { place: index + 1, of: branches.length };
  plan.note(
    'branch',
    branch.kind === 'event'
      ? { code: 'eventTaken', ...at, eventName: branch.eventName }
      : { code: 'filterTaken', ...at, filter: sayFilter(branch.filter) },
  );
  return plan.goOn(branch.next);
}
