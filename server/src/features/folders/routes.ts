import * as contract from '@rapport/contract';
import { violatedUnique } from '../../db/connect.js';
import type { Database } from '../../db/database.js';
import { ApiError, invalid, notFound } from '../../http/api-error.js';
import { type Endpoint, endpoint, pageOf } from '../../http/endpoint.js';
import { isAssetId, newAssetId } from '../../lib/ids.js';
import { answerOnce } from '../idempotency/index.js';
import * as queries from './queries.js';

export function folderEndpoints(db: Database): Endpoint[] {
  return [
    endpoint(contract.listFolders, ({ caller, query }) =>
      queries.selectFolders(db, caller.tenantId, query.search, pageOf(query)),
    ),
    endpoint(contract.createFolder, (call) =>
      answerOnce(db, call, async (tx) => {
        const folder = await queries.insertFolder(tx, call.caller.tenantId, newAssetId(), call.body.name);
        if (!folder) throw new ApiError('FOLDER_ALREADY_EXISTS', { name: call.body.name });
        return folder;
      }),
    ),
    endpoint(contract.updateFolder, async ({ caller, params, body }) => {
      if (body.name === undefined) throw invalid('name', 'is required');
      return { data: await renameFolder(db, caller.tenantId, params.id, body.name) };
    }),
    endpoint(contract.deleteFolder, async ({ caller, params }) => {
      const gone = isAssetId(params.id) ? await queries.deleteFolderRow(db, caller.tenantId, params.id) : undefined;
      if (!gone) throw notFound('folder');
      return { data: { ...gone, success: true } };
    }),
  ];
}

async function renameFolder(db: Database, tenantId: number, id: string, name: string): Promise<queries.FolderRow> {
  try {
    const folder = isAssetId(id) ? await queries.renameFolderRow(db, tenantId, id, name) : undefined;
    if (!folder) throw notFound('folder');
    return folder;
  } catch (error) {
    if (violatedUnique(error) === 'folder_name') throw new ApiError('FOLDER_ALREADY_EXISTS', { name });
    throw error;
  }
}
