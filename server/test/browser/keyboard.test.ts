// With the keyboard alone: dialogs take the focus and give it back, and two of the three key flows work from start to end. The third,
// "Why?", is in why.test.ts; every page is walked with Tab in tab-order.test.ts.
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { allPages } from './all-pages.js';
import { describeInBrowser, newEmail, settled, useConsole } from './console.js';

const t = useConsole();
/** A workspace without its own mail server has none to show, and Chromium reports every 404. */
const expects = /status of 404/;

const soon = <Value>(look: () => Value, message = '') => expect.poll(look, { timeout: 60_000, message });
const hasFocus = async (page: Page, target: Locator) => (await target.and(page.locator(':focus')).count()) === 1;

/** Presses Tab until it is reached. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.first().waitFor();
  for (let presses = 0; presses < 150 && !(await hasFocus(page, target)); presses++) await page.keyboard.press('Tab');
  expect(await hasFocus(page, target), `${target} is never reached`).toBe(true);
}

async function press(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name });

/** Types into the search, and takes what comes first. */
async function searchFor(page: Page, text: string, first: string): Promise<void> {
  const box = page.getByRole('textbox', { name: 'Search everything' });
  await box.waitFor({ state: 'detached' });
  await page.keyboard.press('ControlOrMeta+k');
  await soon(() => hasFocus(page, box)).toBe(true);
  await page.keyboard.type(text);
  await page.locator('[data-action][data-selected]', { hasText: first }).waitFor();
  await page.keyboard.press('Enter');
}

/** Created on demand or always there; opened by a button, a menu item or a row. */
const dialogs: [page: string, opener: RegExp, item?: string][] = [
  ['contacts', /^New contact$/],
  ['contacts', /^Filter$/],
  ['contacts', /^Columns$/],
  ['static-list', /^More actions$/, 'Rename'],
  ['dynamic-list', /^More actions$/, 'Delete list'],
  ['journeys', /^Actions for /, 'Name, tags, folder…'],
  ['journey', /^Edit as JSON$/],
  ['journey', /^Add a step after Entry/],
  ['emails', /^Actions for /, 'Delete email'],
  ['email-versions', /^grace@example\.com/],
  ['events', /^signed_in/],
  ['settings-tokens', /^New token$/],
];

const isInDialog = (page: Page) => page.evaluate<boolean>("document.activeElement.closest('[role=dialog]') !== null");
const isInPreview = (page: Page) => page.evaluate<boolean>("document.activeElement.matches('iframe')");

async function takeItem(page: Page, name: string): Promise<void> {
  const item = page.getByRole('menuitem', { name });
  await item.waitFor();
  for (let presses = 0; presses < 10 && !(await hasFocus(page, item)); presses++)
    await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
}

describeInBrowser('the keyboard', () => {
  it('is held by a dialog, and given back to what opened it', { timeout: 240_000 }, async () => {
    const page = await t.open('', { expects });
    const pages = await allPages(t);
    for (const [name, opener, item] of dialogs) {
      await t.show(page, pages.find((each) => each.name === name)?.path ?? '');
      const from = button(page, opener).first();
      await from.focus();
      await page.keyboard.press('Enter');
      if (item) await takeItem(page, item);
      const what = `${name}: ${opener}`;
      await soon(() => isInDialog(page), what).toBe(true);
      for (let presses = 0; presses < 20; presses++) {
        await page.keyboard.press('Tab');
        expect(await isInDialog(page), what).toBe(true);
      }
      // A preview is another document, which keeps its keys to itself: Tab leaves it, a moment later.
      const close = async () => {
        await page.keyboard.press((await isInPreview(page)) ? 'Tab' : 'Escape');
        return page.getByRole('dialog').count();
      };
      await soon(close, what).toBe(0);
      await soon(() => hasFocus(page, from), what).toBe(true);
    }
  });

  it('keeps its place where a table sorts, filters are cleared, more is loaded, and words come up', async () => {
    const { id } = (await t.api('GET', '/v2/contacts/by-email/ada@example.com')).body.data;
    const page = await t.open('contacts?search=ada', { expects });
    await settled(page);
    await press(page, page.getByTitle('Sort by Email'));
    await soon(() => page.url()).toContain('sort=email');
    await settled(page);
    expect(await hasFocus(page, page.getByTitle('Sort by Email'))).toBe(true);
    await page.keyboard.press('Enter');
    await soon(() => page.url()).toContain('sort=-email');
    await button(page, 'Clear filters').focus();
    await page.keyboard.press('Enter');
    await soon(() => hasFocus(page, page.getByRole('searchbox'))).toBe(true);

    await t.show(page, `contacts/${id}`);
    const more = button(page, /^(Show more|Loading …)$/);
    await more.focus();
    await page.keyboard.press('Enter');
    // On what appeared, or still on the button.
    await soon(() => hasFocus(page, page.getByRole('listitem').or(more))).toBe(true);

    await t.show(page, 'reports');
    await press(page, page.getByRole('combobox', { name: 'Period' }).or(page.getByRole('textbox', { name: 'Period' })));
    await page.getByRole('option', { name: 'Last 7 days' }).waitFor();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await soon(() => page.url()).toContain('period=');
    await settled(page);
    const definition = button(page, /^What “Sent” means/).first();
    await press(page, definition);
    await page
      .getByRole('status')
      .getByText(/mail server/)
      .waitFor();
    await page.keyboard.press('Escape');
    await page
      .getByRole('status')
      .getByText(/mail server/)
      .waitFor({ state: 'hidden' });
    expect(await hasFocus(page, definition)).toBe(true);
  });
});

