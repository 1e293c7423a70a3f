// Files as everyone reads them: mail clients, their proxies, and the console.
import { Readable } from 'node:stream';
import { pictureTypes } from '@rapport/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../../db/database.js';
import { notFound } from '../../http/api-error.js';
import type { Served } from '../../http/paths.js';
import { findPublicFile, findSlice, type PublicFile } from './queries.js';

const pattern = '/files/{fileName}';
export const publicPaths: readonly Served[] = [{ method: 'GET', path: pattern }];

/** Nothing in it can act, whatever a browser takes it for. The address has a hash of the content, so a copy never grows old. */
const headers = {
  'cache-control': 'public, max-age=31536000, immutable',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
};

export function installPublicFiles(http: FastifyInstance, db: Database): void {
  http.get('/files/:fileName', { config: { area: 'open', pattern } }, (request: WithName, reply) =>
    sendFile(db, request, reply),
  );
}

type WithName = FastifyRequest<{ Params: { fileName: string } }>;

async function sendFile(db: Database, request: WithName, reply: FastifyReply): Promise<FastifyReply> {
  const [, hash, extension] = /^([0-9a-f]{64})\.(\w+)$/.exec(request.params.fileName) ?? [];
  const file = hash === undefined ? undefined : await findPublicFile(db, hash);
  if (!file || pictureTypes[file.type] !== extension) throw notFound('file');
  reply.headers({ ...headers, etag: `"${hash}"` });
  if (request.headers['if-none-match']?.includes(`"${hash}"`)) return reply.code(304).send();
  reply.headers({ 'content-type': file.type, 'content-length': file.size });
  return reply.send(Readable.from(request.method === 'HEAD' ? [] : slicesOf(db, file)));
}

// A reader that is slow, or stops, holds one of these and nothing else.
const sliceBytes = 64 * 1024;

async function* slicesOf(db: Database, file: PublicFile): AsyncGenerator<Buffer> {
  for (let from = 0; from < file.size; from += sliceBytes) {
    const slice = await findSlice(db, file, from, sliceBytes);
    if (!slice) throw new Error('The file was deleted while it was read.');
    yield slice;
  }
}
