// Forms in the console: made, changed by mouse and by keyboard, looked at, closed; and what came of them.
import { expect, it } from 'vitest';
import { describeInBrowser, settled, useConsole } from './console.js';

const t = useConsole();

describeInBrowser('forms', () => {
  it('are made with a topic, changed with a preview beside them, opened to the public and closed', async () => {
    const page = await t.open('/console/forms');
    await page.getByRole('button', { name: 'New form' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'New form' });
    await dialog.getByRole('button', { name: 'Create form' }).click();
    await dialog.getByText('Enter a name.').waitFor();
    await dialog.getByLabel('Name').fill('Footer of the site');
    await dialog.getByRole('combobox', { name: 'Topics' }).click();
    await page.getByRole('option').first().click();
    await page.keyboard.press('Tab');
    await dialog.getByRole('button', { name: 'Create form' }).click();
    await page.getByRole('heading', { level: 1, name: 'Footer of the site' }).waitFor();

    await page.getByRole('button', { name: 'Add field' }).click();
    const third = page.getByRole('list', { name: 'Fields' }).getByRole('listitem').nth(2);
    await third.getByLabel('Label').fill('Team <b>size</b>');
    await third.getByLabel('Contact property').fill('team_size');
    await page.getByRole('region', { name: 'Preview' }).getByText('Team <b>size</b>').waitFor();
    // By keyboard alone.
    await third.getByRole('button', { name: 'Move Team <b>size</b> up' }).focus();
    await page.keyboard.press('Enter');
    const labels = page.getByRole('list', { name: 'Fields' }).getByLabel('Label');
    await expect.poll(() => labels.nth(1).inputValue()).toBe('Team <b>size</b>');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Form saved.').waitFor();

    await page.getByRole('link', { name: 'Embed', exact: true }).click();
    await page.getByText('<form').waitFor();
    const url = await page.getByRole('link', { name: /\/f\// }).getAttribute('href');
    const shown = await t.openSignedOut(url ?? '');
    await shown.getByText('Team <b>size</b>').waitFor();

    await page.getByRole('button', { name: 'Close form' }).click();
    await page.getByText('The form is closed.').waitFor();
    await page.getByRole('button', { name: 'Open form' }).waitFor();
  });

  it('say which field needs another look, and keep what was typed across a reload', async () => {
    const page = await t.open('/console/forms');
    await page.getByRole('table', { name: 'Forms' }).getByRole('link').first().click();
    await page.getByRole('button', { name: 'Add field' }).click();
    const added = page.getByRole('list', { name: 'Fields' }).getByRole('listitem').last();
    await added.getByLabel('Contact property').fill('Not A Key');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await added.getByText('Enter a label.').waitFor();
    await added.getByText('Use a-z, 0-9 and _, starting with a letter.').waitFor();
    await added.getByLabel('Label').fill('Company');
    await page.reload();
    await t.signIn(page);
    const last = page.getByRole('list', { name: 'Fields' }).getByRole('listitem').last();
    await expect.poll(() => last.getByLabel('Label').inputValue()).toBe('Company');
  });

  it('show their submissions with what came of each', async () => {
    const page = await t.open('/console/forms');
    await page.getByRole('table', { name: 'Forms' }).getByRole('link').last().click();
    await page.getByRole('link', { name: 'Submissions', exact: true }).click();
    await settled(page);
    await page.getByRole('table', { name: 'Submissions' }).getByText('Confirmed').first().waitFor();
  });
});
