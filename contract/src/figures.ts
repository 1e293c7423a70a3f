// The numbers of statistics, each with its meaning, and the window that they are asked for.
import { Type } from 'typebox';
import { choice, type Params } from './params.js';
import { Named } from './schema.js';

const count = (description: string) => Type.Integer({ minimum: 0, description });

/** What came of messages. Tests are never counted. */
export const statsCounts = {
  sent: count('Messages that a mail server accepted, or refused for good, by the time of its answer.'),
  delivered: count(
    'Messages that arrived: by the time of the provider’s report, if there is one and no bounce came after it; else accepted by SMTP and not bounced since, by the time they were sent.',
  ),
  opened: count('Opens by people. A message may be opened often.'),
  uniqueOpened: count('Messages by the time of their first open by a person.'),
  clicked: count('Clicks by people.'),
  uniqueClicked: count('Messages by the time of their first click by a person.'),
  bounced: count('Messages that bounced, hard and soft together.'),
  hardBounced: count(
    'Messages that bounced permanently, by the time of the bounce. One that had bounced temporarily before is counted only here.',
  ),
  softBounced: count('Messages that bounced temporarily, by the time of the bounce.'),
  unsubscribed: count('Messages that led to an unsubscribe, by the time of the first one.'),
  complained: count('Messages that a recipient complained about.'),
  failed: count('Messages that never left, by the time they were given up.'),
  machineOpened: count('Opens by programs, such as the proxies of mail readers.'),
  machineClicked: count('Clicks by programs, such as scanners of links.'),
};
export type CountName = keyof typeof statsCounts;
export const countNames = Object.keys(statsCounts) as CountName[];

const rate = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });
export const Rates = Named(
  'Rates',
  {
    deliveryRate: rate('delivered / sent'),
    openRate: rate('uniqueOpened / delivered'),
    clickRate: rate('uniqueClicked / delivered'),
    clickToOpenRate: rate(
      'uniqueClicked / uniqueOpened; here, and only here, messages that were clicked without a recorded open count as opened.',
    ),
    bounceRate: rate('bounced / sent'),
    unsubscribeRate: rate('unsubscribed / delivered'),
  },
  'Each from 0 to 1, and 0 if there is nothing to divide by. What happened in the window is divided by what was sent or delivered in it, capped at 1.',
);

/** For every read of statistics. */
export const statsWindow = {
  startTime: { kind: 'instant', repeatable: false, description: 'Count what happened at this time or later.' },
  endTime: {
    kind: 'instant',
    repeatable: false,
    description: 'Count what happened until this time, the millisecond included.',
  },
} as const satisfies Params;

export const statsInterval = choice(['hour', 'day'], 'The length of a part of `series`, in UTC; a day by default.');

/** The counts of an example, all but the given ones 0. */
export function exampleCounts(some: Partial<Record<CountName, number>>): Record<CountName, number> {
  return { ...(Object.fromEntries(countNames.map((name) => [name, 0])) as Record<CountName, number>), ...some };
}
