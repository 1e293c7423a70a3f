import { violatedUnique } from '../../db/connect.js';
import type { Transaction } from '../../db/database.js';
import { ApiError, notFound } from '../../http/api-error.js';
import { isAssetId } from '../../lib/ids.js';
import { resolveFolder } from '../folders/index.js';
import { findStaticList, updateStaticList } from './queries.js';

export async function updateList(
  tx: Transaction,
  by: { tenantId: number; accountId: number },
  listId: string,
  { name, folder }: { name?: string; folder?: string | null },
): Promise<void> {
  const { tenantId, accountId } = by;
  const stored = isAssetId(listId) ? await findStaticList(tx, tenantId, listId) : undefined;
  if (!stored) throw notFound('list');
  const folderId = folder ? (await resolveFolder(tx, tenantId, folder)).directoryId : folder;
  const { name: nameNow, directoryId: folderNow = null } = stored;
  if ((name ?? nameNow) === nameNow && (folderId === undefined ? folderNow : folderId) === folderNow) return;
  const change = { ...(name === undefined ? {} : { name }), ...(folderId === undefined ? {} : { folderId }) };
  try {
    if (!(await updateStaticList(tx, tenantId, listId, accountId, change))) throw notFound('list');
  } catch (error) {
    if (violatedUnique(error) === 'static_list_live_name') throw new ApiError('LIST_ALREADY_EXISTS', { name });
    throw error;
  }
}
