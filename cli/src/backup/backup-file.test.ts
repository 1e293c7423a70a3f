import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readBackup, writeBackup } from './backup-file.js';
import { Checksum, endLine, headerLine, type Part, tableLine } from './backup-lines.js';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rapport-backup-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const migrations = [{ version: 1, name: '0001-a.sql', checksum: 'c' }];
const header = headerLine({ createdAt: '2026-11-15T09:30:00Z', postgres: '18.4', migrations });
const row = '{"name":"Zoë\u2028\\n","id":"9007199254740993"}';
const end = { rows: { tenant: 1 }, sequences: { tenant_seq: '7' } };

async function partsOf(file: string): Promise<Part[]> {
  const parts: Part[] = [];
  for await (const part of readBackup(file)) parts.push(part);
  return parts;
}

async function saved(text: string): Promise<string> {
  const file = join(folder, 'given.backup');
  await writeFile(file, gzipSync(text));
  return file;
}

it('reads what it wrote, for its owner only', async () => {
  const file = join(folder, 'written.backup');
  await writeBackup(
    file,
    (async function* () {
      yield header;
      yield tableLine('tenant', ['id', 'name']);
      yield `${row}\n`;
      yield endLine(end);
    })(),
  );
  expect(await partsOf(file)).toEqual([
    { kind: 'header', header: { createdAt: '2026-11-15T09:30:00Z', postgres: '18.4', migrations } },
    { kind: 'table', name: 'tenant', columns: ['id', 'name'] },
    { kind: 'row', json: row },
    { kind: 'end', ...end },
  ]);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

it('says the SHA-256 of the file', async () => {
  const file = join(folder, 'hashed.backup');
  const said = await writeBackup(
    file,
    (async function* () {
      yield header;
    })(),
  );
  expect(said).toBe(
    createHash('sha256')
      .update(await readFile(file))
      .digest('hex'),
  );
});

it('recognizes lines that were changed, and reads files of builds that wrote no checksum', async () => {
  const checksum = new Checksum();
  const lines = [header, tableLine('tenant', ['id', 'name']), `${row}\n`].map((line) => checksum.add(line));
  const whole = [...lines, endLine({ ...end, sha256: checksum.value() })].join('');
  expect((await partsOf(await saved(whole))).map(({ kind }) => kind)).toEqual(['header', 'table', 'row', 'end']);
  await expect(partsOf(await saved(whole.replace('Zoë', 'Zoe')))).rejects.toThrow(
    'is not whole: its lines are not those that were written',
  );
  const old = [...lines, endLine(end)].join('').replace('Zoë', 'Zoe');
  expect(await partsOf(await saved(old))).toHaveLength(4);
});

it('leaves nothing of a backup that fails half-way', async () => {
  const lines = (async function* () {
    yield header;
    throw new Error('the database went away');
  })();
  await expect(writeBackup(join(folder, 'half.backup'), lines)).rejects.toThrow('the database went away');
  expect((await readdir(folder)).filter((name) => name.startsWith('half'))).toEqual([]);
});

it.each([
  ['', 'is not a backup of Rapport.'],
  ['hello\n', 'is not a backup of Rapport.'],
  [`${row}\n`, 'is not a backup of Rapport.'],
  ['["rapport-backup"]\n', 'is not a backup of Rapport.'],
  ['["rapport-backup",{"format":2}]\n', 'has format 2, and this build reads format 1.'],
  ['["rapport-backup",{"format":1,"migrations":[{}]}]\n', 'its first line is not that of a backup'],
  [header, 'is not whole: it has no end'],
  [`${header}["table","tenant"]\n`, 'a line that this build does not know'],
  [`${header}["end",{"rows":{"tenant":"1"},"sequences":{}}]\n`, 'a line that this build does not know'],
  [`${header}${endLine(end)}${row}\n`, 'it goes on after its end'],
])('refuses %j', async (text, told) => {
  await expect(saved(text).then(partsOf)).rejects.toThrow(told);
});

it('says in a sentence that it cannot write there, before it asks for a line', async () => {
  let asked = 0;
  const lines = (async function* () {
    asked++;
    yield header;
  })();
  await expect(writeBackup(folder, lines)).rejects.toThrow(`${folder} is a folder. Name a file in it.`);
  const missing = join(folder, 'missing');
  await expect(writeBackup(join(missing, 'a'), lines)).rejects.toThrow(`There is no folder ${missing}.`);
  await expect(writeBackup(join(folder, 'x'.repeat(300)), lines)).rejects.toThrow('is too long. Choose a shorter one.');
  expect(asked).toBe(0);
});

it('says in a sentence what the database refused while it was read', async () => {
  const lines = (async function* () {
    yield header;
    throw Object.assign(new Error('permission denied for table tenant'), { code: '42501' });
  })();
  await expect(writeBackup(join(folder, 'refused.backup'), lines)).rejects.toThrow(
    'The user in DATABASE_URL lacks a right (it says: permission denied for table tenant).',
  );
});

it('says of a file that is not there where to look', async () => {
  const inFile = join(await saved('x'), 'b');
  for (const file of [join(folder, 'none'), inFile]) {
    await expect(partsOf(file)).rejects.toThrow(`There is no file ${file}. Check its name and folder.`);
  }
});

it.runIf(process.platform === 'linux')('says that a disk cannot be read', async () => {
  await expect(partsOf('/proc/self/mem')).rejects.toThrow('/proc/self/mem cannot be read (EIO). Check its disk');
});

it('says of a folder that it is no backup', async () => {
  await expect(partsOf(folder)).rejects.toThrow(`${folder} is a folder, not a backup.`);
});
