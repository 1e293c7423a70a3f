import { createHmac, hash } from 'node:crypto';
import { type createFile, pictureTypes } from '@rapport/contract';
import type { Database } from '../../db/database.js';
import { invalid } from '../../http/api-error.js';
import type { Call } from '../../http/endpoint.js';
import { newAssetId } from '../../lib/ids.js';
import type { SecretBox } from '../../lib/secret-box.js';
import { isSoundText } from '../../lib/text.js';
import { actorOf, auditAtCommit } from '../audit/index.js';
import { answerOnce } from '../idempotency/index.js';
import { tenantSecret } from '../sending/index.js';
import { type FileFacts, insertFile } from './queries.js';
import { type Picture, readPicture } from './read-picture.js';
import { receiveFile } from './receive-file.js';

interface StoreNeeds {
  db: Database;
  box: SecretBox;
  onUpload(outcome: 'stored' | 'known' | 'refused'): void;
}

const mostPixels = 20_000;
// UTF-16 units: the usual limit for file names.
const longestName = 255;

export async function storeFile(
  needs: StoreNeeds,
  call: Call<typeof createFile>,
): Promise<{ data: FileFacts; replayed?: boolean }> {
  try {
    return await receiveAndStore(needs, call);
  } catch (error) {
    needs.onUpload('refused');
    throw error;
  }
}

async function receiveAndStore({ db, box, onUpload }: StoreNeeds, call: Call<typeof createFile>) {
  const { caller, stream, query, idempotency } = call;
  checkName(query.name);
  const { bytes, name: given } = await receiveFile(stream, query.name);
  checkName(given);
  const picture = checkPicture(bytes);
  const name = given ?? `picture.${pictureTypes[picture.type]}`;
  const file = {
    ...{ fileId: newAssetId(), name, size: bytes.length, ...picture },
    hash: await publicHash(db, box, caller.tenantId, bytes),
  };
  const keyed = idempotency && {
    ...idempotency,
    bodyHash: hash('sha256', `${idempotency.bodyHash}${hash('sha256', bytes)}${name}`),
  };
  const transactions = { transaction: db.upload.bind(db, caller.tenantId) as Database['transaction'] };
  const answer = await answerOnce(transactions, { caller, idempotency: keyed }, async (tx) => {
    const stored = await insertFile(tx, caller, file, bytes);
    if (stored.isNew) auditAtCommit(tx, actorOf(call), 'file.uploaded', stored.file.fileId, { name });
    return stored;
  });
  onUpload(answer.data.isNew ? 'stored' : 'known');
  return { ...answer, data: answer.data.file };
}

function checkName(name: string | undefined): void {
  if (name === undefined) return;
  if (name.length > longestName) throw invalid('name', `must have at most ${longestName} characters`);
  if (/\p{Cc}/u.test(name) || !isSoundText(name))
    throw invalid('name', 'must not have line breaks or other control characters');
}

function checkPicture(bytes: Buffer): Picture {
  const picture = readPicture(bytes);
  if (!picture) throw invalid('file', 'must be a whole PNG, JPEG, GIF or WebP picture');
  if (Math.max(picture.width, picture.height) > mostPixels)
    throw invalid('file', 'must not have more than 20,000 pixels a side');
  return picture;
}

/** The same for the same content, but only within a tenant: a hash of the content alone would tell strangers which tenants have a picture. */
async function publicHash(db: Database, box: SecretBox, tenantId: number, bytes: Buffer): Promise<string> {
  const key = await tenantSecret(db, box, tenantId, 'files');
  return createHmac('sha256', key).update(bytes).digest('hex');
}
