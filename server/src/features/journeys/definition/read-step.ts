// One step, by its type. What is faulty is noted, and the rest read on.
import {
  FilterFault,
  readAssetId,
  readBoolean,
  readDuration,
  readEventTest,
  readFilter,
  readObject,
  readText,
  type Subjects,
} from '../../filter-language/index.js';
import type { DelayUntil, Next, Step, StepType, WaitBranch } from './definition.js';
import { Part } from './part.js';
import { readSplit } from './read-split.js';
import {
  everyDay,
  noDuration,
  readDays,
  readEventName,
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

const mostBranches = 10;
const mostCases = 20;
const mostPropertyBytes = 32_768;

/** `at` is its id and place. Keys that nobody asked for are the caller's to refuse. */
export function readStep(
  type: StepType,
  at: { id: string; place: string },
  part: Part,
  way: Way,
  about: About,
): Step | undefined {
  const next = () => way.go(part, 'next', way.following);
  switch (type) {
    case 'sendEmail': {
      const transactional = part.optional('transactional', readBoolean) ?? false;
      return { ...at, type, emailId: part.wanted('emailId', readAssetId('an email'), ''), transactional, next: next() };
    }
    case 'delay': {
      const until = readUntil(part);
      const spread = part.optional('spread', readDuration);
      const to = next();
      return until && { ...at, type, until, spread, next: to };
    }
    case 'waitUntil':
      return readWait(at, part, way, about);
    case 'branch':
      return readBranch(at, part, way, about);
    case 'split':
      return { ...at, type, ...readSplit(part, way, about.hasGoal) };
    case 'updateProperty': {
      const property = part.wanted('property', readOwnKey, '');
      const read = (value: unknown, place: string) => readValue(value, place, about.hasEvent);
      return { ...at, type, property, value: part.wanted('value', read, { value: null }), next: next() };
    }
    case 'addToList':
    case 'removeFromList':
      return { ...at, type, staticListId: part.wanted('staticListId', readAssetId('a static list'), ''), next: next() };
    case 'webhook': {
      const call = readCall(part);
      const to = next();
      return {
        ...at,
        type,
        ...call,
        next: to,
        ...(part.has('onError') ? { onError: way.go(part, 'onError', to) } : {}),
      };
    }
    case 'emitEvent': {
      const properties = part.optional('properties', readProperties) ?? {};
      return { ...at, type, eventName: part.wanted('eventName', readEventName, ''), properties, next: next() };
    }
    case 'startJourney':
      return { ...at, type, journeyId: part.wanted('journeyId', readAssetId('a journey'), ''), next: next() };
    case 'exit':
      part.optional('next', readNothing);
      return { ...at, type, reason: part.optional('reason', readText) };
  }
}

function readNothing(value: unknown, place: string): void {
  if (value !== null) throw new FilterFault(place, 'nothing comes after an exit');
}

function readUntil(part: Part): DelayUntil | undefined {
  const key = part.oneOf(['for', 'untilTime', 'untilProperty']);
  switch (key) {
    case 'for':
      return { kind: 'for', duration: part.wanted(key, readDuration, noDuration) };
    case 'untilTime': {
      const days = part.optional('days', readDays) ?? everyDay;
      return { kind: 'time', at: part.wanted(key, readTimeOfDay, 0), days };
    }
    case 'untilProperty': {
      const offset = part.optional('offset', readOffset) ?? 0;
      return { kind: 'property', property: part.wanted(key, readPropertyKey, ''), offset };
    }
    default:
      return undefined;
  }
}

function readWait(at: { id: string; place: string }, part: Part, way: Way, about: About): Step {
  const fallback = way.look(part, 'next', way.following);
  const branches = readParts(part, 'branches', mostBranches, 'branches', (value, place) =>
    readWaitBranch(Part.of(value, place, part.faults), way, fallback, about),
  );
  if (branches === undefined) way.isBroken = true;
  return {
    ...at,
    type: 'waitUntil',
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
  const where = event.optional('where', (json, place) => readEventTest(json, place, { allowEntry: hasEvent }));
  event.end();
  return { kind: 'event', eventName, ...(where ? { where } : {}), next };
}

function readFiltered(part: Part, next: Next, { subjects }: About) {
  const filter = part.wanted('filter', (json, place) => readFilter(json, subjects, place), undefined);
  return filter && { filter, next };
}

function readBranch(at: { id: string; place: string }, part: Part, way: Way, about: About): Step {
  const fallback = way.look(part, 'next', way.following);
  const cases = readParts(part, 'cases', mostCases, 'cases', (value, place) => {
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
  return { ...at, type: 'branch', cases: read, otherwise: way.go(part, 'otherwise', fallback) };
}

function readProperties(value: unknown, place: string): Readonly<Record<string, unknown>> {
  const properties = readObject(value, place);
  if (Buffer.byteLength(JSON.stringify(properties)) <= mostPropertyBytes) return properties;
  throw new FilterFault(place, 'the properties of an event have at most 32 KiB');
}
