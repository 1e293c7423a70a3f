// What a definition names, read without asking whether the rest of it is right. Pure.
import { placeOf } from '../filter-language/index.js';
import type { Reference, References } from './definition/definition.js';
import { addNamed, type Named, noReferences } from './definition/references.js';

/** Deeper than any filter may be. */
const mostDeep = 64;

export function namedIn(json: unknown): References {
  const { entry, steps, exitWhen, goal } = objectOf(json);
  const named = noReferences();
  addAssets(entry, 'definition.entry', named);
  addAssets(exitWhen, 'definition.exitWhen', named);
  addAssets(goal, 'definition.goal', named);
  for (const [i, json] of arrayOf(steps).entries()) {
    const step = objectOf(json);
    const place = `definition.steps[${i}]`;
    addNamed(step, place, named);
    for (const key of ['cases', 'branches'])
      for (const [n, way] of arrayOf(step[key]).entries())
        addAssets(objectOf(way).filter, `${place}.${key}[${n}].filter`, named);
  }
  return named;
}

/** Wherever a key of an entry or a filter names something. */
function addAssets(json: unknown, place: string, named: Named, depth = 0): void {
  if (depth > mostDeep) return;
  for (const [i, item] of arrayOf(json).entries()) addAssets(item, `${place}[${i}]`, named, depth + 1);
  for (const [key, value] of Object.entries(objectOf(json))) {
    const at = placeOf(place, key);
    if (key === 'staticListId') add(value, at, named.staticList);
    else if (key === 'dynamicListId') add(value, at, named.dynamicList);
    // A condition has `topic`, an entry an object of that name.
    else if (key === 'topicId' || (key === 'topic' && typeof value === 'string')) add(value, at, named.topic);
    else if (key === 'formId') add(value, at, named.form);
    else if (key === 'emailId') add(value, at, named.email);
    else if (key === 'journeyId') add(value, at, named.journey);
    else addAssets(value, at, named, depth + 1);
  }
}

function add(id: unknown, place: string, references: Reference[]): void {
  if (typeof id === 'string') references.push({ id, place });
}

function objectOf(json: unknown): Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null && !Array.isArray(json) ? (json as Record<string, unknown>) : {};
}

function arrayOf(json: unknown): readonly unknown[] {
  return Array.isArray(json) ? json : [];
}
