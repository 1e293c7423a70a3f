import type { TimelineFact } from '@rapport/contract';
import { momentOf } from '../../../lib/zoned-time.js';
import { nextAt, timeIn, zoneOf } from '../definition/calendar.js';
import type { Step } from '../definition/definition.js';
import { shareOf } from './bucket.js';
import type { StepPlan } from './plan.js';
import type { State, StepContext, Stepped } from './types.js';

type Delay = Extract<Step, { type: 'delay' }>;

/** A circle whose waits all end at once comes round again after this: no contact gets the same mail many times in a second. */
export const restMs = 3_600_000;

/** Until when a delay lasts that began at a time; or why it does not last at all. */
export function delayFrom(step: Delay, from: number, visit: number, context: StepContext): number | TimelineFact {
  const until = baseOf(step, from, context);
  if (typeof until !== 'number' || step.spread === undefined) return until;
  // Chance, but the same when it is computed again.
  return until + Math.floor(step.spread.ms * shareOf(context.enrolmentId, step.id, visit));
}

function baseOf({ until }: Delay, from: number, { properties, timeZone }: StepContext): number | TimelineFact {
  if (until.kind === 'for') return from + until.duration.ms;
  if (until.kind === 'time') return nextAt(until.at, until.days, zoneOf(properties, timeZone), from);
  if (until.kind === 'local') return ahead(momentOf(until.at, zoneOf(properties, timeZone)), from);
  const time = timeIn(properties, until.property);
  if (time === undefined) return { code: 'noTime', property: until.property };
  return ahead(time + until.offset, from);
}

function ahead(moment: number, from: number): number | TimelineFact {
  return moment > from ? moment : { code: 'timePassed', time: moment };
}

export function beginDelay(step: Delay, plan: StepPlan): Stepped {
  const { context, state } = plan;
  const until = delayFrom(step, context.now, state.visit, context);
  if (typeof until === 'number') {
    plan.note('step');
    plan.note('waiting', { code: 'waits', until });
    return plan.stay('waiting', until);
  }
  plan.note('step', until);
  if (!isRestless(state, plan)) return plan.goOn(step.next);
  const rested = context.now + restMs;
  plan.note('waiting', { code: 'rests', until: rested });
  return plan.stay('waiting', rested);
}

/** Whether it has come round in a circle without waiting anywhere: more steps than there are. */
export function isRestless(state: State, { definition }: StepPlan): boolean {
  return (state.restless ?? 0) > definition.steps.length;
}
