// `npm run rapport -- import file.csv`: sends a file of contacts and follows it until every row is applied.
import { createReadStream, createWriteStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename, extname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Complaint, read, refusal, send, unreachable } from './api.js';
import { megabytes, progressBar, rows } from './progress-bar.js';

export const summary = 'import a CSV or NDJSON file of contacts';

export const usage = `Usage: npm run rapport -- import <file.csv | file.ndjson | -> [options]

  A CSV file has a header row with an email column; the other columns are properties, and an empty cell
  leaves a property alone. An NDJSON file has one {"email", "properties"?} a line. "-" reads standard input.

  --type csv|ndjson   what the file is; told by its name unless given
  --url <address>     the service; RAPPORT_URL, else http://127.0.0.1:8080
  --token <token>     READ and WRITE; RAPPORT_TOKEN, else the demo token in DATA_DIR (./data)
  --errors <file>     where failed rows go; beside the file unless given
  --help

Ends with 0 when every row was applied, 2 when some rows failed, 1 when nothing was imported.`;

const types = { csv: 'text/csv', ndjson: 'application/x-ndjson' };
const endings = { '.csv': 'csv', '.ndjson': 'ndjson', '.jsonl': 'ndjson' };
const pollMs = 250;
const shownErrors = 5;

/** @typedef {import('./api.js').Service} Service */

/**
 * @param {string[]} args
 * @returns {Promise<number>} exit code
 */
export async function run(args) {
  const { values, positionals } = readArguments(args);
  if (values.help) {
    console.log(usage);
    return 0;
  }
  if (positionals.length !== 1) throw new Complaint(usage);
  const [given = ''] = positionals;
  const url = (values.url || process.env.RAPPORT_URL || 'http://127.0.0.1:8080').replace(/\/+$/, '');
  if (!/^https?:\/\/./.test(url) || !URL.canParse(url))
    throw new Complaint(`"${url}" is not an address such as http://127.0.0.1:8080.`);
  const service = { url, token: await findToken(values.token) };
  const transactionId = await upload(service, given, typeOf(given, values.type));
  const { counts, ignoredProperties } = await follow(service, transactionId);
  report(counts, ignoredProperties);
  if (counts.FAILED === 0) return 0;
  await saveErrors(service, transactionId, errorsFile(given, values.errors), counts.FAILED);
  return 2;
}

/** @param {string[]} args */
function readArguments(args) {
  const text = /** @type {const} */ ({ type: 'string' });
  const options = {
    type: text,
    url: text,
    token: text,
    errors: text,
    help: /** @type {const} */ ({ type: 'boolean' }),
  };
  try {
    return parseArgs({ args, allowPositionals: true, options });
  } catch (error) {
    throw new Complaint(`${/** @type {Error} */ (error).message}\n\n${usage}`);
  }
}

/**
 * @param {string} file
 * @param {string | undefined} given
 */
function typeOf(file, given) {
  const name = given ?? endings[/** @type {keyof endings} */ (extname(file).toLowerCase())];
  const type = types[/** @type {keyof types} */ (name)];
  if (type) return type;
  throw new Complaint(
    `Is ${file === '-' ? 'standard input' : file} CSV or NDJSON? Say it with --type csv or --type ndjson.`,
  );
}

/** @param {string | undefined} given */
async function findToken(given) {
  if (given ?? process.env.RAPPORT_TOKEN) return given ?? process.env.RAPPORT_TOKEN ?? '';
  const file = join(process.env.DATA_DIR || './data', 'demo-token');
  return readFile(file, 'utf8').then(
    (token) => token.trim(),
    () =>
      Promise.reject(
        new Complaint(`No token: give one with --token or RAPPORT_TOKEN. There is no demo token in ${file} either.`),
      ),
  );
}

/** npm runs scripts in the project's folder; a file is meant from where the command was given. */
function fromHere(/** @type {string} */ file) {
  return resolve(process.env.INIT_CWD ?? '.', file);
}

/**
 * @param {Service} service
 * @param {string} given
 * @param {string} type
 * @returns {Promise<string>} transaction id
 */
