// What is told of a reach, in sentences for people. Pure.

import { type DataValue, type reachJourney as route, topicStateWords } from '@rapport/contract';
import { quote } from '../../filter-language/index.js';
import type { Entry } from '../definition/definition.js';

export type Reach = DataValue<typeof route>;
export type Counts = Pick<Reach, 'leftOut'> & { audience: number; enters: number; getsMail: number | null };
type LeftOut = Reach['leftOut'][number];

const plain = new Intl.NumberFormat('en-US');
const number = (n: number) => plain.format(n);
const contacts = (n: number) => (n === 1 ? '1 contact' : `${number(n)} contacts`);

const reasons: Record<LeftOut['reason'], (isOne: boolean, topics: readonly string[]) => string> = {
  reentry: (one) => `${one ? 'was' : 'were'} in the journey before and can’t enter again now`,
  holdout: (one) => `${one ? 'is' : 'are'} in the holdout group and ${one ? 'gets' : 'get'} no email`,
  unsubscribed: (one) => `${one ? 'has' : 'have'} unsubscribed`,
  bounced: (one) => `${one ? 'has an address' : 'have addresses'} that bounced`,
  complained: (one) => `${one ? 'has' : 'have'} reported email as spam`,
  manual: (one) => `${one ? 'was' : 'were'} suppressed manually`,
  topic: (one, topics) => `${one ? 'is' : 'are'} not subscribed to ${topics.map((name) => `“${name}”`).join(' or ')}`,
};

export function sayLeftOut(
  from: LeftOut['from'],
  reason: LeftOut['reason'],
  count: number,
  topics: readonly string[] = [],
): LeftOut {
  return { from, reason, count, text: `${contacts(count)} ${reasons[reason](count === 1, topics)}.` };
}

export function sayIncomplete(hasDefinition: boolean): string {
  return hasDefinition
    ? 'Who it reaches is not known yet: the journey is not complete. Check it to see what is missing.'
    : 'Who it reaches is not known yet: the journey has no steps.';
}

/** Why it cannot be known for an entry of this kind. */
export function sayUnknown(entry: Entry): string {
  const cannot = 'Who it reaches can’t be known in advance';
  if (entry.kind === 'date') return `${cannot}: contacts enter on their date in ${quote(entry.property)}.`;
  if (entry.kind === 'left') return `${cannot}: contacts enter when they leave the list.`;
  if (entry.kind === 'form') return `${cannot}: contacts enter when they submit the form.`;
  return `${cannot}: contacts enter when they are enrolled manually or by another journey.`;
}

export function sayReach(
  entry: Entry,
  { audience, enters, getsMail }: Counts,
  listName: string | undefined,
  isExact: boolean,
): string {
  const about = isExact ? '' : 'about ';
  const list = listName === undefined ? 'the list' : `“${listName}”`;
  const isBatch = entry.kind === 'batch';
  const could = isBatch ? 'can get' : 'could have gotten';
  const mail = getsMail === null ? '' : ` ${about}${number(getsMail)} of them ${could} email`;
  if (isBatch) {
    if (audience === 0) return `No one is in ${list} now, so no one would enter.`;
    const who = `Of ${about}${contacts(audience)} in ${list}, ${about}${number(enters)} would enter`;
    return `${who}${mail && `, and${mail}`}.`;
  }
  if (audience === 0) return `No contact ${whatCame(entry, list)} in the last 30 days.`;
  const who = `In the last 30 days, ${about}${contacts(audience)} ${whatCame(entry, list)}`;
  return `${who}: ${about}${number(enters)} would have entered${mail && `, and${mail}`}.`;
}

function whatCame(entry: Entry, list: string): string {
  if (entry.kind === 'event')
    return `did ${quote(entry.eventName)}${entry.where ? ' and met the entry conditions' : ''}`;
  if (entry.kind === 'joined') return `joined ${list} and stayed in it`;
  if (entry.kind === 'topic') return `became ${topicStateWords[entry.becomes]} the topic and stayed so`;
  return entry.kind === 'property' ? `had ${quote(entry.property)} changed` : 'were considered';
}
