// The rows that were not imported, with their reasons: a file beside the one that was imported, and its first lines.
import { createReadStream, createWriteStream } from 'node:fs';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Client } from '@rapport/client';
import { Complaint, explain } from '../complaint.js';
import { fileComplaint } from '../system-error.js';
import { complaintOf } from './service.js';

const shown = 5;

export async function saveFailedRows(
  client: Client,
  url: string,
  transactionId: string,
  file: string,
  failed: number,
): Promise<void> {
  const path = `/exports/transactions/${transactionId}/errors`;
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
  const [header = '', ...first] = await firstLines(file, shown + 1);
  // Of a CSV file the reason is the last cell, and says which row; else the number comes first.
  const isFile = header.endsWith(',_error') || header === '_error';
  for (const line of first) console.log(isFile ? `  ${line}` : `  row ${line}`);
  if (failed > first.length) console.log(`  and ${(failed - first.length).toLocaleString('en-US')} more`);
  console.log(`Failed rows, with their reasons: ${basename(file)}. Correct them in your file and import it again.`);
}

async function firstLines(file: string, count: number): Promise<string[]> {
  let text = '';
  for await (const piece of createReadStream(file, { encoding: 'utf8', end: 65_535 })) text += piece;
  return text.split('\r\n').filter(Boolean).slice(0, count);
}
