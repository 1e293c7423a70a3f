// A tab that stays open while the service is upgraded: the files it still needs are served, and it is told. The tab was loaded from a node of the old
// build; from then on it is served by a node with another build and the same database.
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/db/database.js';
import { KeptFiles } from '../../src/features/console/kept-files.js';
import { installConsole } from '../../src/http/console.js';
import { makeTenant } from '../process/tenant.js';
import { launchBrowser } from './chromium.js';
import { describeInBrowser, signInWith, tokenField } from './console.js';
import { startDemoService } from './demo-services.js';

const built = fileURLToPath(new URL('../../../console/dist', import.meta.url));
let browser: Browser;
let demo: Awaited<ReturnType<typeof startDemoService>>;
let service: typeof demo.service;
let db: Database;
let upgraded: FastifyInstance;
let dir: string;

beforeAll(async () => {
  demo = await startDemoService({ DEMO: 'off' });
  ({ service } = demo);
  db = openDatabase({ connectionString: demo.databaseUrl });
  browser = await launchBrowser();
  // The next build: another page, and none of this one's files.
  dir = await mkdtemp(join(tmpdir(), 'rapport-upgrade-'));
  await cp(join(built, 'index.html'), join(dir, 'index.html'));
  await writeFile(join(dir, 'index.html'), `${await readFile(join(dir, 'index.html'), 'utf8')}<!-- the next one -->`);
  upgraded = Fastify();
  installConsole(upgraded, { others: new KeptFiles(db, upgraded.log), dir });
});
afterAll(async () => {
  await browser?.close();
  await upgraded?.close();
  await db?.close();
  await demo?.stop();
  if (dir) await rm(dir, { recursive: true });
});

/** From now on the node of the next build serves the console. */
async function upgrade(context: BrowserContext): Promise<string[]> {
  const asked: string[] = [];
  await context.route(/\/console\/(assets\/|build$)/, async (route) => {
    const { pathname } = new URL(route.request().url());
    const { statusCode, headers, rawPayload } = await upgraded.inject({ method: 'GET', url: pathname });
    asked.push(`${statusCode} ${pathname}`);
    const type = String(headers['content-type']);
    await route.fulfill({ status: statusCode, body: rawPayload, headers: { 'content-type': type } });
  });
  return asked;
}

describeInBrowser('a tab that is open during an upgrade', () => {
  it('still gets the parts that it has not loaded yet, and tells the person to reload', async () => {
    const { token } = await makeTenant(service);
    const context = await browser.newContext();
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(String(error)));
    await page.goto(`${service.url}/console/outbox`);
    await signInWith(page, token);
    await page.getByRole('heading', { level: 1, name: 'Outbox' }).waitFor();

    const asked = await upgrade(context);
    await page.getByRole('link', { name: 'Emails' }).click();
    await page.getByText('No emails yet').waitFor();
    expect(
      asked.some((line) => /^200 .*emails-page/.test(line)),
      asked.join('\n'),
    ).toBe(true);
    expect(asked.filter((line) => !line.startsWith('200'))).toEqual([]);

    // It checks when the tab is used again after a while.
    await page.evaluate('{ const now = Date.now; Date.now = () => now() + 61_000; }');
    await page.evaluate(`window.dispatchEvent(new Event('focus'))`);
    await page.getByText('A new version is available.').waitFor();
    await context.unrouteAll();
    await page.getByRole('button', { name: 'Reload' }).click();
    await (await tokenField(page)).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });
});
