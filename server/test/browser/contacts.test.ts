// Everyday work with thousands of contacts, lists and organizations.
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it, vi } from 'vitest';
import { describeInBrowser, settled, useConsole } from './console.js';

const many = 3000;
const console = useConsole();
const isPro = encodeURIComponent(JSON.stringify({ all: [{ property: 'tier', is: 'gold' }] }));

/** Every third of them is gold. */
async function importMany(): Promise<void> {
  const lines = Array.from(
    { length: many },
    (_, at) => `p${at}@many.example,${at % 3 === 0 ? 'gold' : 'silver'},${at}`,
  );
  const answer = await fetch(`${console.url}/v2/contacts/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${console.token}`, 'content-type': 'text/csv' },
    body: ['email,tier,number', ...lines].join('\n'),
  });
  const { data } = (await answer.json()) as { data: { transactionId: string } };
  const status = async () =>
    (await console.api('GET', `/v2/contacts/transactions/${data.transactionId}`)).body.data.status;
  await vi.waitFor(async () => expect(await status()).toBe('DONE'), { timeout: 60_000, interval: 200 });
}

const table = (page: Page) => page.getByRole('table', { name: 'Contacts' });
const rows = (page: Page) => table(page).locator('tbody tr[data-index]');
const members = async (name: string) => {
  const { body } = await console.api('GET', `/v2/lists?search=${encodeURIComponent(name)}`);
  return body.data[0]?.numRecords;
};

describeInBrowser('contacts', () => {
  beforeAll(importMany, 90_000);

  it('has few of the rows on the page, and scrolls to the last', async () => {
    const page = await console.open('contacts');
    await rows(page).first().waitFor();
    const total = Number(await table(page).getAttribute('aria-rowcount')) - 1;
    expect(total).toBeGreaterThanOrEqual(many);
    expect(await rows(page).count()).toBeLessThan(80);
    // Until the rows have loaded: the part above them may still grow.
    await expect
      .poll(async () => {
        await page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)');
        return rows(page).last().getAttribute('aria-rowindex');
      })
      .toBe(String(total + 1));
    expect(await rows(page).count()).toBeLessThan(80);
  });

  it('knows how high it is before its rows have come: the page stays as long while one scrolls', async () => {
    const page = await console.open('contacts');
    await rows(page).first().waitFor();
    const height = () => page.evaluate('document.documentElement.scrollHeight');
    const before = await height();
    await page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight / 2)');
    await table(page).locator('tbody tr[aria-rowindex="1500"]').waitFor();
    expect(await height()).toBe(before);
  });

  it('shows the exact time under the pointer', async () => {
    const page = await console.open('contacts');
    await table(page).locator('time').first().hover();
    await page.getByRole('tooltip', { name: /\d{4}, \d\d:\d\d:\d\d/ }).waitFor();
  });

  it('filters by what its address says, and adds all that match to a list', async () => {
    const page = await console.open(`contacts?filter=${isPro}&sort=email`);
    await page.getByText('1,000 contacts match.').waitFor();
    await page.getByText(/property “tier” is “gold”/).waitFor();
    await page.getByLabel('Select p0@many.example').check();
    await page.getByLabel('Select p102@many.example').check();
    await page.getByText('2 selected').waitFor();
    await addToNewList(page, 'Two picked');
    await page.getByText('2 contacts were added.').waitFor();
    await page.getByRole('button', { name: 'Close' }).last().click();
    expect(await members('Two picked')).toBe(2);
    await page.getByLabel('Select p0@many.example').check();
    await page.getByRole('button', { name: 'Select all 1,000 contacts' }).click();
    await addToNewList(page, 'All gold');
    await page.getByText('1,000 contacts were added.').waitFor();
    expect(await members('All gold')).toBe(1000);
  });

  it('keeps the columns that somebody chose, and exports what the table has', async () => {
    const page = await console.open(`contacts?filter=${isPro}`);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByLabel('Find a property').fill('numb');
    await page.getByLabel('number', { exact: true }).check();
    await page.keyboard.press('Escape');
    await page.reload();
    await console.signIn(page);
    await table(page).getByRole('columnheader', { name: 'number' }).waitFor();
    await page.getByRole('button', { name: 'Export' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Visible columns' }).click(),
    ]);
    const lines = (await readFile(await download.path(), 'utf8')).trim().split(/\r?\n/);
    expect(lines[0]).toMatch(/^email,.*number/);
    expect(lines).toHaveLength(1001);
  });

  it('can be filtered and saved as a list with the keyboard alone', async () => {
    const page = await console.open('contacts');
    await rows(page).first().waitFor();
    await page.getByRole('button', { name: 'Filter', exact: true }).focus();
    await page.keyboard.press('Enter');
    const drawer = page.getByRole('dialog', { name: 'Filter' });
    await drawer.getByRole('button', { name: 'Add a condition' }).first().focus();
    await page.keyboard.press('Enter');
    // Typed text goes to the picker, which opens by itself.
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('INPUT');
    await page.keyboard.type('tier');
    await page.getByRole('option', { name: /^tier / }).waitFor();
    await page.keyboard.press('Enter');
    await expect
      .poll(() => page.evaluate(`document.activeElement.getAttribute('aria-label')`))
      .toBe('Condition on: Contact tier');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.type('gold');
    await drawer.getByRole('button', { name: 'Show 1,000 contacts' }).waitFor();
    await drawer.getByRole('button', { name: 'Save as list' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Save as list' }).waitFor();
    await page.keyboard.type('Gold by keyboard');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Gold by keyboard', level: 1 }).waitFor();
    const { body } = await console.api('GET', '/v2/dynamic-lists?search=Gold%20by%20keyboard');
    expect(body.data).toHaveLength(1);
  });

  it('creates a contact and leads to it', async () => {
    const page = await console.open('contacts');
    await page.getByRole('button', { name: 'New contact' }).click();
    await page.getByRole('button', { name: 'Create contact' }).click();
    await page.getByText('Enter an email address').waitFor();
    await page.getByRole('textbox', { name: 'Email' }).fill('new@many.example');
    await page.getByRole('button', { name: 'Create contact' }).click();
    await page.waitForURL(/\/contacts\/[0-9a-f]{32}$/);
  });

  it('takes a file that is dropped anywhere, to import it', async () => {
    const page = await console.open('contacts');
    const dropped = await page.evaluateHandle(`(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File(['email\\ndropped@many.example'], 'people.csv', { type: 'text/csv' }));
      return transfer;
    })()`);
    await page.dispatchEvent('body', 'dragenter', { dataTransfer: dropped });
    await page.getByText('Drop the file to import contacts').waitFor();
    await page.dispatchEvent('body', 'drop', { dataTransfer: dropped });
    await page.waitForURL(/\/contacts\/import$/);
    await page.getByText('people.csv').first().waitFor();
  });
});

