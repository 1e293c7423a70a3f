import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Complaint } from '../complaint.js';
import { runEmail } from './command.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rapport-texts-'));
});
afterAll(() => rm(folder, { recursive: true }));

const id = '019a8b2c4d5e6f708192a3c1';
const texts = [{ id: 'subject', source: 'Hi', target: null }];
const skipped = [{ id: 'subject', reason: 'It has changed.' }];

async function running(...args: string[]) {
  const sent: { call: string; body: unknown }[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const part of request) text += part;
    const call = `${request.method} ${request.url}`;
    sent.push({ call, body: text && JSON.parse(text) });
    const about = { emailId: id, language: 'de', sourceLanguage: 'en' };
    const read = call.includes('xliff') ? { ...about, xliff: '<xliff/>' } : { ...about, texts };
    const stored = { emailId: id, language: 'de', applied: 2, skipped, missing: ['preheader'] };
    const found = call.includes('search=Welcome') ? [{ id, name: 'Welcome' }] : [];
    const rows = {
      data: found,
      pagination: { pageNumber: 1, pageSize: 20, totalElements: found.length, totalPages: 1 },
    };
    const one = { data: call.startsWith('PUT') ? stored : read };
    response.end(JSON.stringify({ ...(call.includes('/texts') ? one : rows), errors: [] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const told: string[] = [];
  const spies = [vi.spyOn(console, 'error'), vi.spyOn(console, 'log')].map((spy) =>
    spy.mockImplementation((text: unknown) => void told.push(String(text))),
  );
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = { INIT_CWD: folder, RAPPORT_URL: url, RAPPORT_TOKEN: 'x' };
  const ended = await runEmail({ args: ['texts', ...args], env }).catch((thrown: unknown) => thrown);
  for (const spy of spies) spy.mockRestore();
  server.closeAllConnections();
  server.close();
  if (ended instanceof Complaint) told.push(ended.message);
  return { code: ended instanceof Complaint ? 1 : ended, told: told.join('\n'), sent };
}

it('writes the texts of an email by name to a file, as XLIFF', async () => {
  const { code, sent } = await running('Welcome', '--language', 'de', '--out', 'welcome.xlf');
  expect(code).toBe(0);
  expect(sent.at(-1)?.call).toBe(`GET /v2/emails/${id}/texts?language=de&format=xliff`);
  expect(await readFile(join(folder, 'welcome.xlf'), 'utf8')).toBe('<xliff/>');
});

it('writes and reads JSON, and says what was left out', async () => {
  const { code } = await running(id, '--language', 'de', '--out', 'welcome.json');
  expect(code).toBe(0);
  const { sent, told } = await running(id, '--in', 'welcome.json');
  expect(sent).toEqual([{ call: `PUT /v2/emails/${id}/texts`, body: { language: 'de', texts } }]);
  expect(told).toBe('skipped: subject: It has changed.\nnot translated: preheader\nStored 2 texts in de.');
});

it('says what is wrong with how it was called', async () => {
  await writeFile(join(folder, 'broken.json'), '{');
  expect(await running(id, '--in', 'broken.json')).toMatchObject({
    code: 1,
    told: expect.stringContaining('is not JSON'),
  });
  expect((await running(id, '--in', 'gone.xlf')).code).toBe(1);
  expect((await running(id)).told).toContain('--out or --in');
  expect((await running(id, '--out', 'x.xlf')).told).toContain('--language');
  expect((await running('Nobody', '--in', 'welcome.json')).told).toContain('no email named "Nobody"');
});
