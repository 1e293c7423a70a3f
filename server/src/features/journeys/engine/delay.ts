import { nextAt, timeIn, zoneOf } from '../definition/calendar.js';
import type { Step } from '../definition/definition.js';
import { shareOf } from './bucket.js';
import type { Doing } from './doing.js';
import type { State, Stepped, World } from './types.js';

type Delay = Extract<Step, { type: 'delay' }>;

/** A circle whose waits all end at once comes round again after this: nobody gets the same mail many times in a second. */
export const restMs = 3_600_000;

/** Until when a delay lasts that began at a time; or why it does not last at all. */
export function delayFrom(step: Delay, from: number, visit: number, world: World): number | string {
  const until = baseOf(step, from, world);
  if (typeof until === 'string' || step.spread === undefined) return until;
  // Chance, but the same when it is computed again.
  return until + Math.floor(step.spread.ms * shareOf(world.enrolmentId, step.id, visit));
}

function baseOf({ until }: Delay, from: number, { properties, timeZone }: World): number | string {
  if (until.kind === 'for') return from + until.duration.ms;
  if (until.kind === 'time') return nextAt(until.at, until.days, zoneOf(properties, timeZone), from);
  const time = timeIn(properties, until.property);
  if (time === undefined) return `No time in ${JSON.stringify(until.property)}: goes on at once.`;
  const moment = time + until.offset;
  return moment > from ? moment : `${instant(moment)} has passed: goes on at once.`;
}

export function beginDelay(step: Delay, doing: Doing): Stepped {
  const { world, state } = doing;
  const until = delayFrom(step, world.now, state.visit, world);
  if (typeof until === 'number') {
    doing.note('step');
    doing.note('waiting', `Waits until ${instant(until)}.`);
    return doing.stay('waiting', until);
  }
  if (!isRestless(state, doing)) {
    doing.note('step', until);
    return doing.goOn(step.next);
  }
  doing.note('step', until);
  doing.note('waiting', sayRest(world.now));
  return doing.stay('waiting', world.now + restMs);
}

/** Whether it has come round in a circle without waiting anywhere: more steps than there are. */
export function isRestless(state: State, { definition }: Doing): boolean {
  return (state.restless ?? 0) > definition.steps.length;
}

export function sayRest(now: number): string {
  return `It came round in a circle without waiting anywhere: rests until ${instant(now + restMs)}.`;
}

/** As the API writes times. Those that no clock shows have no such form. */
export function instant(at: number): string {
  return Math.abs(at) <= 8.64e15 ? new Date(at).toISOString() : 'a time beyond all clocks';
}
