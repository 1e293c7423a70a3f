// The `where` of events: a filter over one event.
import { eventFields, namesOf } from '@rapport/contract';
import { FilterFault, placeOf } from './fault.js';
import { readTest } from './read-test.js';
import { type Reading, readTree } from './read-tree.js';
import { type Fields, has, readOneOf, readPath } from './read-value.js';
import type { EventFieldCondition, EventFilter, EventPropertyCondition } from './tree.js';

export function readWhere(json: unknown, path: string, reading: Reading): EventFilter {
  return readTree(json, path, reading, readEventCondition);
}

export function readEventCondition(fields: Fields, path: string): EventPropertyCondition | EventFieldCondition {
  const [isProperty, isField] = [has(fields, 'eventProperty'), has(fields, 'eventField')];
  if (isProperty && isField) {
    throw new FilterFault(path, 'one subject is wanted, not "eventProperty" and "eventField"');
  }
  if (isProperty) {
    const at = readPath(fields.eventProperty, placeOf(path, 'eventProperty'));
    return { kind: 'eventProperty', path, at, test: readTest(fields, path, ['eventProperty']) };
  }
  if (isField) return readEventField(fields, path);
  throw new FilterFault(path, 'a condition on an event is wanted: "eventProperty" or "eventField"');
}

function readEventField(fields: Fields, path: string): EventFieldCondition {
  const field = readOneOf(namesOf(eventFields))(fields.eventField, placeOf(path, 'eventField'));
  return { kind: 'eventField', path, field, test: readTest(fields, path, ['eventField'], eventFields[field]) };
}
