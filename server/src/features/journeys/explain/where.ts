// Which part of an entry's `where` an event fails. Pure.
import { readEventTest, type TestedEvent } from '../../filter-language/index.js';
import type { Json } from '../queries.js';

const mostShown = 200;

/** The part in words with its place; nothing where the event fits. */
export function failingPart(definition: Json, event: TestedEvent): string | undefined {
  const { event: entry } = (definition.entry ?? {}) as { event?: { where?: unknown } };
  if (entry?.where === undefined) return undefined;
  return failing(entry.where, 'definition.entry.event.where', event);
}

function failing(where: unknown, place: string, event: TestedEvent): string | undefined {
  const now = Date.parse(event.eventDate);
  if (readEventTest(where, place, { allowEntry: false }).holds(event, { now })) return undefined;
  const { all } = where as { all?: readonly unknown[] };
  const parts = Array.isArray(all) ? all : [];
  for (const [i, part] of parts.entries()) {
    const found = failing(part, `${place}.all[${i}]`, event);
    if (found !== undefined) return found;
  }
  const text = JSON.stringify(where);
  return `${place} (${text.length > mostShown ? `${text.slice(0, mostShown).toWellFormed()}…` : text})`;
}
