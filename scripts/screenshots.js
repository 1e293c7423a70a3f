// `npm run screenshots`: pictures of every page of the console with the demo data, at two widths, light and dark, and of emails made of blocks. All
// go to a folder for review; the few that the console, the README and docs/ show are written there too. `npm run screenshots -- --emails` draws only
// the emails, `--editor` only the block editor.
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { allPages } from '../server/test/browser/all-pages.js';
import { cleanUp, makeDataDir, startService } from '../server/test/process/service.js';
import { drawEditor } from './editor-pictures.js';
import { drawEmails } from './email-gallery.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values: only, positionals } = parseArgs({
  options: { emails: { type: 'boolean' }, editor: { type: 'boolean' } },
  allowPositionals: true,
});
const out = positionals[0] ?? join(root, 'data', 'screenshots');
const executablePath = process.env.CHROMIUM_PATH || '/usr/bin/chromium';
/** Which pictures the docs show, by page. */
const shown = ['home', 'contacts', 'contact', 'audience', 'journey', 'email', 'why', 'reports'];
const args = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'].concat(
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
);

/** @param {import('playwright-core').Browser} browser */
async function drawPages(browser) {
  const service = await startService({ dataDir: await makeDataDir() });
  const token = (await readFile(join(service.dataDir, 'demo-token'), 'utf8')).trim();
  const images = join(root, 'docs', 'images');
  await mkdir(images, { recursive: true });
  const signIn = `sessionStorage.setItem('rapport-token', ${JSON.stringify(token)})`;
  if (!only.editor) await drawAll(browser, service.url, token, signIn);
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, colorScheme: 'light' });
  await context.addInitScript(signIn);
  await drawEditor(await context.newPage(), { url: service.url, token, folder: images });
  await context.close();
}

/**
 * @param {import('playwright-core').Browser} browser
 * @param {string} url
 * @param {string} token
 * @param {string} signIn
 */
async function drawAll(browser, url, token, signIn) {
  const pages = await allPages({ url, token });
  for (const width of [1280, 390])
    for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
      const context = await browser.newContext({ viewport: { width, height: width === 390 ? 844 : 860 }, colorScheme });
      await context.addInitScript(signIn);
      const page = await context.newPage();
      for (const { name, path } of pages) {
        await page.goto(`${url}/console/${path}`);
        await page.getByRole('heading', { level: 1 }).waitFor();
        while ((await page.locator('.mantine-Skeleton-root, [aria-busy=true], .mantine-Loader-root').count()) > 0)
          await page.waitForTimeout(50);
        await page.waitForTimeout(400);
        const picture = join(out, `${name}-${width}-${colorScheme}.png`);
        await page.screenshot({ path: picture, animations: 'disabled' });
        if (shown.includes(name) && width === 1280 && colorScheme === 'light')
          await page.screenshot({ path: join(root, 'docs', 'images', `${name}.png`), animations: 'disabled' });
      }
      await context.close();
      process.stdout.write(`${width} ${colorScheme}: ${pages.length} pages\n`);
    }
}

await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });
const browser = await chromium.launch({ executablePath, args });
try {
  if (!only.editor) await drawEmails(browser, { out, root });
  if (!only.emails) await drawPages(browser);
  process.stdout.write(`All of them are in ${out}, those of the docs in docs/images.\n`);
} finally {
  await browser.close();
  await cleanUp();
}
