// Every page, at both widths and in both colours: nothing that axe-core finds serious, nothing wider than the screen, no text too small to read.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { allPages } from './all-pages.js';
import { describeInBrowser, settled, useConsole, type Width } from './console.js';
import { wavesOf } from './waves.js';

const t = useConsole();
let axe = '';
beforeAll(async () => {
  axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
});

interface Violation {
  id: string;
  impact: string;
  nodes: { html: string; failureSummary: string }[];
}

/** What axe-core finds serious or critical. The previews are not ours to judge. */
async function seriousFaults(page: Page, only?: 'color-contrast'): Promise<string[]> {
  // Halfway from one colour to the other nothing has enough contrast.
  await page.evaluate('for (const each of document.getAnimations()) if (each instanceof CSSTransition) each.finish()');
  const { violations } = await page.evaluate<{ violations: Violation[] }>(
    `axe.run(document, { iframes: false, resultTypes: ["violations"]${only ? `, runOnly: ["${only}"]` : ''} })`,
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`));
}

/** Words that are shown in less than 12 px. */
const tooSmall = `[...document.querySelectorAll('body *')].filter((each) =>
  [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim()) &&
  each.checkVisibility() && parseFloat(getComputedStyle(each).fontSize) < 12).map((each) => each.outerHTML.slice(0, 120))`;

/** In both colours of the page as it is: to bring it there once more takes longer than all else. */
async function check(page: Page, name: string, width: Width): Promise<void> {
  await page.evaluate(axe);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
    // Of all that it looks at, colours alone are others in the dark.
    const faults = await seriousFaults(page, colorScheme === 'dark' ? 'color-contrast' : undefined);
    expect(faults, `${name}, ${colorScheme}`).toEqual([]);
  }
  const wide = await page.evaluate('document.documentElement.scrollWidth');
  expect(wide, `${name} is too wide`).toBeLessThanOrEqual(width);
  expect(await page.evaluate(tooSmall), `${name} has text below 12 px`).toEqual([]);
}

// A workspace without a mail server of its own has none to show, and Chromium tells of every 404.
const expects = /status of 404/;
const isFullOfFaults = 'no page has a serious accessibility fault, is wider than the screen or hard to read';

describeInBrowser('every page', () => {
  it(`at 1280 pixels: ${isFullOfFaults}; none waits for one answer to ask for the next`, { timeout: 400_000 }, async () => {
    const page = await t.open('', { expects });
    await page.addInitScript(`sessionStorage.setItem('rapport-token', ${JSON.stringify(t.token)})`);
    const late: string[] = [];
    for (const { name, path } of await allPages(t)) {
      const [, ...later] = await wavesOf(page, `${t.url}/console/${path}`);
      if (later.length > 0) late.push(`${name}: ${later.map((wave) => wave.join(', ')).join(' then ')}`);
      await settled(page);
      await check(page, name, 1280);
    }
    expect(late).toEqual([]);
  });

  it(`at 390 pixels: ${isFullOfFaults}`, { timeout: 400_000 }, async () => {
    const page = await t.open('', { width: 390, expects });
    for (const { name, path } of await allPages(t)) {
      await t.show(page, path);
      await check(page, name, 390);
    }
  });
});
