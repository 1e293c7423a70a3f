// What `import` was called with.
import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { readArguments } from '../arguments.js';
import type { Call } from '../command.js';
import { Complaint } from '../complaint.js';
import { fromHere } from '../from-here.js';
import { findService, type Service } from '../service.js';
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

export interface ImportArguments extends Service {
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
    ...(await findService(values, env)),
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

function typeOf(file: string, given: string | undefined): ImportArguments['contentType'] {
  const name = given ?? endings[extname(file).toLowerCase()];
  if (name === 'csv' || name === 'ndjson') return types[name];
  const what = file === '-' ? 'standard input' : file;
  throw new Complaint(`Is ${what} CSV or NDJSON? Say it with --type csv or --type ndjson.`);
}

function errorsBeside(file: string, type: ImportArguments['contentType']): string {
  return `${file.slice(0, file.length - extname(file).length)}.errors.${type === types.csv ? 'csv' : 'ndjson'}`;
}
