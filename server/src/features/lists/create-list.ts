import type { Transaction } from '../../db/database.js';
import { ApiError } from '../../http/api-error.js';
import { newAssetId } from '../../lib/ids.js';
import { resolveFolder } from '../folders/index.js';
import { insertStaticList, type StaticListRow } from './queries.js';

export async function createList(
  tx: Transaction,
  by: { tenantId: number; accountId: number },
  { name, folder }: { name: string; folder?: string },
): Promise<StaticListRow> {
  const { tenantId, accountId } = by;
  const directory = folder === undefined ? undefined : await resolveFolder(tx, tenantId, folder);
  const folderId = directory?.directoryId ?? null;
  const list = await insertStaticList(tx, { tenantId, listId: newAssetId(), name, folderId, accountId });
  if (!list) throw new ApiError('LIST_ALREADY_EXISTS', { name });
  return list;
}
