// `npm run rapport -- import file.csv`: sends a file of contacts and follows it until every row is applied.

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { type Client, createClient, type DoneTransaction } from '@rapport/client';
import { importContacts } from '@rapport/contract';
import { asCalled } from '../as-called.js';
import type { Call } from '../command.js';
import { Complaint, explain } from '../complaint.js';
import { megabytes, progressBar, rows } from '../progress-bar.js';
import { complaintOf } from '../refusals.js';
import { fileComplaint } from '../system-error.js';
import { type ImportArguments, readImportArguments, usage } from './arguments.js';
import { saveFailedRows } from './failed-rows.js';

// A service that restarts is back within a minute. Until then it is asked again and again.
const patience = { attempts: Number.POSITIVE_INFINITY, patienceMs: 60_000 };
const pauses = { firstPauseMs: 100, longestPauseMs: 500, patienceMs: Number.POSITIVE_INFINITY };

type Done = DoneTransaction<'contacts'>;

export async function runImport(call: Call): Promise<number> {
  const given = await readImportArguments(call);
  if (!given) {
    console.log(asCalled(usage));
    return 0;
  }
  const client = createClient({ baseUrl: given.url, token: given.token, patience });
  try {
    const transactionId = await upload(client, given);
    const { counts, kept, ignoredProperties } = await follow(client, transactionId);
    if (!counts) throw new Complaint(`${given.url} does not say what became of the rows. Is it an older Rapport?`);
    report(counts, kept, ignoredProperties);
    if (counts.FAILED === 0) return 0;
    // The other rows are imported, whatever becomes of this.
    await saveFailedRows(client, given, transactionId, counts.FAILED).catch((error) =>
      console.error(explain(complaintOf(error, given.url))),
    );
    return 2;
  } catch (error) {
    throw complaintOf(error, given.url);
  }
}

/** Returns the transaction's id. */
async function upload(client: Client, { file, contentType }: ImportArguments): Promise<string> {
  const { source, size } = await open(file);
  const body = explained(source, file ?? 'standard input');
  const bar = progressBar({ label: 'Uploading', unit: megabytes });
  let sent = 0;
  const onSent = (bytes: number) => {
    sent = bytes;
    bar.update(bytes, size);
  };
  try {
    // A stream goes once, so a key would be of no use.
    const query = { fileName: file && basename(file) };
    const input = { query, body, contentType, onSent, idempotencyKey: false } as const;
    const { data } = await client.call(importContacts, input);
    bar.finish(sent, size);
    return data.transactionId;
  } catch (error) {
    bar.abandon();
    throw error;
  }
}

async function open(file: string | undefined): Promise<{ source: Readable; size: number | undefined }> {
  if (file === undefined) return { source: process.stdin, size: undefined };
  const found = await stat(file).catch((error) => {
    throw fileComplaint(error, file, 'read') ?? error;
  });
  const source = createReadStream(file, { highWaterMark: 256 * 1024 });
  return { source, size: found.isFile() ? found.size : undefined };
}

/** What goes wrong with the file must not look like trouble with the service. */
async function* explained(source: Readable, name: string): AsyncGenerator<Uint8Array> {
  try {
    yield* source;
  } catch (error) {
    throw fileComplaint(error, name, 'read') ?? error;
  }
}

async function follow(client: Client, transactionId: string): Promise<Done> {
  const bar = progressBar({ label: 'Applying ', unit: rows });
  const onInterrupt = () => {
    bar.abandon();
    console.error(`The service goes on without this command. Transaction: ${transactionId}`);
    process.exit(130);
  };
  process.once('SIGINT', onInterrupt);
  try {
    const onProgress = ({ progress }: { progress?: { done: number; total: number } }) => {
      if (progress) bar.update(progress.done, progress.total);
    };
    const transaction = await client.transactions.wait(transactionId, { ...pauses, onProgress });
    const { done = 0, total = 0 } = transaction.progress ?? {};
    bar.finish(done, total);
    return transaction;
  } finally {
    process.off('SIGINT', onInterrupt);
  }
}

function report(
  counts: NonNullable<Done['counts']>,
  kept: number | undefined,
  ignored: readonly string[] | undefined,
): void {
  const { CREATED, UPDATED, NO_CHANGE, FAILED } = counts;
  const outcomes = { created: CREATED, updated: UPDATED, unchanged: NO_CHANGE, failed: FAILED };
  const parts = Object.entries(outcomes).map(([word, count]) => `${count.toLocaleString('en-US')} ${word}`);
  console.log(parts.join(', '));
  if (kept) console.log(`Still unsubscribed from a topic, because they said so: ${kept.toLocaleString('en-US')}`);
  if (ignored) console.log(`Ignored, because a property is named in snake_case: ${ignored.join(', ')}`);
}
