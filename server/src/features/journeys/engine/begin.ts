// What each kind of step does when it is begun.
import { journeyLimits } from '@rapport/contract';
import { assertNever } from '../../../lib/assert-never.js';
import { nextInWindow, zoneOf } from '../definition/calendar.js';
import type { Arm, Scalar, Step, Value } from '../definition/definition.js';
import { sayFilter } from '../definition/say-step.js';
import { bucketOf } from './bucket.js';
import { beginDelay } from './delay.js';
import type { Doing } from './doing.js';
import type { Stepped, Words } from './types.js';
import { beginWait } from './wait.js';

type Of<Type extends Step['type']> = Extract<Step, { type: Type }>;

/** How many journeys may start one another: the first, and nine after it. The eleventh of a chain is not started. */
export const mostInChain = journeyLimits.chain;
/** Of an enrolment: how many journeys were before it. */
export const longestChain = mostInChain - 1;

export function begin(step: Step, doing: Doing): Stepped {
  const { visit, restless = 0 } = doing.state;
  doing.change({ visit: visit + 1, stepAt: doing.world.now, restless: restless + 1 });
  switch (step.type) {
    case 'delay':
      return beginDelay(step, doing);
    case 'waitUntil':
      return beginWait(step, doing);
    case 'exit':
      doing.note('step');
      return doing.end({ as: 'exited', reason: step.reason ?? 'exit' });
    case 'startJourney':
      return startJourney(step, doing);
    default:
      doing.note('step');
      return act(step, doing);
  }
}

function act(step: Exclude<Step, { type: 'delay' | 'waitUntil' | 'startJourney' | 'exit' }>, doing: Doing): Stepped {
  switch (step.type) {
    case 'sendEmail':
      return sendEmail(step, doing);
    case 'branch':
      return branch(step, doing);
    case 'split':
      return split(step, doing);
    case 'updateProperty':
      return updateProperty(step, doing);
    case 'addToList':
    case 'removeFromList':
      return changeList(step, doing);
    case 'webhook':
      doing.add({ kind: 'webhook', stepId: step.id, visit: doing.state.visit });
      doing.note('webhook', { code: 'called', host: new URL(step.url).host });
      return doing.stay('calling', null);
    case 'emitEvent':
      doing.add({ kind: 'event', visit: doing.state.visit, eventName: step.eventName, properties: step.properties });
      doing.note('event', { code: 'emitted', eventName: step.eventName });
      return doing.stay('writing', null);
    default:
      return assertNever(step);
  }
}

function sendEmail({ id, emailId, transactional, next }: Of<'sendEmail'>, doing: Doing): Stepped {
  const { world, state } = doing;
  const { window } = doing.definition;
  const zone = window?.timeZone ?? zoneOf(world.properties, world.timeZone);
  const dueAt = window && !transactional && !state.isHoldout ? nextInWindow(window, zone, world.now) : world.now;
  doing.add({
    kind: 'message',
    stepId: id,
    visit: state.visit,
    emailId,
    isTransactional: transactional,
    dueAt,
    ...(Object.keys(state.arms).length > 0 ? { arms: state.arms } : {}),
    ...(state.isHoldout ? { skipped: 'holdout' as const } : {}),
  });
  const later = dueAt > world.now ? { until: dueAt } : {};
  doing.note('message', state.isHoldout ? { code: 'notSent', reason: 'holdout' } : { code: 'queued', ...later });
  return doing.goOn(next);
}

function branch({ cases, otherwise }: Of<'branch'>, doing: Doing): Stepped {
  const index = cases.findIndex(({ filter }) => doing.world.holds(filter.path).holds);
  const taken = cases[index];
  doing.note(
    'branch',
    taken === undefined
      ? { code: 'noCase' }
      : { code: 'caseTaken', place: index + 1, of: cases.length, filter: sayFilter(taken.filter) },
  );
  return doing.goOn(taken === undefined ? otherwise : taken.next);
}

function split({ id, arms }: Of<'split'>, doing: Doing): Stepped {
  const { world, state } = doing;
  const won = world.winnerOf(id);
  const winner = arms.find((arm) => arm.name === won?.arm);
  const bucket = bucketOf(`${world.journeyId}:${id}`, world.contactId, 100);
  const arm = winner ?? armOf(arms, bucket);
  doing.change({ arms: { ...state.arms, [id]: arm.name } });
  doing.note(
    'split',
    winner
      ? { code: 'armWon', arm: arm.name, isSignificant: won?.isSignificant ?? true }
      : { code: 'armTaken', arm: arm.name, bucket },
  );
  return doing.goOn(arm.next);
}

/** Arms have their buckets in their order, from 0 on. */
function armOf(arms: readonly Arm[], bucket: number): Arm {
  let end = 0;
  for (const arm of arms) {
    end += arm.percent;
    if (bucket < end) return arm;
  }
  throw new Error('The percents of a split do not sum to 100');
}

function updateProperty({ property, value, next }: Of<'updateProperty'>, doing: Doing): Stepped {
  const known = knownValue(value, doing.state.words);
  if (known === undefined) {
    doing.note('property', { code: 'noEntryValue', property });
    return doing.goOn(next);
  }
  doing.add({ kind: 'property', visit: doing.state.visit, property, value: known });
  doing.note('property', { code: 'propertySet', property, value: shortened(known) });
  return doing.stay('writing', null);
}

/** Undefined where the entry event has none there, or none that a property can be. */
function knownValue(value: Value, { event }: Words): Scalar | null | undefined {
  if ('value' in value) return value.value;
  let at: unknown = event;
  for (const key of value.entry) {
    if (typeof at !== 'object' || at === null || Array.isArray(at) || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<string, unknown>)[key];
  }
  return typeof at === 'string' || typeof at === 'number' || typeof at === 'boolean' ? at : undefined;
}

const mostShown = 60;

/** A timeline shows the beginning of a long text. */
function shortened(value: Scalar | null): Scalar | null {
  return typeof value === 'string' && value.length > mostShown ? `${value.slice(0, mostShown).toWellFormed()}…` : value;
}

function changeList(step: Of<'addToList' | 'removeFromList'>, doing: Doing): Stepped {
  const what = step.type === 'addToList' ? 'add' : 'remove';
  doing.add({ kind: 'list', staticListId: step.staticListId, what });
  doing.note('list', { code: what === 'add' ? 'listAdded' : 'listRemoved', staticListId: step.staticListId });
  return doing.goOn(step.next);
}

function startJourney({ journeyId, next }: Of<'startJourney'>, doing: Doing): Stepped {
  const chain = doing.state.chain + 1;
  if (chain > longestChain) {
    doing.note('step', { code: 'journeyNotStarted', journeyId, chain: mostInChain });
    return doing.goOn(next);
  }
  doing.add({ kind: 'journey', journeyId, chain });
  doing.note('step', { code: 'journeyStarted', journeyId });
  return doing.goOn(next);
}
