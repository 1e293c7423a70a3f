// What a definition names, and what its journey listens to.
import { assetFields, assetKinds, isStepType } from '@rapport/contract';
import { type Filter, readsOf } from '../../filter-language/index.js';
import type { Audience, Definition, Entry, Reference, References, Step } from './definition.js';

/** Every filter of a definition; its `path` is its place. */
export function filtersOf(definition: Definition): readonly Filter[] {
  return [...watchedOf(definition), ...definition.steps.flatMap(casesOf)];
}

/** Those that are looked at whenever something changes: the goal, exitWhen, and what steps wait for. */
function watchedOf({ goal, exitWhen, steps }: Definition): readonly Filter[] {
  return [...(goal ? [goal.filter] : []), ...(exitWhen ? [exitWhen] : []), ...steps.flatMap(waitedOf)];
}

function casesOf(step: Step): readonly Filter[] {
  return step.type === 'branch' ? step.cases.map((one) => one.filter) : [];
}

function waitedOf(step: Step): readonly Filter[] {
  if (step.type !== 'waitUntil') return [];
  return step.branches.flatMap((branch) => (branch.kind === 'filter' ? [branch.filter] : []));
}

/** Every id that a definition names, lists in its filters too. What other features' conditions name, findMissing() tells. */
export function referencesOf(definition: Definition): References {
  const named = noReferences();
  const addList = (list: Audience, place: string) =>
    'staticListId' in list
      ? named.staticList.push({ id: list.staticListId, place: `${place}.staticListId` })
      : named.dynamicList.push({ id: list.dynamicListId, place: `${place}.dynamicListId` });
  for (const { list, place } of listsOf(definition.entry)) addList(list, place);
  const { entry } = definition;
  if (entry.kind === 'topic') named.topic.push({ id: entry.topicId, place: 'definition.entry.topic.topicId' });
  if (entry.kind === 'form') named.form.push({ id: entry.formId, place: 'definition.entry.form.formId' });
  for (const step of definition.steps) addNamed(step, step.place, named);
  for (const reads of filtersOf(definition).map(readsOf)) {
    for (const { listId, path } of reads.staticLists) addList({ staticListId: listId }, path);
    for (const { listId, path } of reads.dynamicLists) addList({ dynamicListId: listId }, path);
  }
  return named;
}

export type Named = { [Kind in keyof References]: Reference[] };

export function noReferences(): Named {
  return Object.fromEntries([...assetKinds, 'dynamicList', 'form'].map((kind) => [kind, []])) as unknown as Named;
}

/** Adds what the fields of a step name. `step` may be unfinished. */
export function addNamed(step: object, place: string, named: Named): void {
  const { type, ...fields } = step as Readonly<Record<string, unknown>>;
  for (const [field, kind] of isStepType(type) ? assetFields(type) : []) {
    const id = fields[field];
    if (typeof id === 'string') named[kind].push({ id, place: `${place}.${field}` });
  }
}

function listsOf(entry: Entry): readonly { list: Audience; place: string }[] {
  if (entry.kind === 'batch') return [{ list: entry.audience, place: 'definition.entry.audience' }];
  if (entry.kind === 'joined') return [{ list: entry.list, place: 'definition.entry.joined' }];
  if (entry.kind === 'left') return [{ list: { dynamicListId: entry.dynamicListId }, place: 'definition.entry.left' }];
  return [];
}

/** What a journey listens to beside its entry. */
interface DefinitionReads {
  /** The names of events that end waits. */
  readonly waitsFor: ReadonlySet<string>;
  /** What the goal, exitWhen and the filters that are waited for read of the contact: keys as in the Reads of a filter. */
  readonly own: ReadonlySet<string>;
  readonly ofOrgMembers: ReadonlySet<string>;
  /** One of them can change by the clock alone. */
  readonly isTimed: boolean;
}

export function readsOfDefinition(definition: Definition): DefinitionReads {
  const reads = watchedOf(definition).map(readsOf);
  const names = definition.steps.flatMap((step) =>
    step.type === 'waitUntil'
      ? step.branches.flatMap((branch) => (branch.kind === 'event' ? [branch.eventName] : []))
      : [],
  );
  return {
    waitsFor: new Set(names),
    own: new Set(reads.flatMap((one) => [...one.own])),
    ofOrgMembers: new Set(reads.flatMap((one) => [...one.ofOrgMembers])),
    isTimed: reads.some((one) => one.isTimed),
  };
}
