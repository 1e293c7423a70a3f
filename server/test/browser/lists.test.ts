// What is done with a list: its members, who left, a copy, a comparison, and a journey that starts from it.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser, useConsole } from './console.js';

const soon = <Value>(look: () => Value) => expect.poll(look, { timeout: 60_000 });
const emailsIn = async (page: Page, table: string) => {
  const found = await page
    .getByRole('table', { name: table })
    .getByText(/^\S+@\S+$/)
    .allTextContents();
  return [...new Set(found)].sort();
};
const more = async (page: Page, item: string) => {
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: item }).click();
};

describeInBrowser('a list', () => {
  const console = useConsole();

  it('shows its members, who left, and is copied, compared and taken into a journey', async () => {
    const page = await console.open('lists');
    await page.getByRole('link', { name: 'Power users' }).click();
    await soon(() => emailsIn(page, 'Members')).toEqual(['ada@example.com', 'margaret@example.com']);
    await page.getByRole('table', { name: 'Members' }).getByText('Ada Lovelace').waitFor();
    await page.getByLabel('Search members').fill('hamil');
    await soon(() => emailsIn(page, 'Members')).toEqual(['margaret@example.com']);
    await page.getByLabel('Search members').fill('');
    await page.getByRole('button', { name: 'Remove ada@example.com' }).click();
    await page.getByText('ada@example.com was removed from the list.').waitFor();
    await soon(() => emailsIn(page, 'Members')).toEqual(['margaret@example.com']);

    await page.getByRole('link', { name: 'Growth' }).click();
    await page.getByText('Left: 1').click();
    await soon(() => emailsIn(page, 'Left')).toEqual(['ada@example.com']);

    await more(page, 'Duplicate');
    await page.getByRole('button', { name: 'Duplicate', exact: true }).click();
    await page.getByRole('heading', { name: 'Power users (copy)' }).waitFor();
    await soon(() => emailsIn(page, 'Members')).toEqual(['margaret@example.com']);

    await more(page, 'Compare with another list');
    const second = page.getByRole('combobox', { name: 'Second list' });
    await second.click();
    await second.fill('beta');
    await page.getByRole('option', { name: 'Beta testers' }).click();
    const part = (title: string) => page.getByRole('listitem').filter({ hasText: title });
    await soon(() => part('In both lists').textContent()).toBe('In both lists0');
    await part('Only in Power users (copy)').getByText('1', { exact: true }).waitFor();
    await part('Only in Beta testers').getByText('3', { exact: true }).waitFor();
    await part('Only in Beta testers').getByRole('link', { name: 'Show contacts' }).click();
    await soon(() => emailsIn(page, 'Contacts')).toEqual([
      'ada@example.com',
      'barbara@example.com',
      'radia@example.com',
    ]);

    await page.goBack();
    await page.getByRole('link', { name: 'Lists' }).last().click();
    await page.getByRole('link', { name: 'Beta testers' }).click();
    await more(page, 'Start a journey');
    await page.getByRole('button', { name: 'Create draft' }).click();
    await page.getByRole('heading', { name: 'Beta testers journey' }).waitFor();
    const [, id] = /journeys\/([0-9a-f]{24})/.exec(page.url()) ?? [];
    const { body } = await console.api('GET', `/v2/journeys/${id}`);
    expect(body.data.definition.entry).toEqual({ audience: { staticListId: expect.any(String) } });
  });
});
