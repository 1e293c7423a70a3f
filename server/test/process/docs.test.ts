// Every shell block of the README and the docs as it stands, in order, one new shell per page, on one service with the demo data.
import { execFileSync } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestDns } from '../dns.js';
import { allowApp } from './allow-app.js';
import { cleanUp, makeDataDir, projectDir, type Service, startService } from './service.js';
import { blocksOf, fencesOf, pages, prepareCommands, runBlocks, type Shell } from './shell-blocks.js';

// Nothing is looked up elsewhere.
const dns = new TestDns();
let service: Service;
let shell: Shell;

beforeAll(async () => {
  const dataDir = await makeDataDir();
  await dns.start();
  service = await startService({ dataDir, env: { DNS_SERVERS: dns.address } });
  const folder = await makeDataDir();
  await symlink(dataDir, join(folder, 'data'));
  // Designs that docs/emails.md pushes.
  await symlink(join(projectDir, 'contract'), join(folder, 'contract'));
  const bin = await makeDataDir();
  await prepareCommands(bin);
  shell = { folder, bin, dataDir, servicePort: new URL(service.url).port };
});
afterAll(async () => {
  await cleanUp();
  await dns.stop();
});

const all = pages().map((page) => ({ page, blocks: blocksOf(page) }));
const run = all.filter(({ blocks }) => blocks.some(({ isByHand }) => !isByHand));

it.each(run)('$page: every block runs as it stands', async ({ blocks }) => {
  let isAllowed = false;
  // A reader of oauth.md allows the app in a browser, and pastes the code.
  const person = async (said: string) => {
    const asked = /http:[^\s"]+\/oauth\/authorize\?\S+$/m.exec(said)?.[0];
    if (!asked || isAllowed) return undefined;
    isAllowed = true;
    return allowApp(service, asked.replace('http://127.0.0.1:8080', service.url));
  };
  const ended = await runBlocks(
    blocks.filter(({ isByHand }) => !isByHand),
    { ...shell, person },
  );
  expect(ended.code, `${ended.stdout.slice(-2000)}\n${ended.stderr.slice(-4000)}`).toBe(0);
});

// These need a container, a mail server, another PostgreSQL, a start or a stop. Every addition is a block that no test runs.
it('leaves no more blocks to be tried by hand than it must', () => {
  const left = Object.fromEntries(
    all
      .map(({ page, blocks }) => [page, blocks.filter(({ isByHand }) => isByHand).length] as const)
      .filter(([, count]) => count > 0),
  );
  expect(left).toEqual({
    'README.md': 1,
    'docs/client.md': 1,
    'docs/console.md': 1,
    'docs/operations.md': 13,
    'docs/sending.md': 3,
  });
});

it('can read those, too', () => {
  for (const { text } of all.flatMap(({ blocks }) => blocks)) execFileSync('bash', ['-n', '-u'], { input: text });
});

it('knows every block of a shell by its name, sh', () => {
  const names = new Set(pages().flatMap((page) => fencesOf(page).map(({ info }) => info)));
  const others = ['', 'html', 'js', 'json', 'liquid', 'python', 'sql', 'text'];
  expect([...names].filter((name) => !others.includes(name)).sort()).toEqual(['sh', 'sh by-hand']);
});
