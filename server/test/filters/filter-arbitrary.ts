// Filters of every form, as a client would send them.
import { topicStates } from '@rapport/contract';
import fc from 'fast-check';
import * as of from './alphabets.js';
import type { Sent } from './interpreter-values.js';
import { timeOf } from './interpreter-values.js';

const low = <T>(compare: (one: T, other: T) => number, [one, other]: [T, T]): [T, T] =>
  compare(one, other) <= 0 ? [one, other] : [other, one];
const span = fc.tuple(of.number, of.number).map((pair) => low((one, other) => one - other, pair));
const period = fc
  .tuple(of.time, of.time)
  .map((pair) => low((one, other) => (timeOf(one) as number) - (timeOf(other) as number), pair));

const operator = (name: string, operand: fc.Arbitrary<unknown>) => operand.map((value): Sent => ({ [name]: value }));
const several = (names: readonly string[], operand: fc.Arbitrary<unknown>) =>
  fc.oneof(...names.map((name) => operator(name, operand)));

const wildcards = fc
  .tuple(of.someText, fc.nat(9), fc.constantFrom('*', '?', '**', '*?', '_', '%', '\\'))
  .map(([text, at, wild]) => [...text].toSpliced(at, 1, wild).join(''))
  // A sentence with the word "null" counts as having a gap, except where it quotes exactly that.
  .filter((text) => !/null|undefined|NaN/.test(text));
const onText = fc.oneof(
  several(['contains', 'notContains', 'startsWith', 'endsWith', 'matches'], of.someText),
  operator('matches', wildcards),
);
const exists = operator('exists', fc.boolean());
const onNumber = fc.oneof(several(['lt', 'lte', 'gt', 'gte'], of.number), operator('between', span));
const onTime = fc.oneof(
  several(['before', 'after'], of.time),
  several(['withinLast', 'notWithinLast', 'withinNext'], of.duration),
);
const equals = (operand: fc.Arbitrary<unknown>) =>
  fc.oneof(
    several(['is', 'isNot'], operand),
    several(['in', 'notIn'], fc.array(operand, { minLength: 1, maxLength: 4 })),
  );
const onValue = fc.oneof(equals(of.scalar), onText, exists, onNumber, onTime, onTime);

/** A condition of a subject with one of its operators. */
const asking = (subject: fc.Arbitrary<Sent>, ...operators: fc.Arbitrary<Sent>[]) =>
  fc.tuple(subject, fc.oneof(...operators)).map(([one, other]): Sent => ({ ...one, ...other }));
const subject = (name: string, key: fc.Arbitrary<unknown>) => operator(name, key);

/** Any operator on anything, and often one that suits the value. */
const suiting = (name: string, any: fc.Arbitrary<unknown>, words: unknown[], numbers: unknown[], times: unknown[]) =>
  fc.oneof(
    asking(subject(name, any), onValue),
    asking(subject(name, any), onValue),
    asking(subject(name, fc.constantFrom(...words)), equals(of.text), onText),
    asking(subject(name, fc.constantFrom(...numbers)), onNumber),
    asking(subject(name, fc.constantFrom(...times)), onTime),
  );
const onProperty = (name: string) => suiting(name, of.propertyKey, ['plan'], ['n'], ['seen_at']);
const onEventProperty = suiting('eventProperty', of.eventPath, of.textPaths, of.numberPaths, of.timePaths);

const aboutContact = fc.oneof(
  onProperty('property'),
  onProperty('property'),
  asking(subject('property', of.propertyKey), operator('hasEverBeen', of.scalar)),
  asking(
    subject('contact', fc.constant('email')),
    equals(
      fc.oneof(fc.constantFrom(...of.emails), fc.constantFrom('A@X.TEST', 'STRASSE@x.test', 'Straße@X.test'), of.text),
    ),
    several(
      ['contains', 'notContains', 'startsWith', 'endsWith'],
      fc.oneof(of.someText, fc.constantFrom('X.TEST', '@', 'A')),
    ),
  ),
  asking(subject('contact', fc.constantFrom('createdAt', 'updatedAt')), onTime),
);
const aboutUsers = fc.oneof(
  onProperty('userProperty'),
  onProperty('orgProperty'),
  asking(
    subject('organization', fc.constantFrom('orgId', 'name')),
    equals(fc.oneof(fc.constantFrom<string>(...of.orgIds), of.text)),
    onText,
    onValue,
  ),
);
const aboutMembership = fc.oneof(
  asking(subject('topic', fc.constantFrom(...of.topicIds)), several(['is', 'isNot'], fc.constantFrom(...topicStates))),
  subject('staticListId', fc.constantFrom(...of.staticListIds)),
  subject('dynamicListId', fc.constantFrom(...of.dynamicListIds)),
  fc
    .tuple(
      fc.constantFrom('', 'seed', 'Seed ß'),
      fc.constantFrom(1, 2, 3, 100, 10_000),
      fc.nat({ max: 9999 }),
      fc.nat({ max: 9999 }),
    )
    .map(([seed, total, one, other]): Sent => {
      const [from, to] = low((a, b) => a - b, [one % total, other % total]);
      return { bucket: { seed: `${seed}s`, of: total, from, to } };
    }),
);

/** Groups nested a little; the language allows ten deep. */
function nested(condition: fc.Arbitrary<Sent>, maxLength: number): fc.Arbitrary<Sent> {
  const { filter } = fc.letrec<{ filter: Sent }>((tie) => ({
    filter: fc.oneof(
      { maxDepth: 3, depthSize: 'small', withCrossShrink: true },
      { weight: 3, arbitrary: condition },
      { weight: 1, arbitrary: several(['all', 'any', 'none'], fc.array(tie('filter'), { maxLength })) },
    ),
  }));
  return filter;
}

