// A definition before contacts enter it: read, and everything that it names is there.

import type { Runner } from '../../db/database.js';
import { isAssetId } from '../../lib/ids.js';
import { selectTopicNames } from '../consent/index.js';
import { findMissing, selectDynamicNames } from '../dynamic-lists/index.js';
import { selectLiveIds } from '../emails/index.js';
import { type Fault, FilterFaults, faulty, type Subjects } from '../filter-language/index.js';
import { isForm } from '../forms/index.js';
import { selectListNames } from '../lists/index.js';
import type { Definition, Reference, References } from './definition/definition.js';
import { mostTold } from './definition/part.js';
import { readDefinition } from './definition/read.js';
import { filtersOf, referencesOf } from './definition/references.js';
import { namedIn } from './named-in.js';
import { type JourneyType, selectTypes } from './queries.js';

/** A 400 names every fault with its place, in what was written and in what is missing. `known`: faults that were found before. */
export async function checkDefinition(
  db: Runner,
  tenantId: number,
  json: unknown,
  type: JourneyType,
  subjects: Subjects,
  known: readonly Fault[] = [],
): Promise<Definition> {
  const { definition, faults } = await findFaults(db, tenantId, json, type, subjects, known);
  if (faults.length > 0 || !definition) throw faulty(faults);
  return definition;
}

/** The same without a refusal. A definition that could not be read has a fault. */
export async function findFaults(
  db: Runner,
  tenantId: number,
  json: unknown,
  type: JourneyType,
  subjects: Subjects,
  known: readonly Fault[] = [],
): Promise<{ definition: Definition | undefined; faults: Fault[] }> {
  let definition: Definition | undefined;
  const faults: Fault[] = [];
  try {
    definition = readDefinition(json, type, subjects);
  } catch (error) {
    if (!(error instanceof FilterFaults)) throw error;
    faults.push(...error.faults);
  }
  faults.push(...known);
  // What cannot be read as a whole may still name things, and an author wants to hear of everything at once.
  faults.push(...(await missingOf(db, tenantId, definition ? referencesOf(definition) : namedIn(json))));
  for (const filter of definition ? filtersOf(definition) : [])
    faults.push(...(await findMissing(db, tenantId, filter)).missing);
  return { definition, faults: oneEach(faults).slice(0, mostTold) };
}

/** Of two faults at one place the first says enough. */
function oneEach(faults: readonly Fault[]): Fault[] {
  const places = new Set<string>();
  return faults.filter(({ path }) => !places.has(path) && places.add(path));
}

async function missingOf(db: Runner, tenantId: number, named: References): Promise<Fault[]> {
  const ids = (references: readonly Reference[]) => [...new Set(references.map(({ id }) => id))].filter(isAssetId);
  const emails = await selectLiveIds(db, tenantId, ids(named.email));
  const staticLists = await selectListNames(db, tenantId, ids(named.staticList));
  const dynamicLists = await selectDynamicNames(db, tenantId, ids(named.dynamicList));
  const topics = await selectTopicNames(db, tenantId, ids(named.topic));
  const forms = new Set<string>();
  for (const formId of ids(named.form)) if (await isForm(db, tenantId, formId)) forms.add(formId);
  const journeys = [...named.journey, ...named.triggerJourney];
  const types = await selectTypes(db, tenantId, ids(journeys));
  const gone = (references: readonly Reference[], there: { has(id: string): boolean }, what: string): Fault[] =>
    references
      .filter(({ id }) => !there.has(id))
      .map(({ place }) => ({ path: place, words: `there is no such ${what}` }));
  return [
    ...gone(named.email, emails, 'email'),
    ...gone(named.staticList, staticLists, 'static list'),
    ...gone(named.dynamicList, dynamicLists, 'dynamic list'),
    ...gone(named.topic, topics, 'topic'),
    ...gone(named.form, forms, 'form'),
    ...gone(journeys, types, 'journey'),
    ...named.triggerJourney
      .filter(({ id }) => types.get(id) === 'batch')
      .map(({ place }) => ({ path: place, words: 'a batch journey cannot be started: a trigger journey is wanted' })),
  ];
}
