import { journeyLimits, type StepType, stepRow, topicDefaults } from '@rapport/contract';
// One step, by its type. What is faulty is noted, and the rest read on.
import {
  FilterFault,
  readAssetId,
  readBoolean,
  readDuration,
  readEventTest,
  readFilter,
  readObject,
  readOneOf,
  readText,
  type Subjects,
} from '../../filter-language/index.js';
import type { At, DelayUntil, Next, PlainType, PlainValues, Step, WaitBranch } from './definition.js';
import { Part } from './part.js';
import { readSplit } from './read-split.js';
import {
  everyDay,
  noDuration,
  readDays,
  readEventName,
  readLocalTime,
  readOffset,
  readOwnKey,
  readParts,
  readPropertyKey,
  readTimeOfDay,
  readValue,
} from './read-values.js';
import { readCall } from './read-webhook.js';
import type { Way } from './way.js';

export interface About {
  readonly subjects: Subjects;
  /** An event starts the journey. */
  readonly hasEvent: boolean;
  readonly hasGoal: boolean;
}

type Of<Type extends StepType> = Step & { readonly type: Type };
type Readers = {
  readonly [Type in Exclude<StepType, PlainType>]: (
    at: At & { readonly type: Type },
    part: Part,
    way: Way,
    about: About,
  ) => Of<Type> | undefined;
};

const nextOf = (part: Part, way: Way) => way.go(part, 'next', way.following);
const asset = (what: string) => (part: Part, field: string) => part.wanted(field, readAssetId(what), '');

const plainReaders: {
  readonly [Kind in keyof PlainValues]: (part: Part, field: string, way: Way) => PlainValues[Kind];
} = {
  email: asset('an email'),
  staticList: asset('a static list'),
  journey: asset('a journey'),
  triggerJourney: asset('a journey'),
  topic: asset('a topic'),
  topicState: (part, field) => part.wanted(field, readOneOf(topicDefaults), 'subscribed'),
  flag: (part, field) => part.optional(field, readBoolean) ?? false,
  way: (part, field, way) => way.go(part, field, way.following),
};

/** Each asks for the fields that the grammar gives its type: a test compares them. Other keys are refused by the caller. */
const readers: Readers = {
  delay: (at, part, way) => {
    const until = readUntil(part);
    const spread = part.optional('spread', readDuration);
    const next = nextOf(part, way);
    return until && { ...at, until, spread, next };
  },
  waitUntil: readWait,
  branch: readBranch,
  split: (at, part, way, { hasGoal }) => ({ ...at, ...readSplit(part, way, hasGoal) }),
  updateProperty: (at, part, way, { hasEvent }) => {
    const property = part.wanted('property', readOwnKey, '');
    const read = (value: unknown, place: string) => readValue(value, place, hasEvent);
    return { ...at, property, value: part.wanted('value', read, { value: null }), next: nextOf(part, way) };
  },
  webhook: (at, part, way) => {
    const call = readCall(part);
    const next = nextOf(part, way);
    return { ...at, ...call, next, ...(part.has('onError') ? { onError: way.go(part, 'onError', next) } : {}) };
  },
  emitEvent: (at, part, way) => {
    const properties = part.optional('properties', readProperties) ?? {};
    const eventName = part.wanted('eventName', readEventName, '');
    return { ...at, eventName, properties, next: nextOf(part, way) };
  },
  exit: (at, part) => {
    part.optional('next', readNothing);
    return { ...at, reason: part.optional('reason', readText) };
  },
};

/** `at` is its id, name and place. */
export function readStep(type: StepType, at: At, part: Part, way: Way, about: About): Step | undefined {
  if (isPlain(type)) return readPlain(type, at, part, way);
  const read = readers[type] as (at: At & { type: StepType }, part: Part, way: Way, about: About) => Step | undefined;
  return read({ ...at, type }, part, way, about);
}

const isPlain = (type: StepType): type is PlainType => !Object.hasOwn(readers, type);

