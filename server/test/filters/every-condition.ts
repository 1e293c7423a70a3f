// Every condition with every operator that it accepts, once: the types make sure that none is left out.
import { topicStates } from '@rapport/contract';
import type { Condition, Measure, ValueTest } from '../../src/features/filter-language/tree.js';
import type { Sent } from './interpreter-values.js';

type Op = ValueTest['op'];
const time = '2026-01-01';
const operands: Readonly<Record<Op, unknown>> = {
  ...{ is: 'pro', isNot: 'pro', hasEverBeen: 'trial', in: ['pro', 'team'], notIn: ['pro', 'team'] },
  ...{ contains: 'pr', notContains: 'pr', startsWith: 'pr', endsWith: 'ro', matches: 'p?o*', exists: true },
  ...{ lt: 20, lte: 20, gt: 20, gte: 20, between: [10, 20], before: time, after: time },
  ...{ withinLast: 'P30D', notWithinLast: 'P30D', withinNext: 'P365D' },
};
const every = Object.keys(operands) as Op[];
const onValues = every.filter((op) => op !== 'hasEverBeen');
const onText = ['is', 'isNot', 'in', 'notIn', 'contains', 'notContains', 'startsWith', 'endsWith', 'matches'] as const;
const onTimes = ['before', 'after', 'withinLast', 'notWithinLast', 'withinNext'] as const;

/** A property suitable for the operator. */
function keyFor(op: Op): string {
  if ((onTimes as readonly Op[]).includes(op)) return 'renewal';
  return ['lt', 'lte', 'gt', 'gte', 'between'].includes(op) ? 'seats' : 'plan';
}
const asking = (subject: Sent, ops: readonly Op[]) => ops.map((op): Sent => ({ ...subject, [op]: operands[op] }));
const askingKeys = (name: string, ops: readonly Op[]) =>
  ops.map((op): Sent => ({ [name]: keyFor(op), [op]: operands[op] }));

const counts: readonly Sent[] = [{}, { atLeast: 2 }, { atMost: 1 }, { atLeast: 1, atMost: 2 }, { exactly: 0 }];
const windows: readonly Sent[] = [{}, { withinLast: 'P30D' }, { from: time }];
const numbers = ['lt', 'lte', 'gt', 'gte', 'between'] as const;
const sums: readonly Sent[] = [...asking({ of: 'total' }, numbers), { of: 'total', is: 5 }];
const measures: Readonly<Record<Measure['of'], readonly Sent[]>> = {
  count: counts.flatMap((count) => windows.map((window) => ({ ...count, ...window }))),
  distinct: counts.map((count) => ({ of: 'total', ...count })),
  sum: sums,
  avg: sums,
  min: sums,
  max: sums,
  first: asking({}, ['before', 'after', 'withinLast', 'notWithinLast']),
  last: asking({}, ['before', 'after', 'withinLast', 'notWithinLast']),
  latest: asking(
    { of: 'total' },
    onValues.filter((op) => op !== 'withinLast'),
  ),
};
const onEvents = Object.entries(measures).flatMap(([measure, all]) =>
  all.map((asked): Sent => ({ event: 'login', measure, ...asked })),
);
const eventFields = [
  ...asking({ eventProperty: 'total' }, onValues),
  ...['userId', 'orgId'].flatMap((eventField) => asking({ eventField }, [...onText, 'exists'])),
  ...asking({ eventField: 'eventDate' }, onTimes),
];

interface Names {
  readonly staticListId: string;
  readonly dynamicListId: string;
  readonly journeyId: string;
  readonly emailId: string;
  readonly topicId: string;
}

/** By the kind of condition; those that another feature provides are `registered`. */
export function everyCondition({ staticListId, dynamicListId, journeyId, emailId, topicId }: Names): Sent[] {
  const kinds: Readonly<Record<Exclude<Condition['kind'], 'orgMembers'>, readonly Sent[]>> = {
    property: askingKeys('property', every),
    contact: [
      ...asking({ contact: 'email' }, onText),
      ...['createdAt', 'updatedAt'].flatMap((contact) => asking({ contact }, onTimes)),
    ],
    userProperty: askingKeys('userProperty', onValues),
    orgProperty: askingKeys('orgProperty', onValues),
    organization: ['orgId', 'name'].flatMap((organization) => asking({ organization }, onValues)),
    event: [...onEvents, ...eventFields.map((where): Sent => ({ event: 'login', where }))],
    sequence: [
      { sequence: [{ event: 'login' }, { event: 'export', within: 'P14D' }] },
      { sequence: [{ event: 'login' }, { event: 'export', within: 'P14D', not: true }], withinLast: 'P30D' },
    ],
    staticList: [{ staticListId }],
    dynamicList: [{ dynamicListId }],
    bucket: [{ bucket: { seed: 's', of: 100, from: 0, to: 49 } }],
    registered: [
      ...counts.flatMap((count) => windows.map((window): Sent => ({ marketing: 'opened', ...count, ...window }))),
      { marketing: 'clicked', emailId, journeyId, linkUrl: 'https://x.test/', machine: true },
      { unsubscribed: true },
      ...topicStates.flatMap((state): Sent[] => [
        { topic: topicId, is: state },
        { topic: topicId, isNot: state },
      ]),
      ...['entered', 'inProgress', 'completed', 'exited', 'goalReached'].map((state): Sent => ({ journeyId, state })),
    ],
  };
  return Object.values(kinds).flat();
}
