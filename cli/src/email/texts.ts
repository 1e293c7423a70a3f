// `npm run rapport -- email texts <email>`: the texts of an email to a file for translators, and back.
import { readFile, writeFile } from 'node:fs/promises';
import type { Client } from '@rapport/client';
import { getEmailTexts, putEmailTexts } from '@rapport/contract';
import { Complaint } from '../complaint.js';
import { fileComplaint } from '../system-error.js';

interface Exchange {
  id: string;
  language: string | undefined;
  /** The file to write. */
  out: string | undefined;
  /** The file to read. */
  from: string | undefined;
}

/** JSON if the file is named so, else XLIFF. */
const isJson = (file: string) => file.toLowerCase().endsWith('.json');

export async function exchangeTexts(client: Client, { id, language, out, from }: Exchange): Promise<void> {
  if (from !== undefined && out === undefined) return bringBack(client, id, language, from);
  if (out === undefined || from !== undefined) throw new Complaint('Say --out or --in, with a file.');
  if (language === undefined) throw new Complaint('Say into which --language.');
  const format = isJson(out) ? 'json' : 'xliff';
  const { data } = await client.call(getEmailTexts, { params: { id }, query: { language, format } });
  const { texts, xliff } = data;
  const content = xliff ?? `${JSON.stringify({ language: data.language, texts }, null, 2)}\n`;
  await writeFile(out, content).catch((error) => {
    throw fileComplaint(error, out, 'written') ?? error;
  });
  console.log(`The texts are in ${out}.`);
}

async function bringBack(client: Client, id: string, language: string | undefined, file: string): Promise<void> {
  const content = await readFile(file, 'utf8').catch((error) => {
    throw fileComplaint(error, file, 'read') ?? error;
  });
  const given = isJson(file) ? readJson(file, content) : { xliff: content };
  const body = language === undefined ? given : { ...given, language };
  const { data } = await client.call(putEmailTexts, { params: { id }, body });
  for (const { id: place, reason } of data.skipped) console.error(`skipped: ${place}: ${reason}`);
  for (const place of data.missing) console.error(`not translated: ${place}`);
  console.log(`Stored ${data.applied} ${data.applied === 1 ? 'text' : 'texts'} in ${data.language}.`);
}

function readJson(
  file: string,
  content: string,
): { language?: string; texts?: { id: string; target?: string | null }[] } {
  try {
    return JSON.parse(content);
  } catch (error) {
    throw new Complaint(`${file} is not JSON: ${(error as Error).message}`);
  }
}
