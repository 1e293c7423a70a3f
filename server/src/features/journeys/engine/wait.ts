// waitUntil: the first of its branches that comes true, or the timeout.
import type { Step, WaitBranch } from '../definition/definition.js';
import { sayFilter } from '../definition/say-step.js';
import { isRestless, restMs } from './delay.js';
import type { Doing } from './doing.js';
import type { Arrival, Stepped } from './types.js';

type Wait = Extract<Step, { type: 'waitUntil' }>;

export function beginWait(step: Wait, doing: Doing): Stepped {
  const { world } = doing;
  doing.note('step');
  const until = world.now + step.timeout.ms;
  const taken = findBranch(step, doing);
  if (taken !== undefined && !isRestless(doing.state, doing)) return take(step, taken, doing);
  if (taken === undefined) {
    doing.note('waiting', { code: 'waits', until, atMost: true });
    return doing.stay('waiting', until);
  }
  const rested = world.now + restMs;
  doing.note('waiting', { code: 'rests', until: rested });
  return doing.stay('waiting', until, Math.min(until, rested));
}

export function lookAtWait(step: Wait, arrival: Arrival, doing: Doing): Stepped {
  const { state, world } = doing;
  const taken = findBranch(step, doing, arrival);
  if (taken !== undefined) return take(step, taken, doing);
  if (state.waitUntil === null || world.now < state.waitUntil) return doing.stayAsItIs();
  doing.note('branch', { code: 'timedOut', timeout: step.timeout.text });
  return doing.goOn(step.onTimeout);
}

/** In their order: an event that arrives can make a filter true as well. */
function findBranch({ branches }: Wait, doing: Doing, arrival?: Arrival): number | undefined {
  const index = branches.findIndex((branch) =>
    branch.kind === 'filter'
      ? doing.world.holds(branch.filter.path).holds
      : arrival?.kind === 'event' && isMeant(branch, arrival, doing),
  );
  return index < 0 ? undefined : index;
}

/** Acknowledged from when the step was reached to the timeout, however late it is looked at. */
function isMeant(
  { eventName, where }: Extract<WaitBranch, { kind: 'event' }>,
  arrival: Extract<Arrival, { kind: 'event' }>,
  { state }: Doing,
): boolean {
  const { event } = arrival;
  if (arrival.eventName !== eventName || event.at < state.stepAt) return false;
  if (state.waitUntil !== null && event.at > state.waitUntil) return false;
  // "Now" is when it was acknowledged, so that a slow day changes nothing.
  return where === undefined || where.holds(event, { now: event.at, entry: state.words.event });
}

function take({ branches }: Wait, index: number, doing: Doing): Stepped {
  const branch = branches[index] as WaitBranch;
  const at = { place: index + 1, of: branches.length };
  doing.note(
    'branch',
    branch.kind === 'event'
      ? { code: 'eventTaken', ...at, eventName: branch.eventName }
      : { code: 'filterTaken', ...at, filter: sayFilter(branch.filter) },
  );
  return doing.goOn(branch.next);
}