describeInBrowser('with the keyboard alone', () => {
  it('a person signs in, makes a living audience of a file, finds it again, and signs out', async () => {
    const csv = ['email,kite_size', ...Array.from({ length: 20 }, (_, at) => `kite${at}@shop.example,${at}`)].join(
      '\n',
    );
    const page = await t.openSignedOut('', { expects });
    // Long before the button is pressed: Chromium must know of the listener by then.
    const file = { name: 'kites.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) };
    page.on('filechooser', (chooser) => void chooser.setFiles(file));
    await press(page, button(page, 'Use an access token'));
    await soon(() => hasFocus(page, page.getByLabel('Token', { exact: true }))).toBe(true);
    await page.keyboard.insertText(t.token);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    await searchFor(page, 'import con', 'Import contacts');
    await press(page, button(page, 'Choose a file'));
    await press(page, button(page, 'Import 20 rows'));
    await page.getByRole('heading', { name: 'Import finished' }).waitFor();
    await press(page, page.getByRole('link', { name: 'New dynamic list' }));
    await press(page, button(page, 'kite_size'));
    await tabTo(page, page.locator('input[aria-label="Value"]'));
    await page.keyboard.type('15');
    await soon(() => page.getByTestId('count').textContent()).toBe('5');
    await press(page, button(page, 'Save as list'));
    await page.getByRole('dialog').getByLabel('Name').waitFor();
    await soon(() => hasFocus(page, page.getByLabel('Name'))).toBe(true);
    await page.keyboard.type('Large kites');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Large kites' }).waitFor();
    await page.getByText('5 contacts').waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('o');
    await page.getByRole('heading', { level: 1, name: 'Organizations' }).waitFor();
    await searchFor(page, 'large ki', 'Large kites');
    await page.getByRole('heading', { level: 1, name: 'Large kites' }).waitFor();
    await searchFor(page, 'log out', 'Sign out');
    await page.getByText('You are signed out').waitFor();
  });

  it('a journey is watched, and started', async () => {
    const { id: emailId } = await newEmail(t);
    const steps = [
      { id: 'pause', type: 'delay', for: 'P2D' },
      { id: 'mail', type: 'sendEmail', emailId },
    ];
    const definition = { entry: { event: { eventName: 'account_created' } }, steps };
    const { body } = await t.api('POST', '/v2/journeys', { name: 'Watched by keys', type: 'trigger', definition });
    const page = await t.open(`journeys/${body.data.journeyId}`);
    await press(page, button(page, 'Simulate'));
    await press(page, button(page, 'Run simulation'));
    const clock = page.getByRole('slider', { name: 'Virtual clock' });
    await tabTo(page, clock);
    await page.keyboard.press('End');
    await soon(() => clock.getAttribute('aria-valuenow')).toBe(await clock.getAttribute('aria-valuemax'));
    await page.keyboard.press('Escape');
    await press(page, button(page, 'Activate'));
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await press(page, dialog.getByRole('button', { name: /^Activate/ }));
    await dialog.waitFor({ state: 'hidden' });
    await soon(async () => (await t.api('GET', `/v2/journeys/${body.data.journeyId}`)).body.data.status).toBe('active');
  });
});
