// Every page, at both widths and in both colours: nothing that axe-core finds serious, nothing wider than the screen, no text too small to read.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { allPages } from './all-pages.js';
import { describeInBrowser, settled, useConsole } from './console.js';
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
async function faultsOf(page: Page, width: number): Promise<string[]> {
  const faults: string[] = [];
  await page.evaluate(axe);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
    // Of all that it looks at, colours alone are others in the dark.
    const serious = await seriousFaults(page, colorScheme === 'dark' ? 'color-contrast' : undefined);
    faults.push(...serious.map((fault) => `${colorScheme}: ${fault}`));
  }
  return [...faults, ...(await unfitting(page, width))];
}

/** What is wider than the screen, or too small. */
async function unfitting(page: Page, width: number): Promise<string[]> {
  const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
  const small = await page.evaluate<string[]>(tooSmall);
  return [...(wide > width ? [`is ${wide} pixels wide`] : []), ...small.map((html) => `is below 12 px: ${html}`)];
}

// A workspace without a mail server of its own has none to show, and Chromium tells of every 404.
const expects = /status of 404/;

/** All of them, at both widths, with `npm run prove -- console`. Here each is opened at both, and axe-core looks at every other one. */
const isEvery = Boolean(process.env.EVERY_PAGE);

async function checked(page: Page, name: string, width: number, isLookedAt: boolean): Promise<string[]> {
  const faults = isEvery || isLookedAt ? await faultsOf(page, width) : await unfitting(page, width);
  return faults.map((fault) => `${name} ${fault}`);
}

describeInBrowser('every page can be read by everybody, fits the screen', () => {
  it('at 1280 pixels, and asks for nothing only after it got something else', { timeout: 400_000 }, async () => {
    const page = await t.open('', { expects });
    // Kept for the tab, so that each page can be loaded anew.
    await page.addInitScript(`if (self === top) sessionStorage.setItem('rapport-token', ${JSON.stringify(t.token)})`);
    const faults: string[] = [];
    for (const [at, { name, path, kind }] of (await allPages(t)).entries()) {
      if (kind || isEvery) {
        const [, ...later] = await wavesOf(page, `${t.url}/console/${path}`);
        faults.push(...later.map((wave) => `${name} asks later for ${wave.join(', ')}`));
        await settled(page).catch(() => faults.push(`${name} is never done`));
      } else await t.show(page, path).catch(() => faults.push(`${name} is never done`));
      faults.push(...(await checked(page, name, 1280, at % 2 === 0)));
    }
    expect(faults).toEqual([]);
  });

  it('at 390 pixels', { timeout: 400_000 }, async () => {
    const page = await t.open('', { width: 390, expects });
    const faults: string[] = [];
    for (const [at, { name, path }] of (await allPages(t)).entries()) {
      await t.show(page, path).catch(() => faults.push(`${name} is never done`));
      faults.push(...(await checked(page, name, 390, at % 2 === 1)));
    }
    expect(faults).toEqual([]);
  });
});
