// Walks every page with Tab: it reaches everything, and the focus is always visible.
import { expect, it } from 'vitest';
import { allPages } from './all-pages.js';
import { describeInBrowser, useSharedConsole, type Width, widths } from './console.js';
import { faultsOfWalk } from './focus.js';

const t = useSharedConsole();
/** A workspace without its own mail server has none to show, and Chromium reports every 404. */
const expects = /status of 404/;
/** All pages, including those on a phone, with `npm run prove -- console`; otherwise one of each kind. */
const isEvery = Boolean(process.env.EVERY_PAGE);

async function walkAll(width: Width): Promise<string[]> {
  const page = await t.open('', { width, expects });
  // The greeting covers the page until it disappears by itself.
  await page.getByRole('button', { name: 'Close', exact: true }).waitFor({ state: 'detached' });
  const faults: string[] = [];
  for (const { name, path, kind } of await allPages(t)) {
    if (!kind && !isEvery) continue;
    await t.show(page, path);
    faults.push(...(await faultsOfWalk(page)).map((fault) => `${name} ${fault}`));
  }
  return faults;
}

describeInBrowser('Tab', () => {
  it.each(isEvery ? widths : [1280 as const])(
    'reaches everything at %i pixels, and one sees where it is',
    { timeout: 600_000 },
    async (width) => {
      expect(await walkAll(width)).toEqual([]);
    },
  );
});
