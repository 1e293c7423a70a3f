// `npm run screenshots`: pictures of every page of the console with the demo data, at two widths, light and dark. All go to a folder for review;
// the few that the README and docs/ show are written there too.
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { allPages } from '../server/test/browser/all-pages.js';
import { cleanUp, makeDataDir, startService } from '../server/test/process/service.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const out = process.argv[2] ?? join(root, 'data', 'screenshots');
const executablePath = process.env.CHROMIUM_PATH || '/usr/bin/chromium';
/** Which pictures the docs show, by page. */
const shown = ['home', 'contacts', 'contact', 'audience', 'journey', 'email', 'why', 'reports'];
const args = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'].concat(
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
);

const service = await startService({ dataDir: await makeDataDir() });
try {
  const token = (await readFile(join(service.dataDir, 'demo-token'), 'utf8')).trim();
  const pages = await allPages({ url: service.url, token });
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  await mkdir(join(root, 'docs', 'images'), { recursive: true });
  const browser = await chromium.launch({ executablePath, args });
  for (const width of [1280, 390])
    for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
      const context = await browser.newContext({ viewport: { width, height: width === 390 ? 844 : 860 }, colorScheme });
      await context.addInitScript(`sessionStorage.setItem('rapport-token', ${JSON.stringify(token)})`);
      const page = await context.newPage();
      for (const { name, path } of pages) {
        await page.goto(`${service.url}/console/${path}`);
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
  await browser.close();
  process.stdout.write(`All of them are in ${out}, those of the docs in docs/images.\n`);
} finally {
  await cleanUp();
}
