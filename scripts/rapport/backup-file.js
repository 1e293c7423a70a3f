// A backup is lines of JSON in gzip. A row is an object whose values are text as PostgreSQL writes it, or null: numbers
// of 64 bits, bytes and JSON come back as they were, because nothing but PostgreSQL ever reads them. All other lines
// are arrays that start with a word:
//   ["rapport-backup", {format, createdAt, postgres, migrations}]   first
//   ["table", name, [columns]]                                      then its rows
//   ["end", {rows: {table: count}, sequences: {name: value}}]       last; a file without it is not whole
import { randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream, rmSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

export const format = 1;
const firstWord = 'rapport-backup';

/**
 * Writes the lines that `lines` makes. The file appears whole or not at all, readable by its owner only.
 * @param {string} file
 * @param {AsyncIterable<string>} lines
 */
export async function writeBackup(file, lines) {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  const onExit = () => rmSync(draft, { force: true });
  process.once('exit', onExit);
  try {
    const output = createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true });
    await pipeline(lines, createGzip(), output);
    await rename(draft, file);
    await syncDirectory(dirname(file));
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  } finally {
    process.off('exit', onExit);
  }
}

/** Without it a power cut could undo the rename. */
async function syncDirectory(directory) {
  if (process.platform === 'win32') return;
  const handle = await open(directory);
  await handle.sync().finally(() => handle.close());
}

export function headerLine(header) {
  return `${JSON.stringify([firstWord, { format, ...header }])}\n`;
}

export function tableLine(name, columns) {
  return `${JSON.stringify(['table', name, columns])}\n`;
}

export function endLine(end) {
  return `${JSON.stringify(['end', end])}\n`;
}

/**
 * The parts of a backup in order: `{kind: 'header' | 'table' | 'row' | 'end', …}`.
 * Throws a sentence for anything that is not a whole backup.
 * @param {string} file
 */
export async function* readBackup(file) {
  let before = '';
  for await (const line of linesOf(file)) {
    if (before === 'end') throw broken(file, 'it goes on after its end');
    const part = readLine(file, line);
    if ((before === '') !== (part.kind === 'header')) throw notOurs(file);
    yield part;
    before = part.kind;
  }
  if (before === '') throw notOurs(file);
  if (before !== 'end') throw broken(file, 'it has no end');
}

async function* linesOf(file) {
  const source = createReadStream(file);
  const text = source.pipe(createGunzip());
  source.on('error', (error) => text.destroy(error));
  try {
    for await (const line of splitLines(text)) yield line;
  } catch (error) {
    if (error.code === 'Z_BUF_ERROR') throw broken(file, 'it breaks off');
    if (error.code === 'Z_DATA_ERROR') {
      throw error.message.includes('incorrect header') ? notOurs(file) : broken(file, 'it is damaged');
    }
    if (error.code === 'ENOENT') throw new Error(`There is no file ${file}.`);
    throw error;
  } finally {
    source.destroy();
    text.destroy();
  }
}

// readline also splits at U+2028 and a lone CR, and loses the errors of its input.
async function* splitLines(stream) {
  let rest = [];
  for await (const chunk of stream) {
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      yield Buffer.concat([...rest, chunk.subarray(from, at)]).toString('utf8');
      rest = [];
      from = at + 1;
    }
    if (from < chunk.length) rest.push(chunk.subarray(from));
  }
  if (rest.length > 0) yield Buffer.concat(rest).toString('utf8');
}

function readLine(file, line) {
  if (line.startsWith('{')) return { kind: 'row', json: line };
  const [word, ...values] = parseArray(file, line);
  switch (word) {
    case firstWord:
      return { kind: 'header', header: readHeader(file, values[0]) };
    case 'table':
      return { kind: 'table', name: values[0], columns: values[1] };
    case 'end':
      return { kind: 'end', ...values[0] };
    default:
      throw broken(file, 'it has a line that this build does not know');
  }
}

function parseArray(file, line) {
  try {
    const value = JSON.parse(line);
    if (Array.isArray(value)) return value;
  } catch {
    // Said below.
  }
  throw notOurs(file);
}

function readHeader(file, header) {
  if (header.format === format) return header;
  throw new Error(
    `${file} has format ${header.format}, and this build reads format ${format}. Use the build that made it, or a newer one.`,
  );
}

function notOurs(file) {
  return new Error(`${file} is not a backup of Rapport.`);
}

function broken(file, why) {
  return new Error(`${file} is not whole: ${why}. Nothing was restored; use another backup.`);
}
