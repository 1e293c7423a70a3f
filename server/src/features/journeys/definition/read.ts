// JSON → checked definition. Pure.
import {
  isStepType,
  journeyLimits,
  reentries,
  type StepType,
  stepIdPattern,
  stepRow,
  stepTypes,
} from '@rapport/contract';
import {
  type Duration,
  type Fields,
  FilterFault,
  readBoolean,
  readDuration,
  readFilter,
  readList,
  readOneOf,
  readText,
  readWhole,
  type Subjects,
} from '../../filter-language/index.js';
import type { Definition, Reentry, SendWindow, Step } from './definition.js';
import { checkDraft } from './draft.js';
import { checkGraph, type Node } from './graph.js';
import { Faults, Part } from './part.js';
import { type JourneyType, readEntry } from './read-entry.js';
import { type About, readStep } from './read-step.js';
import { everyDay, noDuration, readDays, readTimeOfDay, readZone } from './read-values.js';
import { Way } from './way.js';

/** Reads a definition, or throws FilterFaults: each with its place, such as `definition.steps[1].emailId`. */
export function readDefinition(json: unknown, type: JourneyType, subjects: Subjects): Definition {
  const faults = new Faults();
  const part = new Part(checkDraft(json), 'definition', faults);
  const inner = part.part('entry');
  const entry = inner && readEntry(inner, type);
  const goal = readGoal(part.optionalPart('goal'), subjects);
  // If the entry could not be read, it may be an event.
  const hasEvent = entry === undefined ? type === 'trigger' : entry.kind === 'event';
  const steps = readSteps(part, { subjects, hasEvent, hasGoal: part.has('goal') });
  const exitWhen = part.optional('exitWhen', (filter, place) => readFilter(filter, subjects, place, faults.left));
  const rest = readRest(part);
  part.end();
  faults.end();
  if (entry === undefined) throw new Error('An entry that could not be read has a fault');
  return { entry, steps, exitWhen, goal, ...rest };
}

function readGoal(part: Part | undefined, subjects: Subjects): Definition['goal'] {
  if (part === undefined) return undefined;
  const filter = part.wanted('filter', (json, at) => readFilter(json, subjects, at, part.faults.left), undefined);
  const exit = part.optional('exit', readBoolean) ?? false;
  part.end();
  return filter && { filter, exit };
}

function readRest(part: Part): Pick<Definition, 'reentry' | 'cap' | 'window' | 'holdout'> {
  const reentry = part.optional('reentry', readReentry) ?? 'never';
  const cap = part.optionalPart('cap');
  const window = part.optionalPart('window');
  return {
    reentry,
    cap: cap && readCap(cap),
    window: window && readWindow(window),
    holdout: part.optional('holdout', (value, place) => readWhole(value, place, 0, journeyLimits.holdoutPercent)) ?? 0,
  };
}

export function readReentry(value: unknown, place: string): Reentry {
  const after = typeof value === 'object' && value !== null ? Object.entries(value) : undefined;
  if (after === undefined) return readOneOf(reentries)(value, place);
  if (after.length === 1 && after[0]?.[0] === 'after') return { after: readDuration(after[0][1], `${place}.after`) };
  throw new FilterFault(place, '"never", "afterExit", "always" or {"after": duration} is wanted');
}

function readCap(part: Part): { messages: number; per: Duration } {
  const cap = {
    messages: part.wanted('messages', (value, place) => readWhole(value, place, 1), 1),
    per: part.wanted('per', readDuration, noDuration),
  };
  part.end();
  return cap;
}

function readWindow(part: Part): SendWindow {
  const zone = part.wanted('timeZone', (value, at) => (value === 'contact' ? value : readZone(value, at)), 'contact');
  const window: SendWindow = {
    days: part.optional('days', readDays) ?? everyDay,
    from: part.wanted('from', readTimeOfDay, 0),
    to: part.wanted('to', readTimeOfDay, 1),
    timeZone: zone === 'contact' ? undefined : zone,
  };
  part.end();
  if (window.from === window.to) part.faults.add(part.placeOf('to'), 'a window ends at another time than it begins');
  return window;
}

function readSteps(part: Part, about: About): readonly Step[] {
  const { faults } = part;
  const values = part.wanted<readonly unknown[]>(
    'steps',
    (value, place) => readList(value, place, 1, journeyLimits.steps, 'steps'),
    [],
  );
  const parts = values.map((value, i) => Part.of(value, `definition.steps[${i}]`, faults));
  const ids = parts.map((one) => one?.wanted('id', readStepId, ''));
  const places = new Map<string, number>();
  ids.forEach((id, i) => {
    if (!id) return;
    const first = places.get(id);
    if (first === undefined) places.set(id, i);
    else faults.add(`definition.steps[${i}].id`, `definition.steps[${first}] has this id already`);
  });
  const ways = parts.map((_, i) => new Way(places, i + 1 < ids.length ? (ids[i + 1] ?? null) : null));
  const steps = parts.map((one, i) => one && readOne(one, ids[i] ?? '', ways[i] as Way, about));
  const isWhole = places.size === ids.length && ways.every((way) => !way.isBroken);
  if (isWhole && ids.length > 0)
    checkGraph(
      parts.map((one, i) => nodeOf(one?.fields, i, ids[i] ?? '', ways[i] as Way)),
      faults,
    );
  return steps.filter((step) => step !== undefined);
}

function readOne(part: Part, id: string, way: Way, about: About): Step | undefined {
  const type = part.wanted<StepType | undefined>('type', readOneOf(stepTypes), undefined);
  if (type === undefined) {
    way.isBroken = true;
    return undefined;
  }
  const name = part.optional('name', readStepName);
  const at = { id, place: part.place, ...(name === undefined ? {} : { name }) };
  const step = readStep(type, at, part, way, about);
  part.end();
  return step;
}

const stepId = new RegExp(stepIdPattern);

function readStepId(value: unknown, place: string): string {
  if (typeof value === 'string' && stepId.test(value)) return value;
  throw new FilterFault(place, 'an id of 1 to 64 letters, digits, _ and - is wanted');
}

function readStepName(value: unknown, place: string): string {
  return readText(typeof value === 'string' ? value.trim() : value, place, journeyLimits.stepName);
}

function nodeOf(fields: Fields | undefined, i: number, id: string, { exits }: Way): Node {
  const isWait = isStepType(fields?.type) && stepRow(fields.type).waits === true;
  return { id, place: `definition.steps[${i}]`, isWait, exits };
}
