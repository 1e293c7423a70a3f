// The rows that were not imported, with their reasons: a file beside the one that was imported, and its first lines.
import { createReadStream, createWriteStream } from 'node:fs';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Client } from '@rapport/client';
import { Complaint, explain } from '../complaint.js';
import { complaintOf } from '../refusals.js';
import { fileComplaint } from '../system-error.js';
import type { ImportArguments } from './arguments.js';

const shown = 5;

export async function saveFailedRows(
  client: Client,
  { url, contentType, errorsFile: file }: Pick<ImportArguments, 'url' | 'contentType' | 'errorsFile'>,
  transactionId: string,
  failed: number,
): Promise<void> {
  const isCsv = contentType === 'text/csv';
  const path = `/exports/transactions/${transactionId}/errors${isCsv ? '' : '?format=ndjson'}`;
  const { body } = await client.download(path);
  try {
    await pipeline(body ?? [], createWriteStream(file));
  } catch (error) {
    const why = fileComplaint(error, file, 'written') ?? complaintOf(error, url);
    throw new Complaint(
      `The failed rows cannot be written. ${explain(why)} Or fetch them with\n` +
        `  curl -H "Authorization: Bearer $RAPPORT_TOKEN" '${url}${path}'`,
    );
  }
  const first = isCsv ? (await firstLines(file, shown + 1)).slice(1) : await firstLines(file, shown);
  for (const line of first) console.log(`  ${line}`);
  if (failed > first.length) console.log(`  and ${(failed - first.length).toLocaleString('en-US')} more`);
  console.log(`Failed rows, with their reasons: ${basename(file)}. Correct them there and import that file.`);
}

async function firstLines(file: string, count: number): Promise<string[]> {
  let text = '';
  for await (const piece of createReadStream(file, { encoding: 'utf8', end: 65_535 })) text += piece;
  return text.split(/\r?\n/).filter(Boolean).slice(0, count);
}
