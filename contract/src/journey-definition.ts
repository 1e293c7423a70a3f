// A journey's definition as the documents show it, made from its grammar. The server's readers are made from the same tables; their faults
// say more than a schema can, so this one is never run.
import { Type } from 'typebox';
import { filterParts } from './filter.js';
import { topicDefaults, topicStates } from './grammar/consent.js';
import { type EntryKind, entryKinds } from './grammar/entries.js';
import {
  type FieldKind,
  journeyLimits,
  localTimePattern,
  reentries,
  type StepType,
  stepIdPattern,
  stepRow,
  stepTypes,
  timeOfDayPattern,
  webhookMethods,
  winnerMeasures,
} from './grammar/steps.js';
import { FreeObject } from './schema.js';

type Schema = Record<string, unknown>;

const { name, id, time, duration, scalar, propertyKey, path, ref } = filterParts;
const text: Schema = { type: 'string', minLength: 1, maxLength: 255 };
const offset: Schema = {
  title: 'JourneyOffset',
  type: 'string',
  description: 'A duration, with a `-` before it for earlier: `-P7D`.',
};
const timeOfDay: Schema = { title: 'TimeOfDay', type: 'string', pattern: timeOfDayPattern };
const localTime: Schema = {
  title: 'LocalTime',
  type: 'string',
  pattern: localTimePattern,
  description: 'A date and a time of day without a zone: `2026-11-20T09:00`.',
};
const days: Schema = {
  title: 'Weekdays',
  type: 'array',
  items: { type: 'integer', minimum: 1, maximum: 7 },
  minItems: 1,
  maxItems: 7,
  description: '1 is Monday. All seven if none are named.',
};
const stepId: Schema = { title: 'StepId', type: 'string', pattern: stepIdPattern };
const stepName: Schema = {
  title: 'StepName',
  type: 'string',
  minLength: 1,
  maxLength: journeyLimits.stepName,
  description: 'What people call it: shown wherever the step is. It need not be unique.',
};
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

const entrySchemas: Readonly<Record<EntryKind, Schema>> = {
  audience: list,
  event,
  joined: list,
  left: object(['dynamicListId'], { dynamicListId: id }),
  propertyChanged: object(['property'], { property: propertyKey, from: scalar, to: scalar }),
  topic: object(['topicId', 'becomes'], { topicId: id, becomes: { type: 'string', enum: [...topicStates] } }),
  form: object(['formId'], { formId: id }),
  date: object(['property'], {
    property: propertyKey,
    offset,
    at: timeOfDay,
    yearly: { type: 'boolean', default: false },
  }),
  api: { type: 'boolean', const: true },
};
const schedule: Schema = {
  title: 'JourneySchedule',
  anyOf: [object(['at'], { at: time }), object(['cron', 'timeZone'], { cron: text, timeZone: text })],
};

const Entry: Schema = {
  title: 'JourneyEntry',
  description: '`audience` for a batch journey; one of the others for a trigger journey.',
  anyOf: (Object.keys(entrySchemas) as EntryKind[]).map((kind) =>
    object(
      [kind],
      { [kind]: entrySchemas[kind], ...(entryKinds[kind].of === 'batch' ? { schedule } : {}) },
      entryKinds[kind].does,
    ),
  ),
};

const value: Schema = {
  title: 'JourneyValue',
  anyOf: [
    { type: ['string', 'number', 'boolean', 'null'] },
    object(['entry'], { entry: path }, 'That property of the event which started the journey.'),
  ],
};
const many = (items: Schema, maxItems: number): Schema => ({ type: 'array', items, minItems: 1, maxItems });

