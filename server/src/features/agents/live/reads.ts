// What a definition or a filter reads of contacts: changing that may start or move people. Pure.
import { isObject } from '@rapport/contract';

export interface Reads {
  properties: Set<string>;
  staticLists: Set<string>;
  dynamicLists: Set<string>;
  /** Ids or keys. */
  topics: Set<string>;
}

const noReads = (): Reads => ({
  ...{ properties: new Set(), staticLists: new Set(), dynamicLists: new Set(), topics: new Set() },
});

/** What it waits for, decides by and begins with. What its steps write is not read. */
export function readsOfDefinition(definition: unknown): Reads {
  const reads = noReads();
  if (!isObject(definition)) return reads;
  const { entry, exitWhen, goal, steps } = definition;
  for (const part of [entry, exitWhen, goal]) walk(part, reads);
  for (const step of Array.isArray(steps) ? steps : []) {
    if (!isObject(step)) continue;
    for (const part of [step.cases, step.branches]) walk(part, reads);
    if (typeof step.untilProperty === 'string') reads.properties.add(step.untilProperty);
    if (step.untilTime !== undefined || step.untilLocal !== undefined) reads.properties.add('time_zone');
  }
  if (isObject(entry) && entry.date !== undefined) reads.properties.add('time_zone');
  return reads;
}

export function readsOfFilter(filter: unknown): Reads {
  const reads = noReads();
  walk(filter, reads);
  return reads;
}

/** Reads any property: a change of any of them counts. */
export const anyProperty = '*';
/** Among topics: reads that one was left, whichever. That is marketing activity, too. */
export const leftTopic = '*';

function walk(value: unknown, reads: Reads): void {
  if (Array.isArray(value)) for (const each of value) walk(each, reads);
  if (!isObject(value)) return;
  const add = (set: Set<string>, text: unknown) => {
    if (typeof text === 'string') set.add(text);
  };
  add(reads.properties, value.property);
  if (value.contact === 'updatedAt') reads.properties.add(anyProperty);
  add(reads.staticLists, value.staticListId);
  add(reads.dynamicLists, value.dynamicListId);
  add(reads.topics, value.topicId);
  add(reads.topics, value.topic);
  if (value.marketing === 'unsubscribed') reads.topics.add(leftTopic);
  for (const each of Object.values(value)) walk(each, reads);
}
