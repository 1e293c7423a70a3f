// Pictures for emails, kept in the database so that every node has them.
import { createFile, deleteFile as deleteRoute, listFiles, pictureTypes } from '@rapport/contract';
import type { FastifyInstance } from 'fastify';
import { Counter, type Registry } from 'prom-client';
import type { Database, Transaction } from '../../db/database.js';
import { ApiError, notFound } from '../../http/api-error.js';
import { endpoint, pageOf } from '../../http/endpoint.js';
import { isAssetId } from '../../lib/ids.js';
import type { SecretBox } from '../../lib/secret-box.js';
import { type Actor, actorOf, auditAtCommit } from '../audit/index.js';
import { installPublicFiles, publicPaths } from './public.js';
import { deleteFileRow, type FileFacts, lockFile, selectFiles } from './queries.js';
import { storeFile } from './store-file.js';

export { holdFiles, selectFilesByHash } from './queries.js';

/** Says what names a file, if anything does. Features above register theirs in app.ts. */
export type FileUseCheck = (tx: Transaction, tenantId: number, hash: string) => Promise<string | undefined>;

interface FileNeeds {
  db: Database;
  box: SecretBox;
  registry: Registry;
  baseUrl: () => string;
  uses: readonly FileUseCheck[];
}

export function files({ db, box, registry, baseUrl, uses }: FileNeeds) {
  const uploads = new Counter({
    name: 'rapport_file_uploads_total',
    help: 'Uploads of files: stored, known because the same content was there, or refused.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const onUpload = (outcome: string) => uploads.inc({ outcome });
  return {
    endpoints: [
      endpoint(createFile, async (call) => {
        const { data, replayed } = await storeFile({ db, box, onUpload }, call);
        return { data: present(data, baseUrl()), ...(replayed ? { replayed } : {}) };
      }),
      endpoint(listFiles, async ({ caller, query }) => {
        const { rows, total } = await selectFiles(db, caller.tenantId, pageOf(query));
        const shown = rows.map((row) => ({ ...present(row, baseUrl()), name: row.name, createdAt: row.createdAt }));
        return { rows: shown, total };
      }),
      endpoint(deleteRoute, async (call) => {
        const { fileId } = call.params;
        await db.transaction((tx) => deleteFile(tx, actorOf(call), fileId, uses));
        return { data: { fileId, success: true } };
      }),
    ],
    serves: publicPaths,
    install: (http: FastifyInstance) => installPublicFiles(http, db),
  };
}

function present({ fileId, hash, type, width, height, size }: FileFacts, baseUrl: string) {
  return { fileId, url: urlOfFile(baseUrl, hash, type), width, height, size, type };
}

export function urlOfFile(baseUrl: string, hash: string, type: FileFacts['type']): string {
  return `${baseUrl.replace(/\/+$/, '')}/files/${hash}.${pictureTypes[type]}`;
}

async function deleteFile(tx: Transaction, actor: Actor, fileId: string, uses: readonly FileUseCheck[]): Promise<void> {
  const file = isAssetId(fileId) ? await lockFile(tx, actor.tenantId, fileId) : undefined;
  if (!file) throw notFound('file');
  for (const findUse of uses) {
    const reason = await findUse(tx, actor.tenantId, file.hash);
    if (reason) throw new ApiError('INVALID_STATE', { reason });
  }
  await deleteFileRow(tx, actor.tenantId, fileId);
  auditAtCommit(tx, actor, 'file.deleted', fileId, { name: file.name });
}