async function upload(service, given, type) {
  const { source, size } = await openFile(given);
  const bar = progressBar({ label: 'Uploading', unit: megabytes });
  let sent = 0;
  const onSent = (/** @type {number} */ bytes) => {
    sent = bytes;
    bar.update(bytes, size);
  };
  const answer = await send(service, { path: '/v2/contacts/import', type, source, size, onSent }).catch((error) => {
    bar.abandon();
    throw unreachable(error, service.url);
  });
  if (answer.status !== 200) {
    bar.abandon();
    const { message } = refusal(answer, service.url);
    throw new Complaint(
      answer.status === 400 ? `${message}\nNothing was imported. Correct the file and run the command again.` : message,
    );
  }
  bar.finish(sent, size);
  return JSON.parse(answer.text).data.transactionId;
}

/** @param {string} given */
async function openFile(given) {
  if (given === '-') return { source: process.stdin, size: undefined };
  const file = fromHere(given);
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) throw new Complaint(`There is no file ${file}.`);
  return { source: createReadStream(file, { highWaterMark: 256 * 1024 }), size: found.size };
}

/**
 * @param {Service} service
 * @param {string} transactionId
 */
async function follow(service, transactionId) {
  const bar = progressBar({ label: 'Applying ', unit: rows });
  const onInterrupt = () => {
    bar.abandon();
    console.error(`The service goes on without this command. Transaction: ${transactionId}`);
    process.exit(130);
  };
  process.once('SIGINT', onInterrupt);
  for (;;) {
    const { data } = await (await read(service, `/v2/contacts/transactions/${transactionId}`)).json();
    const { done, total } = data.progress;
    if (data.status === 'DONE') {
      bar.finish(done, total);
      process.off('SIGINT', onInterrupt);
      return data;
    }
    bar.update(done, total);
    await sleep(pollMs);
  }
}

/**
 * @param {Record<string, number>} counts
 * @param {string[]} [ignored]
 */
function report(counts, ignored) {
  const words = { CREATED: 'created', UPDATED: 'updated', NO_CHANGE: 'unchanged', FAILED: 'failed' };
  console.log(
    Object.entries(words)
      .map(([key, word]) => `${counts[key]?.toLocaleString('en-US')} ${word}`)
      .join(', '),
  );
  if (ignored) console.log(`Ignored, because a property is named in snake_case: ${ignored.join(', ')}`);
}

/**
 * @param {string} given
 * @param {string | undefined} wanted
 */
function errorsFile(given, wanted) {
  if (wanted) return fromHere(wanted);
  return given === '-'
    ? fromHere('import.errors.csv')
    : `${fromHere(given).slice(0, -extname(given).length || undefined)}.errors.csv`;
}

/**
 * @param {Service} service
 * @param {string} transactionId
 * @param {string} file
 * @param {number} failed
 */
async function saveErrors(service, transactionId, file, failed) {
  const path = `/exports/transactions/${transactionId}/errors`;
  const { body } = await read(service, path);
  try {
    await pipeline(Readable.fromWeb(/** @type {any} */ (body)), createWriteStream(file));
  } catch (error) {
    const fetchIt = `curl -H "Authorization: Bearer $RAPPORT_TOKEN" '${service.url}${path}'`;
    throw new Complaint(
      `The failed rows cannot be written: ${/** @type {Error} */ (error).message}. Fetch them with\n  ${fetchIt}`,
    );
  }
  const first = (await firstLines(file, shownErrors + 1)).slice(1);
  for (const line of first) console.log(`  row ${line}`);
  if (failed > first.length) console.log(`  and ${(failed - first.length).toLocaleString('en-US')} more`);
  console.log(`Failed rows, with their reasons: ${basename(file)}. Correct them and import them again.`);
}

/**
 * @param {string} file
 * @param {number} count
 */
async function firstLines(file, count) {
  let text = '';
  for await (const piece of createReadStream(file, { encoding: 'utf8', end: 65_535 })) text += piece;
  return text.split('\r\n').filter(Boolean).slice(0, count);
}
