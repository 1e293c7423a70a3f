// The theme of new emails: made from the theme of one, put into new ones and, on request, into an older one.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser, newEmail, useConsole } from './console.js';
import { designOf, newDesign, panel, save, small } from './design-page.js';
import { joinDemo } from './people.js';

const t = useConsole();
/** A person can join only once, so a second try invites another one. */
let tries = 0;

const brand = { button: '#0b6b4f', font: 'Georgia' } as const;
const path = '/v2/workspace/email-theme';
const themeNow = async () => (await t.api('GET', path)).body.data.theme;
const showTheme = (page: Page) =>
  panel(page)
    .locator('label', { hasText: /^Theme$/ })
    .click();
const makeDefault = (page: Page) => panel(page).getByRole('button', { name: 'Make this the workspace’s default' });
const useDefault = (page: Page) => panel(page).getByRole('button', { name: 'Use the workspace’s theme' });
const isDefault = (page: Page) => panel(page).getByText('New emails start with this theme.');

describeInBrowser('the theme of new emails', () => {
  it('is that of an email, without its language, by an admin in a hurry, and is in the next one', async () => {
    await t.api('PUT', path, { theme: null });
    const { editorUrl } = await newEmail(t, {
      html: undefined,
      design: { ...small, theme: { ...brand, lang: 'de' } },
    });
    const page = await t.open(editorUrl);
    await showTheme(page);
    await makeDefault(page).dblclick();
    await isDefault(page).waitFor();
    expect(await themeNow()).toEqual(brand);
    expect([await makeDefault(page).count(), await useDefault(page).count()]).toEqual([0, 0]);

    await t.show(page, 'emails');
    await page.getByRole('button', { name: 'New email' }).click();
    const form = page.getByRole('dialog', { name: 'New email' });
    await form.getByLabel('Name', { exact: false }).first().fill('In our colors');
    await form.getByLabel('Subject').fill('Colors');
    await form.getByLabel('From address').fill('hello');
    await form.getByRole('button', { name: 'Create and edit' }).click();
    await page.getByRole('heading', { level: 1, name: 'In our colors' }).waitFor();
    expect((await designOf(t, page.url().split('/').at(-1) ?? '')).theme).toEqual(brand);
    await showTheme(page);
    await isDefault(page).waitFor();
  }, 120_000);

  it('is taken over by an older email, can be undone, and is no button for a member to set', async () => {
    await t.api('PUT', path, { theme: brand });
    const { id } = await newDesign(t);
    const page = await t.openSignedOut('');
    await joinDemo(t, page, { name: 'Mem', email: `mem-theme${++tries}@example.com`, role: 'member' });
    await t.show(page, `emails/${id}`);
    await showTheme(page);
    await useDefault(page).click();
    await isDefault(page).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await useDefault(page).waitFor();
    expect(await makeDefault(page).count()).toBe(0);
    await page.getByRole('button', { name: 'Redo' }).click();
    await isDefault(page).waitFor();
    await save(page);
    expect((await designOf(t, id)).theme).toEqual(brand);
  }, 120_000);
});
