// Evaluates a filter that reads only properties, for a contact whose properties are loaded: the same as in SQL, without a statement.
import { holdsValue } from './hold-value.js';
import { type Filter, isGroup, type ValueTest } from './tree.js';

const known = new WeakMap<Filter, boolean>();

/** Whether it follows from the properties alone, and stays so until one of them changes. */
export function followsFromProperties(filter: Filter): boolean {
  let follows = known.get(filter);
  if (follows === undefined) {
    follows = isGroup(filter)
      ? filter.of.every(followsFromProperties)
      : filter.kind === 'property' && !asksForMore(filter.test);
    known.set(filter, follows);
  }
  return follows;
}

/** Not for the value alone: how long ago it is, or what it was before. */
function asksForMore(test: ValueTest): boolean {
  return 'duration' in test || test.op === 'hasEverBeen';
}

/** Of a filter that follows from the properties. */
export function holdsForProperties(filter: Filter, properties: Readonly<Record<string, unknown>>): boolean {
  if (isGroup(filter)) {
    const holds = (part: Filter) => holdsForProperties(part, properties);
    if (filter.kind === 'all') return filter.of.every(holds);
    return filter.of.some(holds) === (filter.kind === 'any');
  }
  if (filter.kind !== 'property') throw new Error(`${filter.path} asks for more than properties`);
  const value = Object.hasOwn(properties, filter.key) ? properties[filter.key] : undefined;
  // No test that is left looks at the time.
  return holdsValue(value, filter.test, 0);
}
