// What is told of a reach, in sentences for people. Pure.
import type { DataValue, reachJourney as route } from '@rapport/contract';
import { quote } from '../../dynamic-lists/index.js';
import type { Entry } from '../definition/definition.js';

export type Reach = DataValue<typeof route>;
export type Counts = Pick<Reach, 'leftOut'> & { audience: number; enters: number; getsMail: number | null };
type LeftOut = Reach['leftOut'][number];

const plain = new Intl.NumberFormat('en-US');
const number = (n: number) => plain.format(n);
const contacts = (n: number) => (n === 1 ? '1 contact' : `${number(n)} contacts`);

const reasons: Record<LeftOut['reason'], (isOne: boolean) => string> = {
  reentry: (one) => `${one ? 'was' : 'were'} in the journey before and may not enter again now`,
  holdout: (one) => `${one ? 'is' : 'are'} in the holdout and ${one ? 'gets' : 'get'} no mail, to compare`,
  unsubscribed: (one) => `${one ? 'has' : 'have'} unsubscribed`,
  bounced: (one) => `${one ? 'has an address' : 'have addresses'} that mail came back from`,
  complained: (one) => `${one ? 'has' : 'have'} complained about mail`,
  manual: (one) => `${one ? 'was' : 'were'} suppressed by somebody`,
};

export function sayLeftOut(from: LeftOut['from'], reason: LeftOut['reason'], count: number): LeftOut {
  return { from, reason, count, text: `${contacts(count)} ${reasons[reason](count === 1)}.` };
}

export function sayIncomplete(hasDefinition: boolean): string {
  return hasDefinition
    ? 'Whom it reaches cannot be known: the definition is not complete. Check it to see what is wrong.'
    : 'Whom it reaches cannot be known: the journey has no definition yet.';
}

/** Why it cannot be known for an entry of this kind. */
export function sayUnknown(entry: Entry): string {
  const cannot = 'Whom it reaches cannot be known before';
  if (entry.kind === 'date') return `${cannot}: contacts enter as the date of ${quote(entry.property)} comes for each.`;
  if (entry.kind === 'left') return `${cannot}: contacts enter as they leave the list.`;
  return `${cannot}: contacts enter as somebody enrols them, or as another journey starts this one.`;
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
  const could = isBatch ? 'may' : 'could have';
  const mail = getsMail === null ? '' : ` ${about}${number(getsMail)} of them ${could} ${isBatch ? 'get' : 'got'} mail`;
  if (isBatch) {
    const who = `Of ${about}${contacts(audience)} in ${list}, ${about}${number(enters)} would enter`;
    return `${who}${mail && `, and${mail}`}.`;
  }
  const who = `In the last 30 days, ${about}${contacts(audience)} ${whatCame(entry, list)}`;
  return `${who}: ${about}${number(enters)} would have entered${mail && `, and${mail}`}.`;
}

function whatCame(entry: Entry, list: string): string {
  if (entry.kind === 'event') return `did ${quote(entry.eventName)}${entry.where ? ' as the entry asks' : ''}`;
  if (entry.kind === 'joined') return `joined ${list} and stayed in it`;
  return entry.kind === 'property' ? `had ${quote(entry.property)} changed so` : 'came into question';
}
