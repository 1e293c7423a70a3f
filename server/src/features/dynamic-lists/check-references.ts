import type { Runner, Transaction } from '../../db/database.js';
import { isAssetId } from '../../lib/ids.js';
import { selectTopicNames, topicKey } from '../consent/index.js';
import {
  conditionsOf,
  type Fault,
  type Filter,
  faulty,
  type Names,
  type Reads,
  readsOf,
} from '../filter-language/index.js';
import { selectListNames } from '../lists/index.js';
import { selectDynamicNames, selectLeadingTo } from './references/queries.js';

/** The names of the lists and topics that a filter mentions, by id, without unknown ones. */
export type AssetNames = Required<Names>;

const topicPrefix = topicKey('');

export async function namesIn(db: Runner, tenantId: number, reads: Reads): Promise<AssetNames> {
  const ids = (lists: Reads['staticLists']) => [...new Set(lists.map((list) => list.listId))].filter(isAssetId);
  const topicIds = [...reads.own].flatMap((key) => (key.startsWith(topicPrefix) ? key.slice(topicPrefix.length) : []));
  const ofStatic = await selectListNames(db, tenantId, ids(reads.staticLists));
  const ofDynamic = await selectDynamicNames(db, tenantId, ids(reads.dynamicLists));
  const ofTopics = await selectTopicNames(db, tenantId, topicIds);
  return {
    staticList: (id) => ofStatic.get(id),
    dynamicList: (id) => ofDynamic.get(id),
    topic: (id) => ofTopics.get(id),
  };
}

/** Unknown things that a filter names, each with its place. */
export async function findMissing(
  db: Runner,
  tenantId: number,
  filter: Filter,
): Promise<{ names: AssetNames; missing: Fault[] }> {
  const reads = readsOf(filter);
  const names = await namesIn(db, tenantId, reads);
  const missing: Fault[] = [
    ...reads.staticLists
      .filter(({ listId }) => names.staticList(listId) === undefined)
      .map(({ path }) => ({ path: `${path}.staticListId`, words: 'there is no such static list' })),
    ...reads.dynamicLists
      .filter(({ listId }) => names.dynamicList(listId) === undefined)
      .map(({ path }) => ({ path: `${path}.dynamicListId`, words: 'there is no such dynamic list' })),
  ];
  for (const condition of conditionsOf(filter)) {
    if (condition.kind !== 'registered') continue;
    const { subject, spec, path } = condition;
    missing.push(...((await subject.missing?.(db, tenantId, spec, path)) ?? []));
  }
  return { names, missing };
}

/** Refuses a filter that names unknown things. Returns the names of its lists and topics. */
export async function checkReferences(db: Runner, tenantId: number, filter: Filter): Promise<AssetNames> {
  const { names, missing } = await findMissing(db, tenantId, filter);
  if (missing.length > 0) throw faulty(missing);
  return names;
}

/** Refuses a filter that makes the list depend on itself, through any number of lists. */
export async function refuseCircle(tx: Transaction, tenantId: number, filter: Filter, listId: string): Promise<void> {
  const { dynamicLists } = readsOf(filter);
  const ids = [...new Set(dynamicLists.map((list) => list.listId))];
  const leading = await selectLeadingTo(tx, tenantId, ids, listId);
  const circles = dynamicLists.filter((list) => leading.has(list.listId));
  if (circles.length === 0) return;
  throw faulty(
    circles.map(({ path, listId: id }) => ({
      path: `${path}.dynamicListId`,
      words: id === listId ? 'the list cannot be a part of itself' : 'the list is a part of that list: a circle',
    })),
  );
}