describeInBrowser('lists', () => {
  it('shows both kinds with count and freshness, and takes a removal back', async () => {
    const [ada] = (await console.api('GET', '/v2/contacts?search=ada@example.com')).body.data;
    const made = await console.api('POST', '/v2/lists', { name: 'Undoing' });
    const id = made.body.data.staticListId;
    await console.api('POST', `/v2/lists/${id}/members`, { contactIds: [ada.id] });
    const page = await console.open('lists');
    await page.getByRole('row', { name: /Undoing Static 1/ }).waitFor();
    await page
      .getByRole('row', { name: /Dynamic \d+ (Up to date|Building)/ })
      .first()
      .waitFor();
    await page.getByRole('link', { name: 'Undoing' }).click();
    await page.getByRole('button', { name: 'Remove ada@example.com' }).click();
    await page.getByText('No members yet').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('link', { name: 'ada@example.com' }).waitFor();
    expect(await members('Undoing')).toBe(1);
  });
});

describeInBrowser('organizations', () => {
  it('sets a property, and removes it with a way back', async () => {
    await console.api('POST', '/v2/organizations', { orgId: 'a/b ü', name: 'Slash & Co' });
    const page = await console.open('organizations?search=slash');
    await page.getByRole('link', { name: 'Slash & Co' }).click();
    await page.getByRole('button', { name: 'Add property' }).click();
    await page.getByLabel('Property name').fill('plan');
    await page.getByLabel('Value').fill('team');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Remove plan' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Edit plan' }).waitFor();
    await settled(page);
    const { body } = await console.api('GET', `/v2/organizations/${encodeURIComponent('a/b ü')}`);
    expect(body.data.properties).toEqual({ plan: 'team' });
  });
});

async function addToNewList(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Add to list' }).click();
  await page.getByText('New list', { exact: true }).click();
  await page.getByLabel('List name').fill(name);
  await page.getByRole('dialog').getByRole('button', { name: 'Add to list' }).click();
}
