// What each kind of step does when it is begun.
import { journeyLimits, type StepType } from '@rapport/contract';
import { nextInWindow, zoneOf } from '../definition/calendar.js';
import type { Arm, Scalar, Step, Value } from '../definition/definition.js';
import { sayFilter } from '../definition/say-step.js';
import { bucketOf } from './bucket.js';
import { beginDelay } from './delay.js';
import type { StepPlan } from './plan.js';
import type { Arrival, Stepped, Words } from './types.js';
import { beginWait } from './wait.js';

type Of<Type extends Step['type']> = Extract<Step, { type: Type }>;

/** How many journeys may start one another: the first, and nine after it. The eleventh of a chain is not started. */
export const mostInChain = journeyLimits.chain;
/** Of an enrolment: how many journeys were before it. */
export const longestChain = mostInChain - 1;

/** What each type does. Those that do not note the step by themselves are `noted`. */
const begins: {
  readonly [Type in StepType]: (step: Step & { readonly type: Type }, plan: StepPlan, arrival: Arrival) => Stepped;
} = {
  sendEmail: noted(sendEmail),
  delay: beginDelay,
  waitUntil: beginWait,
  branch: noted(branch),
  split: noted(split),
  updateProperty: noted(updateProperty),
  addToList: noted(changeList),
  removeFromList: noted(changeList),
  setTopic: ({ topicId, state, next }, plan) => {
    plan.add({ kind: 'topic', visit: plan.state.visit, topicId, state });
    plan.note('step', { code: 'topicSet', topicId, state });
    return plan.goOn(next);
  },
  webhook: noted((step, plan) => {
    plan.add({ kind: 'webhook', stepId: step.id, visit: plan.state.visit });
    plan.note('webhook', { code: 'called', host: new URL(step.url).host });
    return plan.stay('calling', null);
  }),
  emitEvent: noted((step, plan) => {
    plan.add({ kind: 'event', visit: plan.state.visit, eventName: step.eventName, properties: step.properties });
    plan.note('event', { code: 'emitted', eventName: step.eventName });
    return plan.stay('writing', null);
  }),
  startJourney,
  leaveJourney: ({ journeyId, next }, plan) => {
    plan.add({ kind: 'leave', journeyId });
    plan.note('step', { code: 'journeyLeft', journeyId });
    return plan.goOn(next);
  },
  exit: noted((step, plan) => plan.end({ as: 'exited', reason: step.reason ?? 'exit' })),
};

/** `arrival`: what may be an event that a first step waits for, and that came before it was begun. */
export function begin(step: Step, plan: StepPlan, arrival: Arrival): Stepped {
  const { visit, restless = 0 } = plan.state;
  plan.change({ visit: visit + 1, stepAt: plan.context.now, restless: restless + 1 });
  return (begins[step.type] as (step: Step, plan: StepPlan, arrival: Arrival) => Stepped)(step, plan, arrival);
}

function noted<One extends Step>(act: (step: One, plan: StepPlan) => Stepped): (step: One, plan: StepPlan) => Stepped {
  return (step, plan) => {
    plan.note('step');
    return act(step, plan);
  };
}

function sendEmail({ id, emailId, transactional, next }: Of<'sendEmail'>, plan: StepPlan): Stepped {
  const { context, state } = plan;
  const { window } = plan.definition;
  const zone = window?.timeZone ?? zoneOf(context.properties, context.timeZone);
  const dueAt = window && !transactional && !state.isHoldout ? nextInWindow(window, zone, context.now) : context.now;
  plan.add({
    kind: 'message',
    stepId: id,
    visit: state.visit,
    emailId,
    isTransactional: transactional,
    dueAt,
    ...(Object.keys(state.arms).length > 0 ? { arms: state.arms } : {}),
    ...(state.isHoldout ? { skipped: 'holdout' as const } : {}),
  });
  const later = dueAt > context.now ? { until: dueAt } : {};
  plan.note('message', state.isHoldout ? { code: 'notSent', reason: 'holdout' } : { code: 'queued', ...later });
  return plan.goOn(next);
}

function branch({ cases, otherwise }: Of<'branch'>, plan: StepPlan): Stepped {
  const index = cases.findIndex(({ filter }) => plan.context.holds(filter.path).holds);
  const taken = cases[index];
  plan.note(
    'branch',
    taken === undefined
      ? { code: 'noCase' }
      : { code: 'caseTaken', place: index + 1, of: cases.length, filter: sayFilter(taken.filter) },
  );
  return plan.goOn(taken === undefined ? otherwise : taken.next);
}

function split({ id, arms }: Of<'split'>, plan: StepPlan): Stepped {
  const { context, state } = plan;
  const won = context.winnerOf(id);
  const winner = arms.find((arm) => arm.name === won?.arm);
  const bucket = bucketOf(`${context.journeyId}:${id}`, context.contactId, 100);
  const arm = winner ?? armOf(arms, bucket);
  plan.change({ arms: { ...state.arms, [id]: arm.name } });
  plan.note(
    'split',
    winner
      ? { code: 'armWon', arm: arm.name, isSignificant: won?.isSignificant ?? true }
      : { code: 'armTaken', arm: arm.name, bucket },
  );
  return plan.goOn(arm.next);
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

function updateProperty({ property, value, next }: Of<'updateProperty'>, plan: StepPlan): Stepped {
  const known = knownValue(value, plan.state.words);
  if (known === undefined) {
    plan.note('property', { code: 'noEntryValue', property });
    return plan.goOn(next);
  }
  plan.add({ kind: 'property', visit: plan.state.visit, property, value: known });
  plan.note('property', { code: 'propertySet', property, value: shortened(known) });
  return plan.stay('writing', null);
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

function changeList(step: Of<'addToList' | 'removeFromList'>, plan: StepPlan): Stepped {
  const what = step.type === 'addToList' ? 'add' : 'remove';
  plan.add({ kind: 'list', staticListId: step.staticListId, what });
  plan.note('list', { code: what === 'add' ? 'listAdded' : 'listRemoved', staticListId: step.staticListId });
  return plan.goOn(step.next);
}

function startJourney({ journeyId, next }: Of<'startJourney'>, plan: StepPlan): Stepped {
  const chain = plan.state.chain + 1;
  if (chain > longestChain) {
    plan.note('step', { code: 'journeyNotStarted', journeyId, chain: mostInChain });
    return plan.goOn(next);
  }
  plan.add({ kind: 'journey', journeyId, chain });
  plan.note('step', { code: 'journeyStarted', journeyId });
  return plan.goOn(next);
}
