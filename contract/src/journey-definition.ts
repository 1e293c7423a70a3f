// A journey's definition, for the documents: which entries and steps there are, and what each takes. The server has a reader of its
// own, whose faults say more than a schema can; this one shows clients the shape and is never run.
import { Type } from 'typebox';
import { filterParts } from './filter.js';
import { FreeObject } from './schema.js';

type Schema = Record<string, unknown>;

const { name, id, time, duration, scalar, propertyKey, path, ref } = filterParts;
const text: Schema = { type: 'string', minLength: 1, maxLength: 255 };
const offset: Schema = {
  title: 'JourneyOffset',
  type: 'string',
  description: 'A duration, with a `-` before it for earlier: `-P7D`.',
};
const timeOfDay: Schema = { title: 'TimeOfDay', type: 'string', pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' };
const days: Schema = {
  title: 'Weekdays',
  type: 'array',
  items: { type: 'integer', minimum: 1, maximum: 7 },
  minItems: 1,
  maxItems: 7,
  description: '1 is Monday. All seven where none are named.',
};
const stepId: Schema = { title: 'StepId', type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' };
const next: Schema = {
  title: 'NextStep',
  type: ['string', 'null'],
  description: 'The id of a step. Absent: the following one. Null: the end.',
};

function object(required: string[], properties: Schema, description?: string): Schema {
  return { type: 'object', required, properties, additionalProperties: false, ...(description ? { description } : {}) };
}

const list: Schema = {
  title: 'JourneyList',
  anyOf: [object(['staticListId'], { staticListId: id }), object(['dynamicListId'], { dynamicListId: id })],
};
const event: Schema = {
  title: 'JourneyEvent',
  ...object(
    ['eventName'],
    { eventName: name, where: { type: 'object', additionalProperties: true } },
    'An event, and what holds for it: an `EventFilter`. In a wait, a value `{"entry": path}` is that property of the event which started the journey.',
  ),
};

const Entry: Schema = {
  title: 'JourneyEntry',
  description: 'Of a batch journey its `audience`; of a trigger journey one of the others.',
  anyOf: [
    object(
      ['audience'],
      {
        audience: list,
        schedule: {
          title: 'JourneySchedule',
          anyOf: [object(['at'], { at: time }), object(['cron', 'timeZone'], { cron: text, timeZone: text })],
        },
      },
      'A run enrols the members of that moment. Without a schedule it runs once, on activation.',
    ),
    object(['event'], { event }, 'An event of the contact.'),
    object(['joined'], { joined: list }, 'Somebody joined the list. Whom a new list starts with has not joined.'),
    object(['left'], { left: object(['dynamicListId'], { dynamicListId: id }) }, 'Somebody left the list.'),
    object(
      ['propertyChanged'],
      { propertyChanged: object(['property'], { property: propertyKey, from: scalar, to: scalar }) },
      'A property of the contact changed.',
    ),
    object(
      ['date'],
      {
        date: object(['property'], {
          property: propertyKey,
          offset,
          at: timeOfDay,
          yearly: { type: 'boolean', default: false },
        }),
      },
      'A date in a property of the contact comes.',
    ),
    object(['api'], { api: { type: 'boolean', const: true } }, 'Only who is enrolled by hand or by another journey.'),
  ],
};

function step(type: string, required: string[], properties: Schema, description: string): Schema {
  const own = { id: stepId, type: { type: 'string', const: type }, ...properties };
  return object(['id', 'type', ...required], own, description);
}

const delays: Schema[] = [
  step('delay', ['for'], { for: duration, spread: duration, next }, 'Waits for so long.'),
  step(
    'delay',
    ['untilTime'],
    { untilTime: timeOfDay, days, spread: duration, next },
    'Waits for the time of day, where the contact is.',
  ),
  step(
    'delay',
    ['untilProperty'],
    { untilProperty: propertyKey, offset, spread: duration, next },
    'Waits for a moment that a property of the contact says; one that has passed, or is no time, means at once.',
  ),
];

const ways: Schema[] = [
  step(
    'waitUntil',
    ['branches', 'timeout'],
    {
      branches: {
        type: 'array',
        items: {
          title: 'WaitBranch',
          anyOf: [object(['event'], { event, next }), object(['filter'], { filter: ref('Filter'), next })],
        },
        minItems: 1,
        maxItems: 10,
      },
      ...{ timeout: duration, onTimeout: next, next },
    },
    'Waits for the first that comes true, or for the timeout.',
  ),
  step(
    'branch',
    ['cases'],
    {
      cases: { type: 'array', items: object(['filter'], { filter: ref('Filter'), next }), minItems: 1, maxItems: 20 },
      ...{ otherwise: next, next },
    },
    'Takes the first case that holds.',
  ),
  step(
    'split',
    ['arms'],
    {
      arms: {
        type: 'array',
        items: object(['name', 'percent'], {
          name: text,
          percent: { type: 'integer', minimum: 0, maximum: 100 },
          next,
        }),
        minItems: 1,
        maxItems: 100,
      },
      winner: object(['by', 'after', 'minimum'], {
        by: { type: 'string', enum: ['clicked', 'goal'] },
        after: duration,
        minimum: { type: 'integer', minimum: 1, description: 'Messages of every arm.' },
      }),
      next,
    },
    'Shares contacts out by chance, each always to the same arm. The percents sum to 100.',
  ),
];

const value: Schema = {
  title: 'JourneyValue',
  anyOf: [
    { type: ['string', 'number', 'boolean', 'null'] },
    object(['entry'], { entry: path }, 'That property of the event which started the journey.'),
  ],
};

const deeds: Schema[] = [
  step(
    'sendEmail',
    ['emailId'],
    { emailId: id, transactional: { type: 'boolean', default: false }, next },
    'Queues a message and goes on.',
  ),
  step(
    'updateProperty',
    ['property', 'value'],
    { property: propertyKey, value, next },
    'Sets a property; null removes it.',
  ),
  step('addToList', ['staticListId'], { staticListId: id, next }, 'Makes the contact a member.'),
  step('removeFromList', ['staticListId'], { staticListId: id, next }, 'Takes the contact out.'),
  step(
    'webhook',
    ['url'],
    {
      url: { type: 'string', format: 'uri', maxLength: 2048 },
      method: { type: 'string', enum: ['POST', 'PUT', 'PATCH', 'DELETE', 'GET'], default: 'POST' },
      headers: { type: 'object', additionalProperties: { type: 'string' } },
      body: { type: 'string', description: 'A Liquid template.' },
      timeout: duration,
      onError: next,
      next,
    },
    'Calls an address, signed; its JSON answer is `webhook` in later steps.',
  ),
  step(
    'emitEvent',
    ['eventName'],
    { eventName: name, properties: { type: 'object', additionalProperties: true }, next },
    'Stores an event of the contact, which may start other journeys.',
  ),
  step('startJourney', ['journeyId'], { journeyId: id, next }, 'Enrols the contact in another journey.'),
  step('exit', [], { reason: text }, 'Leaves the journey.'),
];

const Shape: Schema = {
  title: 'JourneyDefinition',
  ...object(
    ['entry', 'steps'],
    {
      entry: Entry,
      steps: {
        type: 'array',
        items: { title: 'JourneyStep', anyOf: [...deeds, ...delays, ...ways] },
        minItems: 1,
        maxItems: 200,
        description: 'The first is where one begins.',
      },
      exitWhen: ref('Filter'),
      goal: object(['filter'], { filter: ref('Filter'), exit: { type: 'boolean', default: false } }),
      reentry: {
        title: 'JourneyReentry',
        anyOf: [
          { type: 'string', enum: ['never', 'afterExit', 'always'], default: 'never' },
          object(['after'], { after: duration }, 'So long after the last entry.'),
        ],
      },
      cap: object(
        ['messages', 'per'],
        { messages: { type: 'integer', minimum: 1 }, per: duration },
        'At most so many messages to a contact from all journeys of the tenant.',
      ),
      window: object(
        ['from', 'to', 'timeZone'],
        {
          ...{ days, from: timeOfDay, to: timeOfDay },
          timeZone: { type: 'string', description: 'A name of the IANA database, or `contact`.' },
        },
        'Mail leaves only inside.',
      ),
      holdout: { type: 'integer', minimum: 0, maximum: 50, description: 'Percent of contacts that get no message.' },
    },
    'What happens in a journey. A draft takes any JSON object of at most 256 KiB; activation checks it, and names the place of what is wrong.',
  ),
};

/** A definition in a body. Any object passes here: a draft may be unfinished, and activation reads it. */
export const DefinitionJson = Type.Unsafe<Record<string, unknown>>({ ...FreeObject, shownAs: Shape });

/** What is shown in the place of the value of a webhook step's header; sent back, it keeps the value. */
export const hiddenHeader = '********';

const plainHeaders = new Set(['accept', 'accept-language', 'content-type', 'user-agent']);

/** Headers that say nothing secret: they are kept and shown as they are. */
export function isPlainHeader(name: string): boolean {
  return plainHeaders.has(name.toLowerCase());
}
