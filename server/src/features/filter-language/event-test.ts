// The `where` of one event in memory, for callers that have the event. In journeys a value may come from the event that started the journey.
import { isOperator, negatedBy, type Operand, operators } from '@rapport/contract';
import { FilterFault, FilterFaults, placeOf } from './fault.js';
import { holdsValue } from './hold-value.js';
import { readOperator } from './read-test.js';
import { Reading, readTree } from './read-tree.js';
import { type Fields, has, readObject, readPath, refuseOthers } from './read-value.js';
import { readEventCondition } from './read-where.js';
import { Subjects } from './subjects.js';
import { type EventFieldCondition, type EventPropertyCondition, type Group, isGroup } from './tree.js';

export interface TestedEvent {
  readonly userId: string | null;
  readonly orgId: string | null;
  /** As the API writes times. */
  readonly eventDate: string;
  readonly properties: Readonly<Record<string, unknown>> | null;
}

interface TestedAt {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The properties of the entry event: what `{entry: path}` looks into. */
  readonly entry?: Readonly<Record<string, unknown>> | undefined;
}

export interface EventTest {
  holds(event: TestedEvent, at: TestedAt): boolean;
}

/** Reads a `where`, or throws FilterFaults, of which `most` are told. */
export function readEventTest(
  json: unknown,
  place: string,
  { allowEntry, most }: { allowEntry: boolean; most?: number },
): EventTest {
  const reading = new Reading(place, new Subjects([]), most);
  const tree = readTree(json, place, reading, allowEntry ? readMaybeLate : readEventCondition);
  reading.end();
  return { holds: (event, at) => holdsTree(tree, event, at) };
}

type Plain = EventPropertyCondition | EventFieldCondition;
/** A condition whose operator can only be read once the entry event is known. `plain` has something in its place. */
interface Late {
  readonly kind: 'late';
  readonly path: string;
  readonly plain: Plain;
  /** With `Entry` wherever a value of the entry event stands. */
  readonly operand: unknown;
}
type Part = Plain | Late;
type Tree = Group<Tree> | Part;

class Entry {
  constructor(readonly at: readonly string[]) {}
}

function readMaybeLate(fields: Fields, path: string): Part {
  const key = Object.keys(fields).find((one) => takesEntry(one) && hasEntry(fields[one]));
  if (key === undefined) return readEventCondition(fields, path);
  const operand = readOperand(fields[key], placeOf(path, key));
  const plain = readEventCondition({ ...fields, [key]: stoodInFor(key, operand) }, path);
  return { kind: 'late', path, plain, operand };
}

/** `exists` compares with nothing. */
function takesEntry(key: string): boolean {
  return isOperator(key) && key !== 'exists';
}

function hasEntry(operand: unknown): boolean {
  return isEntry(operand) || (Array.isArray(operand) && operand.some(isEntry));
}

function isEntry(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && has(value as Fields, 'entry');
}

function readOperand(operand: unknown, path: string): unknown {
  if (Array.isArray(operand)) return operand.map((one, i) => readEntry(one, `${path}[${i}]`));
  return readEntry(operand, path);
}

function readEntry(value: unknown, path: string): unknown {
  if (!isEntry(value)) return value;
  refuseOthers(readObject(value, path), path, ['entry']);
  return new Entry(readPath(value.entry, placeOf(path, 'entry')));
}

/** The operand with values that the operator takes in place of those that are not known yet, so that the rest of it is checked. */
function stoodInFor(key: string, operand: unknown): unknown {
  if (!Array.isArray(operand)) return operand instanceof Entry ? example(key) : operand;
  const given = operand.find((one) => !(one instanceof Entry));
  // Of two bounds the other one, which is never reversed.
  const instead = key === 'between' && given !== undefined ? given : example(key);
  return operand.map((one) => (one instanceof Entry ? instead : one));
}

const examples: Partial<Record<Operand, unknown>> = { number: 0, range: 0, time: '2000-01-01', duration: 'PT1S' };

function example(key: string): unknown {
  return (isOperator(key) && examples[operators[key].wants]) ?? 'a';
}

function holdsTree(tree: Tree, event: TestedEvent, at: TestedAt): boolean {
  if (isGroup<Tree>(tree)) {
    if (tree.kind === 'all') return tree.of.every((part) => holdsTree(part, event, at));
    return tree.of.some((part) => holdsTree(part, event, at)) === (tree.kind === 'any');
  }
  if (tree.kind === 'late') return holdsLate(tree, event, at);
  return holdsValue(valueIn(tree, event), tree.test, at.now);
}

/** What the operator wants and the entry event has not makes it false, and a negative one true. */
function holdsLate({ plain, operand }: Late, event: TestedEvent, at: TestedAt): boolean {
  const { op } = plain.test;
  const wanted = wantedOf(operand, at.entry);
  try {
    return holdsValue(valueIn(plain, event), readOperator(op, wanted, plain.path), at.now);
  } catch (error) {
    if (error instanceof FilterFault || error instanceof FilterFaults) return negatedBy(op) !== undefined;
    throw error;
  }
}

/** Of a list, what is not there is left out. */
function wantedOf(operand: unknown, entry: TestedAt['entry']): unknown {
  if (!Array.isArray(operand)) return operand instanceof Entry ? scalarAt(entry, operand.at) : operand;
  return operand.flatMap((one) => (one instanceof Entry ? (scalarAt(entry, one.at) ?? []) : [one]));
}

function scalarAt(properties: TestedAt['entry'], path: readonly string[]): unknown {
  const value = valueAt(properties, path);
  return typeof value === 'object' ? undefined : value;
}

function valueIn(condition: Plain, event: TestedEvent): unknown {
  return condition.kind === 'eventField' ? event[condition.field] : valueAt(event.properties, condition.at);
}

/** Only into objects, and only what is their own. */
function valueAt(properties: Readonly<Record<string, unknown>> | null | undefined, path: readonly string[]): unknown {
  let value: unknown = properties;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, key)) {
      return undefined;
    }
    value = (value as Fields)[key];
  }
  return value;
}
