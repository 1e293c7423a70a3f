import { isDeepStrictEqual } from 'node:util';
import type { BodyValue, DataValue, updateDynamicList as route } from '@rapport/contract';
import type { Transaction } from '../../db/database.js';
import { invalid, notFound } from '../../http/api-error.js';
import { isAssetId } from '../../lib/ids.js';
import { type Filter, readsOf } from '../filter-language/index.js';
import { type Authoring, type By, isFolder } from './authoring.js';
import { checkReferences, refuseCircle } from './check-references.js';
import { bumpVersion, type Content, holdDynamicList, lockEdits, setFilter, updateDynamicListRow } from './queries.js';

/** Changes the given fields. `filter` is the parsed filter of the body, if there is one. */
export async function updateDynamicList(
  tx: Transaction,
  by: By,
  listId: string,
  change: BodyValue<typeof route>,
  filter: Filter | undefined,
  authoring: Authoring,
): Promise<DataValue<typeof route>> {
  const { tenantId } = by;
  // Not for a new name or folder: those need no lock.
  if (filter) await lockEdits(tx, tenantId);
  const folderIsThere = await isFolder(tx, tenantId, change.folderId);
  const stored = isAssetId(listId) ? await holdDynamicList(tx, tenantId, listId) : undefined;
  if (!stored) throw notFound('dynamic list');
  if (!folderIsThere) throw invalid('folderId', 'is not a folder');
  await authoring.checkOwner(tx, tenantId, change.journeyId);
  // The same filter finds the same contacts: there is nothing to rebuild.
  const isSameFilter = !filter || isDeepStrictEqual(change.filter, stored.filter);
  if (filter) {
    await checkReferences(tx, tenantId, filter);
    await refuseCircle(tx, tenantId, filter, listId);
    if (!isSameFilter) {
      await setFilter(tx, tenantId, listId, change.filter, readsOf(filter).context);
      await bumpVersion(tx, tenantId);
      tx.afterCommit(authoring.needs.onEdit);
    }
  }
  const content = merge(stored, change);
  const isSame = isSameFilter && isDeepStrictEqual(content, merge(stored, {}));
  const row = await updateDynamicListRow(tx, by, listId, content, isSame);
  return { ...row, filter: filter ? change.filter : stored.filter };
}

/** Null clears what is optional. */
function merge(stored: Content, { name, description, folderId, journeyId }: BodyValue<typeof route>): Content {
  return {
    name: name ?? stored.name,
    description: description === undefined ? stored.description : description || null,
    folderId: folderId === undefined ? stored.folderId : folderId,
    journeyId: journeyId === undefined ? stored.journeyId : journeyId,
  };
}
