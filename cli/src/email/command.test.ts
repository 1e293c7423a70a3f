// The command against a service that answers from a script: what a person reads, and what is sent.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Complaint } from '../complaint.js';
import { runEmail } from './command.js';

let folder: string;
const design = { version: 1, blocks: [{ type: 'footer', address: 'Here' }] };
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rapport-email-'));
  await writeFile(join(folder, 'welcome.json'), JSON.stringify(design));
  await writeFile(join(folder, 'broken.json'), '{"version": 1,');
});
afterAll(() => rm(folder, { recursive: true }));

const row = { id: 'e1', name: 'welcome', editorUrl: 'http://x/console/emails/e1' };
const warning = { severity: 'warning', place: 'design.theme.text', message: 'is hard to read' };
const error = { severity: 'error', place: 'design.blocks[0].href', message: 'is not a link' };

interface World {
  problems?: object[];
  emails?: object[];
}

async function pushing(args: string[], { problems = [], emails = [] }: World = {}) {
  const sent: { call: string; body: unknown }[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const part of request) text += part;
    const call = `${request.method} ${request.url?.split('?')[0]}`;
    sent.push({ call, body: text && JSON.parse(text) });
    const rows = {
      data: emails,
      errors: [],
      pagination: { pageNumber: 1, pageSize: 20, totalElements: emails.length, totalPages: 1 },
    };
    const one = { data: call.endsWith('/compile') ? { html: '', text: '', size: 0, problems } : row, errors: [] };
    response.end(JSON.stringify(call.startsWith('GET') ? rows : one));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const told: string[] = [];
  const spies = [vi.spyOn(console, 'error'), vi.spyOn(console, 'log')].map((spy) =>
    spy.mockImplementation((text: unknown) => void told.push(String(text))),
  );
  const env = { INIT_CWD: folder, RAPPORT_URL: url, RAPPORT_TOKEN: 'x' };
  const ended = await runEmail({ args, env }).catch((thrown: unknown) => thrown);
  for (const spy of spies) spy.mockRestore();
  server.closeAllConnections();
  server.close();
  if (ended instanceof Complaint) told.push(ended.message);
  return { code: ended instanceof Complaint ? 1 : ended, told: told.join('\n'), sent };
}

it('updates the email with the name of the file, and says what is doubtful', async () => {
  const { code, told, sent } = await pushing(['push', 'welcome.json'], { problems: [warning], emails: [row] });
  expect(code).toBe(0);
  expect(told).toBe('warning: design.theme.text: is hard to read\nUpdated "welcome": http://x/console/emails/e1');
  expect(sent.at(-1)).toEqual({ call: 'PATCH /v2/emails/e1', body: { design } });
});

it('creates an email where there is none of that name, given what a new one needs', async () => {
  const args = ['push', 'welcome.json', '--name', 'Hello', '--subject', 'S', '--from', 'a@example.com'];
  const { code, told, sent } = await pushing(args);
  expect([code, told]).toEqual([0, 'Created "welcome": http://x/console/emails/e1']);
  const body = { name: 'Hello', subject: 'S', fromEmail: { email: 'a@example.com' }, design };
  expect(sent.at(-1)).toEqual({ call: 'POST /v2/emails', body });
  const short = await pushing(['push', 'welcome.json']);
  expect(short.told).toBe('There is no email named "welcome". To create it, give --subject and --from.');
});

it('saves nothing if the design has an error', async () => {
  const { code, told, sent } = await pushing(['push', 'welcome.json', '--id', 'e1'], { problems: [error, warning] });
  expect(code).toBe(1);
  expect(told).toBe(
    'error: design.blocks[0].href: is not a link\nwarning: design.theme.text: is hard to read\nNothing was saved.',
  );
  expect(sent.map(({ call }) => call)).toEqual(['POST /v2/emails/compile']);
});

it.each([
  [['push', 'none.json'], 'There is no file FOLDER/none.json.'],
  [['push', 'broken.json'], 'FOLDER/broken.json is not JSON:'],
  [['push'], 'Name the file with the design, or the email.'],
  [['pull', 'welcome.json'], '"pull" is nothing that it can do. Say push or texts.'],
])('says what is wrong with %j', async (args, expected) => {
  const { code, told } = await pushing(args);
  expect([code, told.includes(expected.replace('FOLDER', folder))]).toEqual([1, true]);
});
