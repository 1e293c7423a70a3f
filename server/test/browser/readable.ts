// Whether a page is readable: axe-core finds nothing serious, nothing is wider than the screen, and no text is too small.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  id: string;
  impact: string;
  nodes: { html: string; failureSummary: string }[];
}

/** What axe-core finds serious or critical. Previews are excluded, because they are not ours. */
async function seriousFaults(page: Page, only?: 'color-contrast'): Promise<string[]> {
  // Halfway through a colour transition nothing has enough contrast.
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

/** In both colour schemes of the page as it is: loading it a second time would take longer than everything else. */
async function faultsInBothColours(page: Page, width: number): Promise<string[]> {
  const faults: string[] = [];
  await page.evaluate(axe);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
    // Only colours differ in dark mode.
    const serious = await seriousFaults(page, colorScheme === 'dark' ? 'color-contrast' : undefined);
    faults.push(...serious.map((fault) => `${colorScheme}: ${fault}`));
  }
  return [...faults, ...(await misfits(page, width))];
}

/** What is wider than the screen, or too small to read. */
async function misfits(page: Page, width: number): Promise<string[]> {
  const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
  const small = await page.evaluate<string[]>(tooSmall);
  return [...(wide > width ? [`is ${wide} pixels wide`] : []), ...small.map((html) => `is below 12 px: ${html}`)];
}

/** All pages with all checks: `npm run prove -- console`. */
export const isEvery = Boolean(process.env.EVERY_PAGE);

/** The suite opens each page at both widths; axe-core checks it at one of them. */
export async function faultsOf(page: Page, name: string, width: number, withAxe: boolean): Promise<string[]> {
  const faults = isEvery || withAxe ? await faultsInBothColours(page, width) : await misfits(page, width);
  return faults.map((fault) => `${name} ${fault}`);
}

/** For the pages of people who do not sign in: whatever axe-core finds, and what is wider than the screen. */
export async function faultsOfPublicPage(page: Page): Promise<string[]> {
  const tooWide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  await page.evaluate(axe);
  const { violations } = await page.evaluate<{ violations: Violation[] }>('axe.run()');
  const faults = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  return [...(tooWide > 0 ? [`is ${tooWide} pixels too wide`] : []), ...faults];
}
