// A filter in plain English: what previews, explanations and the console show.
import { splitNegation } from './negation.js';
import { sayEvent, saySequence } from './say-event.js';
import { sayTree } from './say-group.js';
import { isTimeTest, quote, sayMoment, sayTest } from './say-test.js';
import { number, sayHowMany } from './say-time.js';
import type { Names } from './subject.js';
import {
  type BucketCondition,
  type Condition,
  type ContactCondition,
  type Filter,
  isGroup,
  type ValueTest,
} from './tree.js';

/** One sentence for the filter, or for any group or condition in it. */
export function say(filter: Filter, names: Names = {}): string {
  if (isGroup(filter) && filter.of.length === 0) {
    return filter.kind === 'any' ? 'No contact matches.' : 'Every contact matches.';
  }
  const words = sayClause(filter, names, 'the contact');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

function sayClause(filter: Filter, names: Names, who: string): string {
  return sayTree<Condition>(filter, (condition) => sayCondition(condition, names, who));
}

function sayCondition(condition: Condition, names: Names, who: string): string {
  switch (condition.kind) {
    case 'property':
      return `${who}’s property ${quote(condition.key)} ${sayTest(condition.test)}`;
    case 'contact':
      return sayContact(condition, who);
    case 'userProperty':
      return sayOwned(`product user of ${who}`, `a property ${quote(condition.key)}`, condition.test);
    case 'orgProperty':
      return sayOwned(`organization of ${who}`, `a property ${quote(condition.key)}`, condition.test);
    case 'organization':
      return sayOwned(`organization of ${who}`, condition.field === 'name' ? 'a name' : 'an id', condition.test);
    case 'orgMembers': {
      const members = sayHowMany(condition.count, 'member', 'members');
      const where = sayClause(condition.where, names, 'the member');
      return `at least one organization of ${who} has ${members} for whom this is true: (${where})`;
    }
    case 'event':
      return sayEvent(condition, who);
    case 'sequence':
      return saySequence(condition, who);
    case 'staticList':
      return `${who} is in the static list ${nameOf(condition.listId, names.staticList)}`;
    case 'dynamicList':
      return `${who} is in the dynamic list ${nameOf(condition.listId, names.dynamicList)}`;
    case 'bucket':
      return sayBucket(condition, who);
    case 'registered':
      return `${who} ${condition.subject.say(condition.spec, names)}`;
  }
}

/** In quotes, or the id where it is not known. */
export function nameOf(id: string, find: ((id: string) => string | undefined) | undefined): string {
  const name = find?.(id);
  return name === undefined ? id : quote(name);
}

function sayContact({ field, test }: ContactCondition, who: string): string {
  if (field === 'email' || !isTimeTest(test)) return `${who}’s email address ${sayTest(test)}`;
  const isNot = test.op === 'notWithinLast';
  const done = field === 'createdAt' ? 'created' : isNot ? 'updated' : 'last updated';
  return `${who} ${isNot ? 'was not' : 'was'} ${done} ${sayMoment(test)}`;
}

/** Of several owners one will do; of a negative test, none may hold its positive one. */
function sayOwned(owner: string, what: string, test: ValueTest): string {
  const { positive, isNegative } = splitNegation(test);
  const owners = `${isNegative ? 'no' : 'at least one'} ${owner} has ${what}`;
  return positive.op === 'exists' ? owners : `${owners} that ${sayTest(positive)}`;
}

function sayBucket({ seed, of, from, to }: BucketCondition, who: string): string {
  const share = Math.round(((to - from + 1) / of) * 10_000) / 100;
  const buckets = from === to ? `bucket ${from}` : `buckets ${from} to ${to}`;
  return `${who} is in a fixed ${share}% of all contacts (${buckets} of ${number(of)}, with the seed ${quote(seed)})`;
}
