import type { BodyValue, DataValue, createDynamicList as route } from '@rapport/contract';
import type { Transaction } from '../../db/database.js';
import { invalid } from '../../http/api-error.js';
import { newAssetId } from '../../lib/ids.js';
import { type Filter, readsOf } from '../filter-language/index.js';
import { type Authoring, type By, isFolder } from './authoring.js';
import { checkReferences } from './check-references.js';
import { bumpVersion, insertDynamicList, lockEdits } from './queries.js';

/** `filter` is the parsed filter of the body. */
export async function createDynamicList(
  tx: Transaction,
  by: By,
  body: BodyValue<typeof route>,
  filter: Filter,
  authoring: Authoring,
): Promise<DataValue<typeof route>> {
  const { name, description, folderId, journeyId } = body;
  await lockEdits(tx, by.tenantId);
  if (!(await isFolder(tx, by.tenantId, folderId))) throw invalid('folderId', 'is not a folder');
  await authoring.checkOwner(tx, by.tenantId, journeyId);
  await checkReferences(tx, by.tenantId, filter);
  const row = await insertDynamicList(tx, by, newAssetId(), {
    ...{ name, description: description || null, folderId: folderId ?? null, journeyId: journeyId ?? null },
    ...{ filter: body.filter, context: readsOf(filter).context },
  });
  await bumpVersion(tx, by.tenantId);
  tx.afterCommit(authoring.needs.onEdit);
  return { ...row, filter: body.filter };
}
