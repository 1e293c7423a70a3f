import type { Transaction } from '../../db/database.js';
import { ApiError, notFound } from '../../http/api-error.js';
import { isAssetId } from '../../lib/ids.js';
import type { TopicUseCheck } from '../consent/index.js';
import { forgetSizes, type ListUseCheck } from '../lists/index.js';
import type { Authoring, By, DynamicListUseCheck } from './authoring.js';
import { bumpVersion, findDynamicList, lockEdits, markDeleted } from './queries.js';
import { selectUsers } from './references/queries.js';

/** Its members are swept by the worker. */
export async function deleteDynamicList(tx: Transaction, by: By, listId: string, authoring: Authoring): Promise<void> {
  await lockEdits(tx, by.tenantId);
  if (!isAssetId(listId) || !(await findDynamicList(tx, by.tenantId, listId))) throw notFound('dynamic list');
  await authoring.refuseKept(tx, by.tenantId, listId);
  const reason = await useOf(tx, by, listId, authoring);
  if (reason) throw new ApiError('INVALID_STATE', { reason });
  await remove(tx, by, listId, authoring);
}

/** The same without a refusal: one that is gone, or that something uses, stays as it is. */
export async function dropUnused(tx: Transaction, by: By, listId: string, authoring: Authoring): Promise<void> {
  await lockEdits(tx, by.tenantId);
  if (!(await findDynamicList(tx, by.tenantId, listId)) || (await useOf(tx, by, listId, authoring))) return;
  await remove(tx, by, listId, authoring);
}

async function useOf(tx: Transaction, { tenantId }: By, listId: string, { needs }: Authoring) {
  for (const findUse of [useInFilters, ...needs.uses]) {
    const reason = await findUse(tx, tenantId, listId);
    if (reason) return reason;
  }
  return undefined;
}

async function remove(tx: Transaction, by: By, listId: string, { needs }: Authoring): Promise<void> {
  await markDeleted(tx, by, listId);
  await forgetSizes(tx, by.tenantId, listId);
  await bumpVersion(tx, by.tenantId);
  tx.afterCommit(needs.onEdit);
}

const useInFilters: DynamicListUseCheck = async (tx, tenantId, listId) =>
  inWords(await selectUsers(tx, tenantId, 'dynamicListId', listId));

/** A static list that a live filter uses cannot be deleted. Filters cannot be edited until the deletion ends. */
export const staticListUse: ListUseCheck = async (tx, tenantId, listId) => {
  await lockEdits(tx, tenantId);
  return inWords(await selectUsers(tx, tenantId, 'staticListId', listId));
};

/** Nor can a topic. */
export const topicUse: TopicUseCheck = async (tx, tenantId, topicId) => {
  await lockEdits(tx, tenantId);
  return inWords(await selectUsers(tx, tenantId, 'topic', topicId));
};

const mostNamed = 3;

function inWords(names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  const named = names.slice(0, mostNamed).map((name) => `"${name}"`);
  const more = names.length - named.length;
  const whose = [...named, ...(more > 0 ? [`${more} more`] : [])].join(', ');
  const [noun, pronoun] =
    names.length === 1 ? ['the dynamic list', 'its filter'] : ['the dynamic lists', 'their filters'];
  return `It is used by ${noun} ${whose}. Change ${pronoun} first.`;
}
