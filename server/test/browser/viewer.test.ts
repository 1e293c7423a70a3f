// A viewer sees the same pages as everyone else, and no page offers anything that would be refused.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { allPages } from './all-pages.js';
import { describeInBrowser, settled, useSharedConsole } from './console.js';
import { joinDemo } from './people.js';

const t = useSharedConsole();
/** A workspace without its own mail server has none to show, and Chromium reports every 404. */
const expects = /status of 404/;
const isEvery = Boolean(process.env.EVERY_PAGE);
const controls = 'main button:visible:not(:disabled), main [role=tab]:visible';
/** What an editor page tells a viewer. */
const isReadOnly = 'View only';
const opened = '[role=dialog]:visible, [role=menu]:visible';
/** A person can join only once, so a second try invites another one. */
let tries = 0;

/** Presses every button of a page, and every item of the menus that they open. */
async function pressAll(page: Page, path: string): Promise<void> {
  // The rows of a table have the same buttons, so one of each is enough.
  const names = new Set(await page.locator(controls).allTextContents());
  for (const name of names) {
    const button = page.locator(controls).filter({ hasText: name }).first();
    // An earlier one may have led elsewhere, or removed it.
    if (!page.url().endsWith(`/console/${path}`)) await t.show(page, path);
    if ((await button.count()) === 0) continue;
    await button.press('Enter');
    await settled(page);
    const items = page.locator('[role=menuitem]:visible');
    for (let item = (await items.count()) - 1; item >= 0; item--) {
      if ((await items.count()) === 0) await button.press('Enter');
      await settled(page);
      // An action started by an item may keep the menu closed for a while.
      if ((await items.count()) <= item) break;
      await items.nth(item).press('Enter');
      await settled(page);
    }
    for (let times = 0; times < 3 && (await page.locator(opened).count()) > 0; times++)
      await page.keyboard.press('Escape');
  }
}

describeInBrowser('a viewer', () => {
  it('sees every page, and whatever they press is not refused', { timeout: 600_000 }, async () => {
    const page = await t.openSignedOut('', { expects });
    await joinDemo(t, page, { name: 'Vic', email: `vic${++tries}@example.com`, role: 'viewer' });
    const faults: string[] = [];
    let at = '';
    page.on('response', (answer) => {
      if (answer.status() === 403) faults.push(`${at}: ${answer.request().method()} ${answer.url()} is refused`);
    });
    page.on('request', (request) => {
      const isWrite = request.method() !== 'GET' && new URL(request.url()).pathname.startsWith('/v2/');
      if (isWrite) faults.push(`${at}: ${request.method()} ${request.url()} would write`);
    });
    for (const { name, path, kind } of await allPages(t)) {
      at = name;
      await t.show(page, path).catch(() => faults.push(`${name} is never done`));
      const alerts = await page.getByRole('main').getByRole('alert').allTextContents();
      faults.push(...alerts.filter((text) => !text.startsWith(isReadOnly)).map((text) => `${name} says: ${text}`));
      if (kind || isEvery) await pressAll(page, path);
    }
    expect(faults).toEqual([]);
  });
});
