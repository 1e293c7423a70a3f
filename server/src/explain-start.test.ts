import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checkDataDir, checkPort, explain } from './explain-start.js';

const failure = (code: string, more = {}) => Object.assign(new Error(`${code}: it failed`), { code, ...more });

it.each([
  [failure('ENOSPC', { path: '/data' }), /^The disk of \/data is full\. Make room.* Check DATA_DIR\.$/],
  [failure('EROFS', { path: '/data' }), /^\/data is on a disk that can only be read\./],
  [failure('EACCES', { path: '/data' }), /^This user may not write to \/data\. /],
  [failure('EADDRINUSE', { syscall: 'listen', address: '::1', port: 80 }), /^Port 80 of ::1 is taken/],
  [failure('EACCES', { syscall: 'listen', address: '::1', port: 80 }), /^Port 80 may not be used .* Set PORT/],
  [failure('57P01'), /^The database went away while the service started: .* start again\.$/],
  [failure('ECONNRESET'), /^The database went away while the service started: .* start again\.$/],
  [new Error('A sentence.'), /^A sentence\.$/],
])('says %s in one sentence', (error, sentence) => {
  expect(explain(error)).toMatch(sentence);
  expect(explain(error)).not.toContain('\n');
});

it('keeps the stack of a bug', () => {
  expect(explain(new TypeError('x is not a function'))).toContain('\n    at ');
});

it('finds a port that is taken before anything starts, and leaves a free one free', async () => {
  const squatter = createServer();
  await new Promise<void>((resolve) => squatter.listen(0, '127.0.0.1', resolve));
  const { port } = squatter.address() as AddressInfo;
  await expect(checkPort('127.0.0.1', port)).rejects.toThrow(`Port ${port} of 127.0.0.1 is taken`);
  await new Promise((resolve) => squatter.close(resolve));
  await checkPort('127.0.0.1', port);
  await checkPort('127.0.0.1', port);
});

it('tries whether the data folder is writable', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'rapport-data-'));
  await writeFile(join(dir, 'file'), '');
  await checkDataDir(join(dir, 'a/b'), true);
  await expect(checkDataDir(join(dir, 'file'), true)).rejects.toThrow(/DATA_DIR is wrong: .*file is no folder/);
  await expect(checkDataDir(join(dir, 'file/x'), true)).rejects.toThrow(/DATA_DIR is wrong: .* is no folder/);
  await rm(dir, { recursive: true });
});
