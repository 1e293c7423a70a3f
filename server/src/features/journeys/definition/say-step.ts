// A step in one line, for timelines and the console.

import { assetFields, stepRow } from '@rapport/contract';
import { assertNever } from '../../../lib/assert-never.js';
import { type Duration, type Filter, quote, say, sayScalar } from '../../filter-language/index.js';
import type { DelayUntil, PlainStep, Step, Value, WaitBranch } from './definition.js';

const said = new WeakMap<Filter, string>();
const mostShown = 200;

/** A filter in words, cut where it is long: it stands in every timeline that passed it. */
export function sayFilter(filter: Filter): string {
  let words = said.get(filter);
  if (words === undefined) {
    const whole = say(filter);
    words = whole.length > mostShown ? `${whole.slice(0, mostShown).toWellFormed()}…` : whole;
    said.set(filter, words);
  }
  return words;
}

/** What it is called in a sentence. */
export function callStep({ id, name }: Pick<Step, 'id' | 'name'>): string {
  return quote(name ?? id);
}

export function sayStep(step: Step): string {
  switch (step.type) {
    case 'delay':
      return `Waits ${sayUntil(step.until)}${step.spread ? ` plus a random delay of up to ${step.spread.text}` : ''}.`;
    case 'waitUntil':
      return `Waits for ${step.branches.map(sayBranch).join(', or for ')}; ${step.timeout.text} at most.`;
    case 'branch':
      return `Takes the first of ${count(step.cases.length, 'case')} that is true.`;
    case 'split':
      return `Splits: ${step.arms.map((arm) => `${quote(arm.name)} ${arm.percent}%`).join(', ')}.`;
    case 'updateProperty':
      return sayUpdate(step.property, step.value);
    case 'webhook':
      return `Calls ${step.method} ${new URL(step.url).host}.`;
    case 'emitEvent':
      return `Emits the event ${quote(step.eventName)}.`;
    case 'exit':
      return step.reason === undefined ? 'Leaves the journey.' : `Leaves the journey: ${quote(step.reason)}.`;
    case 'setTopic':
      return step.state === 'subscribed'
        ? `Subscribes the contact to the topic ${step.topicId}.`
        : `Unsubscribes the contact from the topic ${step.topicId}.`;
    default:
      return sayPlain(step);
  }
}

function sayPlain(step: Exclude<PlainStep, { type: 'setTopic' }>): string {
  const ids = assetFields(step.type).map(([field]) => step[field as keyof typeof step]);
  const how = 'transactional' in step && step.transactional ? ' as a transactional one' : '';
  return `${stepRow(step.type).says} ${ids.join(', ')}${how}.`;
}

function count(many: number, what: string): string {
  return `${many} ${what}${many === 1 ? '' : 's'}`;
}

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

function sayUntil(until: DelayUntil): string {
  switch (until.kind) {
    case 'for':
      return until.duration.text;
    case 'time': {
      const days = until.days.length === 7 ? '' : ` on ${until.days.map((day) => weekdays[day - 1]).join(', ')}`;
      return `until ${clock(until.at)}${days}`;
    }
    case 'local':
      return `until ${new Date(until.at).toISOString().slice(0, 16).replace('T', ' ')} in the contact’s time zone`;
    case 'property':
      return `until the time in ${quote(until.property)}${sayOffset(until.offset)}`;
    default:
      return assertNever(until);
  }
}

function clock(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
}

const units = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1000, 'second'],
] as const;

function sayOffset(offset: Duration['ms']): string {
  let rest = Math.abs(offset);
  const parts = units.flatMap(([length, unit]) => {
    const many = Math.floor(rest / length);
    rest -= many * length;
    return many === 0 ? [] : [count(many, unit)];
  });
  return parts.length === 0 ? '' : ` ${offset < 0 ? 'minus' : 'plus'} ${parts.join(' ')}`;
}

function sayBranch(branch: WaitBranch): string {
  if (branch.kind === 'event') return `the event ${quote(branch.eventName)}`;
  const words = sayFilter(branch.filter).replace(/\.$/, '');
  return `this to be true: ${words}`;
}

function sayUpdate(property: string, value: Value): string {
  if ('entry' in value) return `Sets ${quote(property)} to ${value.entry.map(quote).join(' → ')} of the entry event.`;
  return value.value === null ? `Removes ${quote(property)}.` : `Sets ${quote(property)} to ${sayScalar(value.value)}.`;
}
