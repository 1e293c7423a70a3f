// The filter language as the documents show it, made from its grammar. The server's reader is made from the same tables; its faults say more
// than a schema can, so this one is never run.
import { Type } from 'typebox';
import { topicStates } from './grammar/consent.js';
import {
  contactFields,
  countKeys,
  eventFields,
  eventMeasures,
  filterLimits,
  journeyStates,
  namesOf,
  type Operand,
  type Operator,
  operators,
  organizationFields,
  propertyOperators,
  topicOperators,
  valueOperators,
} from './grammar/filter.js';
import { marketingEventNames } from './grammar/mail-events.js';
import { propertyKeyPattern } from './grammar/property-key.js';

type Schema = Record<string, unknown>;

const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
// Named, so that the documents show each once.
const words: Schema = {
  title: 'FilterText',
  type: 'string',
  minLength: 1,
  maxLength: filterLimits.characters,
  description: 'Case is ignored.',
};
const name: Schema = { title: 'EventName', type: 'string', minLength: 1, maxLength: filterLimits.characters };
const id: Schema = { type: 'string', pattern: '^[0-9a-f]{24}$' };
const time: Schema = {
  title: 'FilterTime',
  type: 'string',
  description: 'RFC 3339 with any offset; no offset means UTC, a date alone its midnight.',
};
const duration: Schema = {
  title: 'FilterDuration',
  type: 'string',
  description:
    'ISO 8601 in whole days, hours, minutes and seconds, or in weeks alone: `P30D`, `PT12H`, `P2W`. At most 3,650 days.',
};
const number: Schema = { type: 'number' };
const count: Schema = { type: 'integer', minimum: 0 };
const scalar: Schema = { title: 'FilterValue', type: ['string', 'number', 'boolean'] };
const scalars: Schema = {
  title: 'FilterValues',
  type: 'array',
  items: scalar,
  minItems: 1,
  maxItems: filterLimits.values,
};
const between: Schema = {
  title: 'FilterRange',
  type: 'array',
  items: number,
  minItems: 2,
  maxItems: 2,
  description: 'Low and high, both included.',
};
const propertyKey: Schema = { title: 'PropertyKey', type: 'string', pattern: propertyKeyPattern };
const path: Schema = {
  title: 'EventPath',
  type: ['string', 'array'],
  items: { type: 'string' },
  description: 'A key, or an array of 1 to 5 keys into nested objects.',
};

const flag: Schema = { type: 'boolean' };
const operands: Readonly<Record<Operand, Schema>> = {
  ...{ scalar, scalars, text: words, flag, number, range: between, time, duration },
};

/** The operators as keys of a condition, each with what it wants. */
function taking(names: readonly Operator[]): Record<string, Schema> {
  return Object.fromEntries(names.map((each) => [each, operands[operators[each].wants]]));
}

/** A condition on a field takes what any of its fields takes. */
function takingOf(fields: Readonly<Record<string, readonly Operator[]>>): Record<string, Schema> {
  const taken = Object.values(fields).flat();
  return taking(propertyOperators.filter((each) => taken.includes(each)));
}

const oneOf = (names: readonly string[]): Schema => ({ type: 'string', enum: names });
const onValues = taking(valueOperators);
const counts = Object.fromEntries(countKeys.map((key) => [key, count]));
const window = { withinLast: duration, from: time, to: time };

function condition(subject: string, schema: Schema, rest: Schema, description: string, also: string[] = []): Schema {
  const properties = { [subject]: schema, ...rest };
  return { type: 'object', required: [subject, ...also], properties, additionalProperties: false, description };
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
    condition('eventField', oneOf(namesOf(eventFields)), takingOf(eventFields), 'A field of the event itself.'),
  ],
};

const Step = {
  title: 'SequenceStep',
  description:
    'At most `within` after the step before it. `not`, of the last one only: no such event came in that time.',
  type: 'object',
  required: ['event'],
  properties: {
    event: name,
    where: EventFilter,
    within: duration,
    not: { type: 'boolean', const: true },
  },
  additionalProperties: false,
};

const people: Schema[] = [
  condition('property', propertyKey, taking(propertyOperators), 'A property of the contact.'),
  condition('contact', oneOf(namesOf(contactFields)), takingOf(contactFields), 'A field of the contact itself.'),
  condition('userProperty', propertyKey, onValues, "A property of one of the contact's product users."),
  condition('orgProperty', propertyKey, onValues, "A property of one of the contact's organizations."),
  condition(
    'organization',
    oneOf(namesOf(organizationFields)),
    takingOf(organizationFields),
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
    "In one of the contact's organizations this many member contacts match.",
  ),
];

const history: Schema[] = [
  condition(
    'event',
    name,
    {
      measure: {
        ...oneOf(namesOf(eventMeasures)),
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
    { type: 'array', items: Step, minItems: filterLimits.fewestSteps, maxItems: filterLimits.mostSteps },
    { withinLast: duration },
    'Events one after the other.',
  ),
  condition(
    'marketing',
    { title: 'MarketingEventName', type: 'string', enum: marketingEventNames },
    {
      ...{ ...counts, ...window, emailId: id, journeyId: id },
      linkUrl: { type: 'string', minLength: 1, maxLength: filterLimits.url, description: 'As it is in the email.' },
      machine: { type: 'boolean', default: false, description: 'Opens and clicks by machines count too.' },
    },
    'How often something came of the mail to the contact.',
  ),
];

const others: Schema[] = [
  condition(
    'journeyId',
    id,
    {
      state: oneOf(journeyStates),
      withinLast: duration,
    },
    'Where the contact is in a journey, or was. `withinLast` is about when that state was reached.',
    ['state'],
  ),
  condition('staticListId', id, {}, 'Is a member of the static list.'),
  condition('dynamicListId', id, {}, 'Is a member of the dynamic list.'),
  condition('unsubscribed', { type: 'boolean' }, {}, 'Is suppressed as unsubscribed.'),
  condition(
    'topic',
    id,
    Object.fromEntries(topicOperators.map((each) => [each, oneOf(topicStates)])),
    'What the contact is to a topic. Where nothing was said, the default of the topic counts as its state.',
  ),
  condition(
    'bucket',
    {
      type: 'object',
      required: ['seed', 'of', 'from', 'to'],
      properties: {
        seed: { type: 'string' },
        of: { type: 'integer', minimum: 1, maximum: filterLimits.buckets },
        from: count,
        to: count,
      },
      additionalProperties: false,
    },
    {},
    'A stable share of all contacts.',
  ),
];

const FilterShape = {
  title: 'Filter',
  description: `Which contacts are meant: a group (\`all\`, \`any\`, \`none\`) or one condition with one subject and one operator. Groups nest at most ${filterLimits.depth} deep, with at most ${filterLimits.conditions} conditions in all.`,
  anyOf: [...groups('Filter'), ...people, ...history, ...others],
};

/** A filter in a body or an answer. Any JSON passes here: the feature reads it, and names the place of what is wrong. */
export function FilterJson(description?: string) {
  return Type.Unknown({ checkedLater: true, shownAs: FilterShape, ...(description ? { description } : {}) });
}

/** What definitions of journeys have in common with filters. */
export const filterParts = { name, id, time, duration, scalar, propertyKey, path, ref };
