// The filter language, for the documents: which conditions there are, and what each takes. The server has a reader of its own, whose
// faults say more than a schema can; this one shows clients the shape and is never run.
import { Type } from 'typebox';

type Schema = Record<string, unknown>;

const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
const text = (description: string, max = 255): Schema => ({
  type: 'string',
  minLength: 1,
  maxLength: max,
  description,
});
const id = (description: string): Schema => ({ type: 'string', pattern: '^[0-9a-f]{24}$', description });
const times = {
  type: 'string',
  description: 'RFC 3339 with any offset; no offset means UTC, a date alone its midnight.',
};
const duration = {
  type: 'string',
  description:
    'ISO 8601 in whole days, hours, minutes and seconds, or in weeks alone: `P30D`, `PT12H`, `P2W`. Up to 3,650 days.',
};
const number: Schema = { type: 'number' };
const count: Schema = { type: 'integer', minimum: 0 };
const scalar: Schema = { type: ['string', 'number', 'boolean'] };
const scalars: Schema = { type: 'array', items: scalar, minItems: 1, maxItems: 1000 };
const between: Schema = { type: 'array', items: number, minItems: 2, maxItems: 2, description: 'Both ends included.' };
const propertyKey: Schema = { type: 'string', pattern: '^[a-z_][a-z0-9_]{0,63}$' };
const path: Schema = {
  type: ['string', 'array'],
  items: { type: 'string' },
  description: 'A key, or an array of 1 to 5 keys into nested objects.',
};

const onTexts = {
  ...{ is: scalar, isNot: scalar, in: scalars, notIn: scalars },
  ...{ contains: text('Case is ignored.'), notContains: text('Case is ignored.') },
  ...{ startsWith: text('Case is ignored.'), endsWith: text('Case is ignored.') },
};
const onNumbers = { lt: number, lte: number, gt: number, gte: number, between };
const onTimes = { before: times, after: times, withinLast: duration, notWithinLast: duration, withinNext: duration };
const exists: Schema = { type: 'boolean' };
const onValues = { ...onTexts, exists, ...onNumbers, ...onTimes };
const counts = { atLeast: count, atMost: count, exactly: count };
const window = { withinLast: duration, from: times, to: times };

function condition(subject: string, schema: Schema, rest: Schema, description: string): Schema {
  const properties = { [subject]: schema, ...rest };
  return { type: 'object', required: [subject], properties, additionalProperties: false, description };
}

function group(word: string, of: string, description: string): Schema {
  return condition(word, { type: 'array', items: ref(of) }, {}, description);
}

function groups(of: string): Schema[] {
  return [
    group('all', of, 'Every one is true; empty: true.'),
    group('any', of, 'At least one is true; empty: false.'),
    group('none', of, 'None is true; empty: true.'),
  ];
}

const EventFilter = {
  title: 'EventFilter',
  description: 'A filter over one event.',
  anyOf: [
    ...groups('EventFilter'),
    condition('eventProperty', path, onValues, 'A property of the event.'),
    condition(
      'eventField',
      { type: 'string', enum: ['userId', 'orgId', 'eventDate'] },
      { ...onTexts, exists, ...onTimes },
      'A field of the event itself.',
    ),
  ],
};

const Step = {
  title: 'SequenceStep',
  type: 'object',
  required: ['event'],
  properties: {
    event: text('Name of the event.'),
    where: EventFilter,
    within: { ...duration, description: 'At most so long after the step before it.' },
    not: { type: 'boolean', const: true, description: 'No such event came within that time. Only of the last step.' },
  },
  additionalProperties: false,
};

const people: Schema[] = [
  condition('property', propertyKey, { ...onValues, hasEverBeen: scalar }, 'A property of the contact.'),
  condition(
    'contact',
    { type: 'string', enum: ['email', 'createdAt', 'updatedAt'] },
    { ...onTexts, ...onTimes },
    'A field of the contact itself.',
  ),
  condition('userProperty', propertyKey, onValues, "A property of one of the contact's product users."),
  condition('orgProperty', propertyKey, onValues, "A property of one of the contact's organizations."),
  condition(
    'organization',
    { type: 'string', enum: ['orgId', 'name'] },
    { ...onTexts, exists },
    "A field of one of the contact's organizations.",
  ),
  condition(
    'orgMembers',
    {
      type: 'object',
      required: ['where'],
      properties: { where: ref('Filter'), atLeast: count, atMost: count },
      additionalProperties: false,
    },
    {},
    "In one of the contact's organizations so many member contacts match.",
  ),
];

const history: Schema[] = [
  condition(
    'event',
    text('Name of the event.'),
    {
      measure: {
        type: 'string',
        enum: ['count', 'sum', 'avg', 'min', 'max', 'distinct', 'first', 'last', 'latest'],
        default: 'count',
      },
      of: path,
      ...counts,
      ...onValues,
      ...window,
      where: EventFilter,
    },
    'What the contact did, measured.',
  ),
  condition(
    'sequence',
    { type: 'array', items: Step, minItems: 2, maxItems: 5 },
    { withinLast: duration },
    'Events one after the other.',
  ),
];

const others: Schema[] = [
  condition('staticListId', id('Static list id.'), {}, 'Is a member of the static list.'),
  condition('dynamicListId', id('Dynamic list id.'), {}, 'Is a member of the dynamic list.'),
  condition(
    'bucket',
    {
      type: 'object',
      required: ['seed', 'of', 'from', 'to'],
      properties: {
        seed: { type: 'string' },
        of: { type: 'integer', minimum: 1, maximum: 10_000 },
        from: count,
        to: count,
      },
      additionalProperties: false,
    },
    {},
    'A stable share of everybody.',
  ),
];

const FilterShape = {
  title: 'Filter',
  description:
    'Which contacts are meant: a group (`all`, `any`, `none`) or one condition with one subject and one operator. Groups nest at most 10 deep, with at most 200 conditions in all.',
  anyOf: [...groups('Filter'), ...people, ...history, ...others],
};

/** A filter in a body or an answer. Any JSON passes here: the feature reads it, and names the place of what is wrong. */
export function FilterJson(description?: string) {
  return Type.Unknown({ checkedLater: true, shownAs: FilterShape, ...(description ? { description } : {}) });
}
