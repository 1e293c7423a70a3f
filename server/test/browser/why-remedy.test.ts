// The job "Why", from the question to the remedy: as a person does it, without a look at the API.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser, useConsole } from './console.js';

const t = useConsole();

const evidence = (page: Page) => page.getByRole('list', { name: 'Evidence' }).getByRole('listitem');

async function pick(page: Page, field: string, text: string): Promise<void> {
  await page.getByRole('combobox', { name: field }).fill(text);
  await page
    .getByRole('option', { name: new RegExp(text, 'i') })
    .first()
    .click();
}

describeInBrowser('finding out why somebody gets nothing', () => {
  it('ends with an address that gets email again, and with the very condition that keeps them out', async () => {
    const page = await t.open('suppressions');
    await page.getByRole('button', { name: 'Suppress an address' }).click();
    const form = page.getByRole('dialog');
    await form.getByRole('textbox', { name: 'Address' }).fill('hedy@example.com');
    await form.getByRole('button', { name: 'Suppress an address' }).click();
    await page.getByText('hedy@example.com is suppressed.').waitFor();

    await t.show(page, 'why');
    await pick(page, 'Contact', 'hedy');
    await pick(page, 'About', 'Welcome');
    const suppressed = evidence(page).filter({ hasText: /Their address was suppressed manually by / });
    await suppressed.waitFor();
    await suppressed.getByRole('button', { name: 'Let them get email again' }).click();
    const lift = page.getByRole('dialog', { name: 'Unsuppress hedy@example.com?' });
    await lift.getByText('This address was suppressed manually.').waitFor();
    await lift.getByRole('button', { name: 'Unsuppress address' }).click();
    await lift.getByText('Enter a reason.').waitFor();
    await lift.getByRole('textbox', { name: 'Reason' }).fill('They asked for it by phone.');
    await lift.getByRole('button', { name: 'Unsuppress address' }).click();
    await page.getByText('hedy@example.com can get email again.').waitFor();
    await suppressed.waitFor({ state: 'detached' });

    await pick(page, 'Contact', 'grace');
    await pick(page, 'About', 'Free, and looking at prices');
    await page.getByText(/^Grace Hopper is not in “Free, and looking at prices”/).waitFor();
    await evidence(page).first().getByRole('link', { name: 'Edit this condition' }).click();
    await page.getByRole('heading', { level: 1, name: 'Free, and looking at prices' }).waitFor();
    await page.locator('[data-pointed]').waitFor();
    expect(await page.locator('[data-pointed]').getAttribute('data-path')).toBe('filter.all[0]');
    expect(await page.locator('[data-pointed] :focus').count()).toBe(1);
  }, 120_000);
});
