// The properties of events with a name, from its newest events: their keys, types, frequency and values.

import type { EventProperty, eventPropertyTypes } from '@rapport/contract';
import { isObject } from '@rapport/contract';
import type { Static } from 'typebox';
import type { Database } from '../../../db/database.js';
import { notFound } from '../../../http/api-error.js';
import { parseInstant } from '../../../lib/instant.js';
import { selectKnownNames } from '../queries.js';
import { mostKept, selectRecent } from '../recent/index.js';

type PropertyType = (typeof eventPropertyTypes)[number];
type Described = Static<typeof EventProperty>;

const mostProperties = 500;
const mostExamples = 5;
const longestExample = 200;
// Deeper values are skipped: no page has room for them.
const deepest = 8;

export async function describeProperties(
  db: Database,
  tenantId: number,
  eventName: string,
): Promise<{ properties: Described[]; sampled: number }> {
  const known = await selectKnownNames(db, tenantId, [eventName]);
  if (!known.has(eventName)) throw notFound('event name');
  const everything = { eventName, after: -1, limit: mostKept };
  const events = await selectRecent(db.bulky(tenantId), tenantId, everything, Number.MAX_SAFE_INTEGER);
  return { properties: describe(events.map((event) => event.eventProperties)), sampled: events.length };
}

interface Found {
  path: string[];
  events: number;
  types: Map<PropertyType, number>;
  /** By their JSON, so that equal ones are shown once. */
  examples: Map<string, unknown>;
}

/** `objects`: newest first. */
export function describe(objects: readonly Readonly<Record<string, unknown>>[]): Described[] {
  const found = new Map<string, Found>();
  for (const object of objects) note(found, [], object);
  return [...found.values()]
    .sort((a, b) => b.events - a.events || (a.path.join('\0') < b.path.join('\0') ? -1 : 1))
    .slice(0, mostProperties)
    .map(({ path, events, types, examples }) => ({
      path,
      types: [...types].sort(([, a], [, b]) => b - a).map(([type]) => type),
      share: Math.round((events / objects.length) * 1000) / 1000,
      examples: [...examples.values()],
    }));
}

function note(found: Map<string, Found>, above: string[], object: object): void {
  for (const [key, value] of Object.entries(object)) {
    const path = [...above, key];
    if (isObject(value) && path.length < deepest) note(found, path, value);
    const type = typeOf(value);
    if (type) noteValue(found, path, type, value);
  }
}

function noteValue(found: Map<string, Found>, path: string[], type: PropertyType, value: unknown): void {
  const key = path.join('\0');
  const facts = found.get(key) ?? { path, events: 0, types: new Map(), examples: new Map() };
  found.set(key, facts);
  facts.events++;
  facts.types.set(type, (facts.types.get(type) ?? 0) + 1);
  const example = shortened(value);
  if (facts.examples.size < mostExamples) facts.examples.set(JSON.stringify(example), example);
}

/** Null says nothing about the type of a property, and an object is described by its keys. */
function typeOf(value: unknown): PropertyType | undefined {
  switch (typeof value) {
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'string':
      return parseInstant(value) === undefined ? 'text' : 'time';
    default:
      return Array.isArray(value) ? 'list' : undefined;
  }
}

function shortened(value: unknown): unknown {
  if (typeof value === 'string') return cut(value);
  if (Array.isArray(value)) return value.slice(0, mostExamples).map((item) => (isPlain(item) ? shortened(item) : '…'));
  return value;
}

function isPlain(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

function cut(text: string): string {
  return text.length <= longestExample ? text : `${text.slice(0, longestExample).replace(/[\ud800-\udbff]$/, '')}…`;
}
