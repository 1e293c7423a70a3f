// Pictures of emails, drawn by Chromium from what the compiler writes: every starting point on a screen and on a phone, and every kind of block, each
// in light and dark. The small ones that the console and docs/ show are written there.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { blockKinds, startingPoints } from '../contract/dist/index.js';
import { compileDesign } from '../server/dist/features/designs/index.js';
import { conditionsIn } from '../server/dist/features/emails/conditions.js';
import { readTemplate } from '../server/dist/features/emails/rendering/check-texts.js';
import { renderPerson } from '../server/dist/features/emails/rendering/render-person.js';
import { blockExamples, exampleData, picture, pictureSvg, savedExample } from './block-examples.js';

/** @typedef {import('@rapport/contract').Design} Design */
/** @typedef {import('playwright-core').Page} Page */

const schemes = /** @type {const} */ (['light', 'dark']);
const links = {
  unsubscribeUrl: 'https://example.com/unsubscribe',
  preferencesUrl: 'https://example.com/preferences',
  viewUrl: 'https://example.com/view',
};
// Wider than a phone: columns stand side by side.
const blockWidth = 540;
const thumbnail = { width: 300, height: 375, quality: 0.82 };

/**
 * What Ada gets. Every condition holds.
 * @param {Design} design
 * @param {unknown} data
 */
function htmlOf(design, data) {
  const { html, text } = compileDesign(design, { blocks: savedExample, files: {} }, readTemplate);
  const texts = { subject: '', preheader: null, html, text };
  const conditions = conditionsIn(texts);
  const to = { email: 'ada@example.com', properties: { first_name: 'Ada', plan: 'pro' } };
  const holds = conditions.map(() => true);
  const outcome = renderPerson({ ...texts, conditions }, { to, links, withText: false, holds, words: { data } });
  if (!outcome.ok) throw new Error(outcome.failure.message);
  return outcome.texts.html;
}

/**
 * @param {import('playwright-core').Browser} browser
 * @param {{ out: string, root: string }} folders
 */
export async function drawEmails(browser, { out, root }) {
  const page = await browser.newPage();
  await page.route(/^https:/, (route) =>
    route.request().url() === picture
      ? route.fulfill({ contentType: 'image/svg+xml', body: pictureSvg })
      : route.abort(),
  );
  await drawStartingPoints(
    page,
    join(out, 'starting-points'),
    join(root, 'console/src/features/emails/list/starting-points'),
  );
  await drawBlocks(page, join(root, 'docs/images/blocks'));
  await page.close();
}

/**
 * @param {Page} page
 * @param {string} html
 * @param {{ width: number, height?: number, scheme: 'light' | 'dark' }} screen
 */
async function show(page, html, { width, height = 750, scheme }) {
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme: scheme });
  await page.setContent(html, { waitUntil: 'load' });
}

/**
 * @param {Page} page
 * @param {string} all
 * @param {string} small
 */
async function drawStartingPoints(page, all, small) {
  await mkdir(all, { recursive: true });
  await mkdir(small, { recursive: true });
  for (const { id, data, load } of startingPoints) {
    const html = htmlOf(await load(), data);
    for (const width of [600, 375])
      for (const scheme of schemes) {
        await show(page, html, { width, scheme });
        await page.screenshot({ path: join(all, `${id}-${width}-${scheme}.png`), fullPage: true });
      }
    await show(page, html, { width: 600, scheme: 'light' });
    await writeFile(join(small, `${id}.webp`), await shrink(page, await page.screenshot()));
  }
  process.stdout.write(`${startingPoints.length} starting points\n`);
}

/**
 * Chromium scales and encodes it.
 * @param {Page} page
 * @param {Buffer} png
 */
async function shrink(page, png) {
  const url = await page.evaluate(
    `new Promise((resolve, reject) => {
      const image = new Image();
      image.onerror = reject;
      image.onload = () => {
        const canvas = document.createElement('canvas');
        canvas.width = ${thumbnail.width};
        canvas.height = ${thumbnail.height};
        const context = canvas.getContext('2d');
        context.imageSmoothingQuality = 'high';
        context.drawImage(image, 0, 0, canvas.width, canvas.height);
        resolve(canvas.toDataURL('image/webp', ${thumbnail.quality}));
      };
      image.src = 'data:image/png;base64,${png.toString('base64')}';
    })`,
  );
  return Buffer.from(String(url).split(',')[1] ?? '', 'base64');
}

/**
 * Light and dark side by side.
 * @param {Page} page
 * @param {string} folder
 */
async function drawBlocks(page, folder) {
  await mkdir(folder, { recursive: true });
  for (const kind of /** @type {(keyof typeof blockKinds)[]} */ (Object.keys(blockKinds))) {
    const html = htmlOf(
      { version: 1, theme: { width: blockWidth, radius: 8 }, blocks: blockExamples[kind] },
      exampleData,
    );
    const halves = [];
    for (const scheme of schemes) {
      await show(page, html, { width: blockWidth, scheme });
      halves.push((await page.locator('.r-sf').first().screenshot()).toString('base64'));
    }
    const images = halves.map((half) => `<img src="data:image/png;base64,${half}" style="display:block">`).join('');
    await page.setViewportSize({ width: 2 * blockWidth + 16, height: 100 });
    await page.setContent(
      `<body style="margin:0"><div id="pair" style="display:flex;gap:16px;background:#e3e5ea">${images}</div>`,
    );
    await page.locator('#pair').screenshot({ path: join(folder, `${kind}.png`) });
  }
  process.stdout.write(`${Object.keys(blockKinds).length} kinds of blocks\n`);
}
