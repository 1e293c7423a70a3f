import type { Transaction } from '../../db/database.js';
import { isAssetId, newAssetId } from '../../lib/ids.js';
import { type FolderRow, holdFolder, holdFolderByName, insertFolder } from './queries.js';

// It was made and deleted by others between two statements this many times in a row: not by chance.
const mostTries = 10;

/** The folder with this id, else with this exact name, else a new one of that name. It cannot be deleted until the transaction ends. */
export async function resolveFolder(tx: Transaction, tenantId: number, folder: string): Promise<FolderRow> {
  for (let tries = 0; tries < mostTries; tries++) {
    const found =
      (isAssetId(folder) ? await holdFolder(tx, tenantId, folder) : undefined) ??
      (await holdFolderByName(tx, tenantId, folder)) ??
      (await insertFolder(tx, tenantId, newAssetId(), folder));
    if (found) return found;
  }
  throw new Error('A folder was deleted again and again while it was being used');
}
