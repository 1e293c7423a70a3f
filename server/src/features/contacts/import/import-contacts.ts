import { createHash, type Hash, hash } from 'node:crypto';
import type { Database } from '../../../db/database.js';
import { invalid } from '../../../http/api-error.js';
import type { BodyStream, Caller, Idempotency } from '../../../http/endpoint.js';
import { newTransactionUuid } from '../../../lib/ids.js';
import type { Acknowledgement, Acknowledger } from '../../transactions/index.js';
import { brokenUpload } from './broken-upload.js';
import { readColumnPlan } from './column-plan.js';
import type { Column } from './csv-header.js';
import { parseCsv } from './parse-csv.js';
import { parseNdjson } from './parse-ndjson.js';
import { writeFile } from './progress.js';
import { countStagedRows, importKind, lockUpload } from './queries.js';
import { removeUpload } from './remove-uploads.js';
import { stageRows } from './stage-rows.js';
import { wholeLines } from './whole-lines.js';

interface ImportCall {
  caller: Caller;
  stream: BodyStream;
  idempotency: Idempotency | undefined;
  query: { columns: string | undefined; fileName: string | undefined };
}
type Answer = { data: Acknowledgement; replayed?: boolean };

/** Accepts a whole file or nothing: the staged rows of an upload that breaks off are removed. */
export async function importContacts(db: Database, acknowledger: Acknowledger, call: ImportCall): Promise<Answer> {
  checkFile(call);
  const upload = { tenantId: call.caller.tenantId, uuid: newTransactionUuid() };
  const remove = () => removeUpload({ transaction: (work) => db.upload(upload.tenantId, work) }, upload);
  try {
    const answer = await stageAndAcknowledge(db, acknowledger, call, upload);
    // The same file under the same key: the first upload counts.
    if (answer.replayed) await remove();
    return answer;
  } catch (error) {
    // If this fails too, the sweeper removes them later.
    await remove().catch(() => undefined);
    throw isAbort(error) ? brokenUpload('The upload broke off. Nothing was imported.') : error;
  }
}

async function stageAndAcknowledge(
  db: Database,
  acknowledger: Acknowledger,
  { caller, stream, idempotency, query }: ImportCall,
  upload: { tenantId: number; uuid: string },
): Promise<Answer> {
  const digest = idempotency ? createHash('sha256') : undefined;
  const blocks = wholeLines(digest ? hashed(stream.bytes, digest) : stream.bytes);
  let columns: Column[] | undefined;
  const plan = query.columns === undefined ? undefined : readColumnPlan(query.columns);
  const rows = isCsv(stream) ? parseCsv(blocks, (read) => (columns = read), plan) : parseNdjson(blocks);
  const items = await stageRows(db, upload, rows);
  if (items === 0) throw brokenUpload('The file has no rows.');
  const keyed = idempotency && {
    ...idempotency,
    bodyHash: hash('sha256', idempotency.bodyHash + digest?.digest('hex') + (query.columns ?? '')),
  };
  const payload = writeFile({ columns, plan: query.columns, fileName: query.fileName, accountId: caller.accountId });
  const write = { ...upload, kind: importKind, items, payload, isLong: true };
  return acknowledger.answerStaged({ caller, idempotency: keyed }, write, async (tx) => {
    await lockUpload(tx, upload);
    const staged = await countStagedRows(tx, upload);
    if (staged !== items) throw brokenUpload('The upload took too long. Send the file again, in smaller parts.');
  });
}

// UTF-16 units: the usual limit for file names.
const longestName = 255;

function checkFile({ stream, query: { columns, fileName } }: ImportCall): void {
  if (columns !== undefined && !isCsv(stream)) throw invalid('columns', 'are for CSV: an NDJSON file names its keys');
  if (fileName === undefined) return;
  if (fileName.length > longestName) throw invalid('fileName', `must have at most ${longestName} characters`);
  if (/\p{Cc}/u.test(fileName)) throw invalid('fileName', 'must not have line breaks or other control characters');
}

function isCsv({ mediaType }: BodyStream): boolean {
  return mediaType === 'text/csv';
}

async function* hashed(bytes: AsyncIterable<Buffer>, digest: Hash): AsyncGenerator<Buffer> {
  for await (const piece of bytes) {
    digest.update(piece);
    yield piece;
  }
}

function isAbort(error: unknown): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  return message === 'aborted' && code === 'ECONNRESET';
}