const onId = (ids: readonly string[]) => fc.oneof(equals(fc.oneof(fc.constantFrom(...ids), of.text)), onText, exists);
export const eventWhere = nested(
  fc.oneof(
    onEventProperty,
    onEventProperty,
    onEventProperty,
    asking(subject('eventField', fc.constant('userId')), onId(of.userIds)),
    asking(subject('eventField', fc.constant('orgId')), onId(of.orgIds)),
    asking(subject('eventField', fc.constant('eventDate')), onTime),
  ),
  3,
);

const howMany = fc.oneof(
  fc.constant<Sent>({}),
  several(['atLeast', 'atMost'], fc.nat({ max: 3 })),
  operator('exactly', fc.nat({ max: 3 })),
  fc
    .tuple(fc.nat({ max: 3 }), fc.nat({ max: 3 }))
    .map(([one, other]): Sent => ({ atLeast: Math.min(one, other), atMost: Math.max(one, other) })),
);
const always: fc.Arbitrary<Sent> = fc.constant({});
const fromTo = fc.oneof(
  several(['from', 'to'], of.time),
  period.map(([from, to]): Sent => ({ from, to })),
);
const anyWindow = fc.oneof(
  { weight: 3, arbitrary: always },
  { weight: 3, arbitrary: operator('withinLast', of.duration) },
  { weight: 1, arbitrary: fromTo },
);
const notTime = fc.oneof(equals(of.scalar), onText, exists, onNumber);
const onLatest = fc.oneof(
  notTime,
  notTime,
  several(['before', 'after'], of.time),
  several(['notWithinLast', 'withinNext'], of.duration),
);
const onMoment = fc.oneof(several(['before', 'after'], of.time), several(['withinLast', 'notWithinLast'], of.duration));
const onSum = fc.oneof(onNumber, operator('is', of.number));

const merged = (...parts: fc.Arbitrary<Sent>[]) => fc.tuple(...parts).map((all): Sent => Object.assign({}, ...all));
const at = subject('of', of.eventPath);
const atNumber = subject(
  'of',
  fc.oneof(fc.constantFrom(...of.numberPaths), fc.constantFrom(...of.numberPaths), of.eventPath),
);
const measure = fc.oneof(
  merged(fc.oneof(always, fc.constant<Sent>({ measure: 'count' })), howMany, anyWindow),
  merged(fc.oneof(always, fc.constant<Sent>({ measure: 'count' })), howMany, anyWindow),
  merged(operator('measure', fc.constantFrom('sum', 'avg', 'min', 'max')), atNumber, onSum, anyWindow),
  merged(operator('measure', fc.constantFrom('sum', 'avg', 'min', 'max')), atNumber, onSum, anyWindow),
  merged(operator('measure', fc.constantFrom('sum', 'avg', 'min', 'max')), atNumber, onSum, anyWindow),
  merged(fc.constant<Sent>({ measure: 'distinct' }), at, howMany, anyWindow),
  merged(operator('measure', fc.constantFrom('first', 'last')), onMoment, fc.oneof(always, fromTo)),
  merged(fc.constant<Sent>({ measure: 'latest' }), at, onLatest, anyWindow),
);
const maybeWhere = fc.oneof({ weight: 3, arbitrary: always }, { weight: 1, arbitrary: operator('where', eventWhere) });
const aboutEvents = merged(subject('event', of.eventName), measure, maybeWhere);

const rarely = (part: fc.Arbitrary<Sent>) => fc.oneof({ weight: 4, arbitrary: always }, { weight: 1, arbitrary: part });
const aboutMail = fc.oneof(
  {
    weight: 5,
    arbitrary: merged(
      subject('marketing', of.activityName),
      howMany,
      anyWindow,
      rarely(operator('emailId', fc.constantFrom(...of.emailIds))),
      rarely(operator('journeyId', fc.constantFrom(...of.journeyIds))),
      rarely(operator('linkUrl', fc.constantFrom(...of.linkUrls, 'https://x.test/?a=1'))),
      fc.oneof(always, operator('machine', fc.boolean())),
    ),
  },
  { weight: 1, arbitrary: subject('unsubscribed', fc.boolean()) },
);

const within = fc.oneof(always, operator('within', of.duration), operator('within', of.duration));
const firstStep = merged(
  subject('event', of.eventName),
  fc.oneof({ weight: 4, arbitrary: always }, { weight: 1, arbitrary: maybeWhere }),
);
const step = merged(firstStep, within);
const neverStep = merged(firstStep, operator('within', of.duration), fc.constant<Sent>({ not: true }));
const aboutSequences = merged(
  fc
    .tuple(firstStep, fc.array(step, { maxLength: 3 }), fc.oneof(step, neverStep, neverStep))
    .map(([first, more, last]): Sent => ({ sequence: [first, ...more, last] })),
  fc.oneof(always, operator('withinLast', of.duration)),
);

const withoutMembers = fc.oneof(
  { weight: 3, arbitrary: aboutContact },
  { weight: 2, arbitrary: aboutUsers },
  { weight: 2, arbitrary: aboutMembership },
  { weight: 4, arbitrary: aboutEvents },
  { weight: 3, arbitrary: aboutMail },
  { weight: 3, arbitrary: aboutSequences },
);
const memberCount = howMany.filter((test) => !('exactly' in test));
const aboutMembers = merged(operator('where', nested(withoutMembers, 3)), memberCount).map(
  (test): Sent => ({ orgMembers: test }),
);

const condition = fc.oneof({ weight: 9, arbitrary: withoutMembers }, { weight: 1, arbitrary: aboutMembers });

export const filters: fc.Arbitrary<Sent> = nested(condition, 4);
