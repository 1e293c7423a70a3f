// Events, sequences of them and the `where` over one, in words.
import { sayTree } from './say-group.js';
import { isTimeTest, quote, sayMoment, sayPath, sayTest } from './say-test.js';
import { sayCounted, sayDuration, sayHowMany, sayLast, sayWindow } from './say-time.js';
import type {
  EventCondition,
  EventFieldCondition,
  EventFilter,
  EventPropertyCondition,
  SequenceCondition,
  SequenceStep,
  ValueTest,
} from './tree.js';

/** A clause without a full stop, about `who`: "the contact". */
export function sayEvent({ name, measure, window, where }: EventCondition, who: string): string {
  const only = sayWhere(where);
  const when = sayWindow(window);
  const did = `did ${quote(name)}${only}`;
  const event = `${quote(name)} event${only}${when}`;
  switch (measure.of) {
    case 'count':
      return `${who} ${sayCounted({ count: measure.count, window }, did, `never ${did}`)}`;
    case 'distinct': {
      const values = sayHowMany(measure.count, 'different value', 'different values');
      return `${who} ${did} with ${values} of ${sayPath(measure.at)}${when}`;
    }
    case 'sum':
    case 'avg':
    case 'min':
    case 'max': {
      const events = `${quote(name)} events${only}${when}`;
      return `the ${figures[measure.of]} ${sayPath(measure.at)} of ${who}’s ${events} ${sayTest(measure.test)}`;
    }
    case 'first':
    case 'last':
      return `${who}’s ${measure.of} ${event} ${sayHappened(measure.test)}`;
    case 'latest':
      return `${sayPath(measure.at)} of ${who}’s latest ${event} ${sayTest(measure.test)}`;
  }
}
const figures = { sum: 'sum of', avg: 'average of', min: 'smallest', max: 'largest' };

function sayHappened(test: ValueTest): string {
  if (!isTimeTest(test)) return sayTest(test);
  return `${test.op === 'notWithinLast' ? 'did not happen' : 'happened'} ${sayMoment(test)}`;
}

export function saySequence({ steps, withinLast }: SequenceCondition, who: string): string {
  const [first, ...others] = steps.map(sayStep);
  const begin = withinLast ? ` ${sayLast(withinLast)}` : '';
  return `${who} did ${first}${begin}${others.map((step) => `, then ${step}`).join('')}`;
}

function sayStep({ name, where, within, not }: SequenceStep): string {
  const event = `${quote(name)}${sayWhere(where)}`;
  const soon = within ? ` within ${sayDuration(within)}` : '';
  return not ? `did not do ${event}${soon} after that` : `${event}${soon}`;
}

function sayWhere(where: EventFilter | undefined): string {
  return where ? ` (where ${sayTree(where, sayEventCondition)})` : '';
}

function sayEventCondition(condition: EventPropertyCondition | EventFieldCondition): string {
  if (condition.kind === 'eventProperty') return `${sayPath(condition.at)} ${sayTest(condition.test)}`;
  if (condition.field === 'eventDate') return `the event ${sayHappened(condition.test)}`;
  return `the event’s ${condition.field === 'userId' ? 'user id' : 'organization id'} ${sayTest(condition.test)}`;
}
