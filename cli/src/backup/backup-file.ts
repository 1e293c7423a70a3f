// The file of a backup: written whole or not at all, read line by line. What the lines are is in backup-lines.ts.
import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, rmSync } from 'node:fs';
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { Complaint, codeOf } from '../complaint.js';
import { databaseComplaint, fileComplaint } from '../system-error.js';
import { broken, Checksum, notOurs, type Part, readLine } from './backup-lines.js';

/**
 * Writes the lines that `lines` makes. The file appears whole or not at all, readable by its owner only. Returns its SHA-256, as sha256sum
 * would say it.
 */
export async function writeBackup(file: string, lines: AsyncIterable<string>): Promise<string> {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  const handle = await openDraft(draft, file);
  const onExit = () => rmSync(draft, { force: true });
  process.once('exit', onExit);
  const digest = createHash('sha256');
  const hashed = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      digest.update(chunk);
      yield chunk;
    }
  };
  try {
    await pipeline(explained(lines), createGzip(), hashed, handle.createWriteStream({ flush: true }));
    await rename(draft, file);
    await syncDirectory(dirname(file));
    return digest.digest('hex');
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw fileComplaint(error, file, 'written') ?? error;
  } finally {
    process.off('exit', onExit);
  }
}

/** Before anything is read: who has waited for a large backup should not hear only then where it cannot go. */
async function openDraft(draft: string, file: string): Promise<FileHandle> {
  const there = await stat(file).catch(() => undefined);
  if (there?.isDirectory()) throw new Complaint(`${file} is a folder. Name a file in it.`);
  return open(draft, 'wx', 0o600).catch((error) => {
    throw fileComplaint(error, file, 'written') ?? error;
  });
}

/** What goes wrong with the database must not look like trouble with the file. */
async function* explained(lines: AsyncIterable<string>): AsyncGenerator<string> {
  try {
    yield* lines;
  } catch (error) {
    throw databaseComplaint(error) ?? error;
  }
}

/** Without it a power cut could undo the rename. */
async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(directory);
  await handle.sync().finally(() => handle.close());
}

/** The parts of a backup in order. Throws a sentence for anything that is not a whole backup. */
export async function* readBackup(file: string): AsyncGenerator<Part> {
  let before = '';
  const checksum = new Checksum();
  for await (const line of linesOf(file)) {
    if (before === 'end') throw broken(file, 'it goes on after its end');
    const part = readLine(file, line);
    if ((before === '') !== (part.kind === 'header')) throw notOurs(file);
    if (part.kind === 'end' && part.sha256 !== undefined && part.sha256 !== checksum.value())
      throw broken(file, 'its lines are not those that were written');
    checksum.add(`${line}\n`);
    yield part;
    before = part.kind;
  }
  if (before === '') throw notOurs(file);
  if (before !== 'end') throw broken(file, 'it has no end');
}

async function* linesOf(file: string): AsyncGenerator<string> {
  const source = createReadStream(file);
  const text = source.pipe(createGunzip());
  source.on('error', (error) => text.destroy(error));
  try {
    for await (const line of splitLines(text)) yield line;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'Z_BUF_ERROR') throw broken(file, 'it breaks off');
    if (code === 'Z_DATA_ERROR')
      throw String(error).includes('incorrect header') ? notOurs(file) : broken(file, 'it is damaged');
    if (code === 'EISDIR') throw new Complaint(`${file} is a folder, not a backup.`);
    throw fileComplaint(error, file, 'read') ?? error;
  } finally {
    source.destroy();
    text.destroy();
  }
}

// readline also splits at U+2028 and a lone CR, and loses the errors of its input.
async function* splitLines(stream: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest: Buffer[] = [];
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
