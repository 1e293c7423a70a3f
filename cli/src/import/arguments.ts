// What `import` was called with.
import { readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { readArguments } from '../arguments.js';
import type { Call } from '../command.js';
import { Complaint, codeOf } from '../complaint.js';
import { fromHere } from '../from-here.js';
import { fileComplaint } from '../system-error.js';

export const usage = `Usage: npm run rapport -- import <file.csv | file.ndjson | -> [options]

  A CSV file has a header row with an email column; the other columns are properties, and an empty cell
  leaves a property alone. An NDJSON file has one {"email", "properties"?} a line. "-" reads standard input.

  --type csv|ndjson   what the file is; told by its name unless given
  --url <address>     the service; RAPPORT_URL, else http://127.0.0.1:8080
  --token <token>     READ and WRITE; RAPPORT_TOKEN, else the demo token in DATA_DIR (./data)
  --errors <file>     where failed rows go; beside the file unless given
  -h, --help

Ends with 0 when every row was applied, 2 when some rows failed, 1 when nothing was imported.`;

const text = { type: 'string' } as const;
const shape = {
  usage,
  words: [{ missing: 'Name a file, or - for standard input.' }],
  options: { type: text, url: text, token: text, errors: text },
} as const;

const types = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const;
const endings: Record<string, keyof typeof types> = { '.csv': 'csv', '.ndjson': 'ndjson', '.jsonl': 'ndjson' };

export interface ImportArguments {
  url: string;
  token: string;
  /** Undefined: standard input. */
  file: string | undefined;
  contentType: (typeof types)[keyof typeof types];
  errorsFile: string;
}

/** Undefined when only help was asked for. */
export async function readImportArguments({ args, env }: Call): Promise<ImportArguments | undefined> {
  const read = readArguments(args, shape);
  if (!read) return undefined;
  const { values, words } = read;
  const [given = ''] = words;
  const file = given === '-' ? undefined : fromHere(env, given);
  // First of all: a mistyped file name should not lead to a question for a token.
  if (file !== undefined) await checkFile(file);
  return {
    url: urlOf(values.url || env.RAPPORT_URL || 'http://127.0.0.1:8080'),
    token: await findToken(values.token, env),
    file,
    contentType: typeOf(given, values.type),
    errorsFile: values.errors
      ? fromHere(env, values.errors)
      : errorsBeside(file ?? fromHere(env, 'import'), typeOf(given, values.type)),
  };
}

async function checkFile(file: string): Promise<void> {
  const found = await stat(file).catch((error) => {
    throw fileComplaint(error, file, 'read') ?? error;
  });
  if (found.isDirectory()) throw new Complaint(`${file} is a folder. Name a file in it.`);
}

function urlOf(given: string): string {
  const url = given.replace(/\/+$/, '');
  if (/^https?:\/\/./.test(url) && URL.canParse(url)) return url;
  throw new Complaint(`"${url}" is not an address such as http://127.0.0.1:8080.`);
}

async function findToken(given: string | undefined, env: NodeJS.ProcessEnv): Promise<string> {
  // Of a variable that is not set, as a rule: the demo tenant is not what was meant.
  if (given === '') throw new Complaint('--token is empty. Give a token, or leave it out.');
  const named = given ?? env.RAPPORT_TOKEN;
  if (named) return requireToken(named);
  const file = join(env.DATA_DIR || './data', 'demo-token');
  const token = await readFile(file, 'utf8').catch((error) => {
    const why = codeOf(error) === 'ENOENT' ? undefined : fileComplaint(error, file, 'read');
    throw new Complaint(
      'No token: give one with --token or RAPPORT_TOKEN. ' +
        (why?.message ?? `There is no demo token in ${file} either.`),
    );
  });
  if (isToken(token.trim())) return token.trim();
  throw new Complaint(`What is in ${file} is not a token. Give one with --token or RAPPORT_TOKEN.`);
}

const isToken = (text: string) => /^[\x21-\x7e]+$/.test(text);

function requireToken(text: string): string {
  if (isToken(text)) return text;
  throw new Complaint(
    'This is not a token: it has spaces or special characters in it. Check --token or RAPPORT_TOKEN.',
  );
}

function typeOf(file: string, given: string | undefined): ImportArguments['contentType'] {
  const name = given ?? endings[extname(file).toLowerCase()];
  if (name === 'csv' || name === 'ndjson') return types[name];
  const what = file === '-' ? 'standard input' : file;
  throw new Complaint(`Is ${what} CSV or NDJSON? Say it with --type csv or --type ndjson.`);
}

function errorsBeside(file: string, type: ImportArguments['contentType']): string {
  return `${file.slice(0, file.length - extname(file).length)}.errors.${type === types.csv ? 'csv' : 'ndjson'}`;
}