function readPlain(type: PlainType, at: At, part: Part, way: Way): Step {
  const fields = Object.entries(stepRow(type).fields) as [string, keyof PlainValues][];
  const read = fields.map(([field, kind]) => [field, plainReaders[kind](part, field, way)]);
  return { ...at, type, ...Object.fromEntries(read) };
}

function readNothing(value: unknown, place: string): void {
  if (value !== null) throw new FilterFault(place, 'nothing comes after an exit');
}

function readUntil(part: Part): DelayUntil | undefined {
  const key = part.oneOf(['for', 'untilTime', 'untilLocal', 'untilProperty']);
  switch (key) {
    case 'for':
      return { kind: 'for', duration: part.wanted(key, readDuration, noDuration) };
    case 'untilTime': {
      const days = part.optional('days', readDays) ?? everyDay;
      return { kind: 'time', at: part.wanted(key, readTimeOfDay, 0), days };
    }
    case 'untilLocal':
      return { kind: 'local', at: part.wanted(key, readLocalTime, 0) };
    case 'untilProperty': {
      const offset = part.optional('offset', readOffset) ?? 0;
      return { kind: 'property', property: part.wanted(key, readPropertyKey, ''), offset };
    }
    default:
      return undefined;
  }
}

function readWait(at: At & { type: 'waitUntil' }, part: Part, way: Way, about: About): Of<'waitUntil'> {
  const fallback = way.look(part, 'next', way.following);
  const branches = readParts(part, 'branches', journeyLimits.branches, 'branches', (value, place) =>
    readWaitBranch(Part.of(value, place, part.faults), way, fallback, about),
  );
  if (branches === undefined) way.isBroken = true;
  return {
    ...at,
    branches: branches?.filter((branch) => branch !== undefined) ?? [],
    timeout: part.wanted('timeout', readDuration, noDuration),
    onTimeout: way.go(part, 'onTimeout', fallback),
  };
}

function readWaitBranch(part: Part | undefined, way: Way, fallback: Next, about: About): WaitBranch | undefined {
  if (part === undefined) {
    way.isBroken = true;
    return undefined;
  }
  const next = way.go(part, 'next', fallback);
  const kind = part.oneOf(['event', 'filter']);
  const branch = kind && (kind === 'event' ? readEvent(part, next, about) : readFiltered(part, next, about));
  part.end();
  return branch && 'filter' in branch ? { kind: 'filter', ...branch } : branch;
}

function readEvent(part: Part, next: Next, { hasEvent }: About): WaitBranch | undefined {
  const event = part.part('event');
  if (event === undefined) return undefined;
  const eventName = event.wanted('eventName', readEventName, '');
  const most = part.faults.left;
  const where = event.optional('where', (json, place) => readEventTest(json, place, { allowEntry: hasEvent, most }));
  event.end();
  return { kind: 'event', eventName, ...(where ? { where } : {}), next };
}

function readFiltered(part: Part, next: Next, { subjects }: About) {
  const filter = part.wanted('filter', (json, at) => readFilter(json, subjects, at, part.faults.left), undefined);
  return filter && { filter, next };
}

function readBranch(at: At & { type: 'branch' }, part: Part, way: Way, about: About): Of<'branch'> {
  const fallback = way.look(part, 'next', way.following);
  const cases = readParts(part, 'cases', journeyLimits.cases, 'cases', (value, place) => {
    const one = Part.of(value, place, part.faults);
    if (one === undefined) {
      way.isBroken = true;
      return undefined;
    }
    const read = readFiltered(one, way.go(one, 'next', fallback), about);
    one.end();
    return read;
  });
  if (cases === undefined) way.isBroken = true;
  const read = cases?.filter((one) => one !== undefined) ?? [];
  return { ...at, cases: read, otherwise: way.go(part, 'otherwise', fallback) };
}

function readProperties(value: unknown, place: string): Readonly<Record<string, unknown>> {
  const properties = readObject(value, place);
  if (Buffer.byteLength(JSON.stringify(properties)) <= journeyLimits.eventBytes) return properties;
  throw new FilterFault(place, 'the properties of an event have at most 32 KiB');
}