const fieldSchemas: Readonly<Record<FieldKind, Schema>> = {
  ...{ email: id, staticList: id, journey: id, triggerJourney: id, topic: id },
  topicState: { type: 'string', enum: [...topicDefaults] },
  ...{ duration, offset, timeOfDay, localTime, weekdays: days, propertyKey, value },
  ...{ eventName: name, eventProperties: { type: 'object', additionalProperties: true } },
  ...{ flag: { type: 'boolean', default: false }, text, way: next },
  url: { type: 'string', format: 'uri', maxLength: journeyLimits.url },
  method: { type: 'string', enum: [...webhookMethods], default: 'POST' },
  headers: { type: 'object', additionalProperties: { type: 'string' } },
  template: { type: 'string', description: 'A Liquid template.' },
  branches: many(
    {
      title: 'WaitBranch',
      anyOf: [object(['event'], { event, next }), object(['filter'], { filter: ref('Filter'), next })],
    },
    journeyLimits.branches,
  ),
  cases: many(object(['filter'], { filter: ref('Filter'), next }), journeyLimits.cases),
  arms: many(
    object(['name', 'percent'], { name: text, percent: { type: 'integer', minimum: 0, maximum: 100 }, next }),
    journeyLimits.arms,
  ),
  winner: object(['by', 'after', 'minimum'], {
    by: { type: 'string', enum: [...winnerMeasures] },
    after: duration,
    minimum: { type: 'integer', minimum: 1, description: 'Messages of every arm.' },
  }),
};

/** One for each form of a type. */
function stepShapes(type: StepType): Schema[] {
  const { fields, forms } = stepRow(type);
  return forms.map(({ does, needs, takes }) => {
    const own = [...needs, ...takes].map((field) => [field, fieldSchemas[fields[field] as FieldKind]]);
    const properties = {
      id: stepId,
      type: { type: 'string', const: type },
      name: stepName,
      ...Object.fromEntries(own),
    };
    return object(['id', 'type', ...needs], properties, does);
  });
}

const Shape: Schema = {
  title: 'JourneyDefinition',
  ...object(
    ['entry', 'steps'],
    {
      entry: Entry,
      steps: {
        type: 'array',
        items: { title: 'JourneyStep', anyOf: stepTypes.flatMap(stepShapes) },
        minItems: 1,
        maxItems: journeyLimits.steps,
        description: 'Contacts begin at the first.',
      },
      exitWhen: ref('Filter'),
      goal: object(['filter'], { filter: ref('Filter'), exit: { type: 'boolean', default: false } }),
      reentry: {
        title: 'JourneyReentry',
        anyOf: [
          { type: 'string', enum: [...reentries], default: 'never' },
          object(['after'], { after: duration }, 'This long after the last entry.'),
        ],
      },
      cap: object(
        ['messages', 'per'],
        { messages: { type: 'integer', minimum: 1 }, per: duration },
        'At most this many messages to a contact from all journeys of the tenant.',
      ),
      window: object(
        ['from', 'to', 'timeZone'],
        {
          ...{ days, from: timeOfDay, to: timeOfDay },
          timeZone: { type: 'string', description: 'A name of the IANA database, or `contact`.' },
        },
        'Mail leaves only inside it.',
      ),
      holdout: {
        type: 'integer',
        minimum: 0,
        maximum: journeyLimits.holdoutPercent,
        description: 'Percent of contacts that get no message.',
      },
    },
    'What happens in a journey. A draft takes any JSON object of at most 256 KiB; activation checks it, and names the place of what is wrong.',
  ),
};

/** A definition in a body. Any object passes here: a draft may be unfinished, and activation reads it. */
export const DefinitionJson = Type.Unsafe<Record<string, unknown>>({ ...FreeObject, shownAs: Shape });

/** Shown instead of the value of a webhook step's header; sent back, it keeps the value. */
export const hiddenHeader = '********';

const plainHeaders = new Set(['accept', 'accept-language', 'content-type', 'user-agent']);

/** Headers that contain no secret: they are stored and shown as they are. */
export function isPlainHeader(name: string): boolean {
  return plainHeaders.has(name.toLowerCase());
}
