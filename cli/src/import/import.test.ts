// The command against a service that answers from a script: what a person reads when something is in the way.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Complaint } from '../complaint.js';
import { runImport } from './import.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rapport-import-'));
  await writeFile(join(folder, 'a.csv'), 'email\na@example.com\n');
});
afterAll(() => rm(folder, { recursive: true }));

const data = (value: object) => JSON.stringify({ data: value, errors: [] });
const done = { status: 'DONE', counts: { CREATED: 1, UPDATED: 0, NO_CHANGE: 0, FAILED: 1 } };
/** Takes any file, and says that a row of it failed. */
const takes: RequestListener = (request, response) => {
  request.resume().on('end', () => {
    if (request.url?.startsWith('/exports')) response.end('email,_error\r\nb,bad\r\n');
    else response.end(data({ transactionId: '1-x', ...(request.method === 'GET' ? done : { status: 'PENDING' }) }));
  });
};

async function importing(args: string[], env: Record<string, string> = {}, answer = takes) {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const told: string[] = [];
  const hear = (text: unknown) => {
    told.push(String(text));
    return true;
  };
  const spies = [vi.spyOn(console, 'error'), vi.spyOn(console, 'log')].map((spy) => spy.mockImplementation(hear));
  const bar = vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
  const given = { INIT_CWD: folder, RAPPORT_URL: url, RAPPORT_TOKEN: 'x', ...env };
  const ended = await runImport({ args, env: given }).catch((error: unknown) => error);
  for (const spy of [...spies, bar]) spy.mockRestore();
  server.closeAllConnections();
  server.close();
  if (typeof ended === 'number') return { code: ended, told: told.join('\n').replaceAll(url, 'URL') };
  expect(ended).toBeInstanceOf(Complaint);
  return { code: 1, told: (ended as Complaint).message.replaceAll(url, 'URL') };
}

it.each([
  ['none.csv', 'There is no file FOLDER/none.csv. Check its name and folder.'],
  ['a.csv/b.csv', 'There is no file FOLDER/a.csv/b.csv. Check its name and folder.'],
  [`${'x'.repeat(300)}.csv`, 'is too long. Choose a shorter one.'],
])('says what is wrong with the file %s', async (file, told) => {
  expect((await importing([file])).told).toContain(told.replace('FOLDER', folder));
});

it('says that the file is missing before it asks for anything else, also where no service runs', async () => {
  const env = { RAPPORT_TOKEN: '', DATA_DIR: join(folder, 'none'), RAPPORT_URL: 'http://127.0.0.1:1' };
  for (const args of [['none.csv'], ['none.txt'], ['none.csv', '--token', ''], ['none.csv', '--url', 'nowhere']])
    expect((await importing(args, env)).told).toMatch(
      /^There is no file \S+none\.(csv|txt)\. Check its name and folder\.$/,
    );
});

it.runIf(process.platform === 'linux')('says that the file cannot be read, not that the service is away', async () => {
  // The first page of a process's memory is never there.
  const { told } = await importing(['/proc/self/mem', '--type', 'csv']);
  expect(told).toBe(
    '/proc/self/mem cannot be read (EIO). Check its disk, or name another file.\nNothing was imported.',
  );
});

it.each([
  ['no/such/folder.csv', 'There is no folder FOLDER/no/such. Make it, or name a file elsewhere.'],
  ['.', 'FOLDER is a folder. Name a file in it.'],
  ...(process.platform === 'linux' ? [['/dev/full', 'The disk of /dev/full is full. Make room']] : []),
])('says why failed rows are not in %s, and how to get them', async (file = '', told = '') => {
  const ended = await importing(['a.csv', '--errors', file]);
  expect(ended.code).toBe(2);
  expect(ended.told).toContain(`The failed rows cannot be written. ${told.replace('FOLDER', folder)}`);
  expect(ended.told).toContain("'URL/exports/transactions/1-x/errors'");
  expect(ended.told).not.toMatch(/E[A-Z]{3,}/);
});

it('says that the service broke off in the middle of the failed rows, not that the disk did', async () => {
  const breaks: RequestListener = (request, response) => {
    if (!request.url?.startsWith('/exports')) return takes(request, response);
    response.writeHead(200, { 'content-length': '1000' });
    response.write('email,_error\r\n', () => response.destroy());
  };
  const { told } = await importing(['a.csv', '--errors', 'broken.csv'], {}, breaks);
  expect(told).toContain('The failed rows cannot be written. The connection to URL broke.');
});

it.each<[string, string, string]>([
  ['nothing', '', 'No token: give one with --token or RAPPORT_TOKEN. There is no demo token in'],
  ['a file that is no token', 'two words', 'demo-token is not a token. Give one with --token or RAPPORT_TOKEN.'],
])('says what to do where DATA_DIR has %s', async (_, text, told) => {
  const dataDir = await mkdtemp(join(folder, 'data-'));
  if (text) await writeFile(join(dataDir, 'demo-token'), text);
  const ended = await importing(['a.csv'], { RAPPORT_TOKEN: '', DATA_DIR: dataDir });
  expect(ended).toEqual({ code: 1, told: expect.stringContaining(told) });
});

it('says that DATA_DIR is wrong where the token should be in it', async () => {
  const ended = await importing(['a.csv'], { RAPPORT_TOKEN: '', DATA_DIR: join(folder, 'a.csv') });
  expect(ended.told).toContain('No token: give one with --token or RAPPORT_TOKEN. There is no file');
});
