import type { Transaction } from '../../db/database.js';
import { isAssetId, newAssetId } from '../../lib/ids.js';
import { type FolderRow, findFolder, findFolderByName, insertFolder } from './queries.js';

/** The folder with this id, else with this exact name, else a new one of that name. */
export async function resolveFolder(tx: Transaction, tenantId: number, folder: string): Promise<FolderRow> {
  const found =
    (isAssetId(folder) ? await findFolder(tx, tenantId, folder) : undefined) ??
    (await findFolderByName(tx, tenantId, folder)) ??
    (await insertFolder(tx, tenantId, newAssetId(), folder)) ??
    // Somebody else made it between the two statements: it is committed now, or the insert would have waited.
    (await findFolderByName(tx, tenantId, folder));
  if (!found) throw new Error('A folder was deleted while it was being used');
  return found;
}
