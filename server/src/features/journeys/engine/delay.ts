import { nextAt, timeIn, zoneOf } from '../definition/calendar.js';
import type { Step } from '../definition/definition.js';
import type { Fact } from '../timeline/fact.js';
import { shareOf } from './bucket.js';
import type { Doing } from './doing.js';
import type { State, Stepped, World } from './types.js';

type Delay = Extract<Step, { type: 'delay' }>;

/** A circle whose waits all end at once comes round again after this: nobody gets the same mail many times in a second. */
export const restMs = 3_600_000;

/** Until when a delay lasts that began at a time; or why it does not last at all. */
export function delayFrom(step: Delay, from: number, visit: number, world: World): number | Fact {
  const until = baseOf(step, from, world);
  if (typeof until !== 'number' || step.spread === undefined) return until;
  // Chance, but the same when it is computed again.
  return until + Math.floor(step.spread.ms * shareOf(world.enrolmentId, step.id, visit));
}

function baseOf({ until }: Delay, from: number, { properties, timeZone }: World): number | Fact {
  if (until.kind === 'for') return from + until.duration.ms;
  if (until.kind === 'time') return nextAt(until.at, until.days, zoneOf(properties, timeZone), from);
  const time = timeIn(properties, until.property);
  if (time === undefined) return { code: 'noTime', property: until.property };
  const moment = time + until.offset;
  return moment > from ? moment : { code: 'timePassed', time: moment };
}

export function beginDelay(step: Delay, doing: Doing): Stepped {
  const { world, state } = doing;
  const until = delayFrom(step, world.now, state.visit, world);
  if (typeof until === 'number') {
    doing.note('step');
    doing.note('waiting', { code: 'waits', until });
    return doing.stay('waiting', until);
  }
  doing.note('step', until);
  if (!isRestless(state, doing)) return doing.goOn(step.next);
  const rested = world.now + restMs;
  doing.note('waiting', { code: 'rests', until: rested });
  return doing.stay('waiting', rested);
}

/** Whether it has come round in a circle without waiting anywhere: more steps than there are. */
export function isRestless(state: State, { definition }: Doing): boolean {
  return (state.restless ?? 0) > definition.steps.length;
}
