// The job of somebody who gets a file with broken rows: everyone in it ends as a contact, in the list that the file names. As a person would,
// with clicks and keys, and nothing but the pages to tell whether it worked.
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser, useConsole } from './console.js';

const console = useConsole();
const soon = <Value>(look: () => Value) => expect.poll(look, { timeout: 60_000 });
const field = (within: Page | Locator, name: string) => within.locator(`input[aria-label="${name}"]`);
const button = (within: Page | Locator, name: string | RegExp) => within.getByRole('button', { name });

async function choose(page: Page, name: string, text: string): Promise<void> {
  const opening = page.waitForEvent('filechooser');
  await button(page, 'Choose a file').click();
  await (await opening).setFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
}

const csv = [
  'Mail;First name;Signed up;Renewal;Group',
  'rosa@harbour.example;Rosa;03/04/2026;03/05/2026;Harbour crew',
  'otto(at)harbour.example;Otto;17/04/2026;05/05/2026;Harbour crew',
  'lena@harbour.example;Lena;31/02/2026;06/05/2026;',
  'rosa@harbour.example;Rosa;04/04/2026;07/05/2026;Harbour crew',
  ';Nina;05/04/2026;08/05/2026;Harbour crew',
].join('\n');

describeInBrowser('a file with broken rows', () => {
  it('is checked, imported, corrected on the page and sent again, until everyone is where they belong', async () => {
    const page = await console.open('contacts');
    await page.getByRole('link', { name: 'Import', exact: true }).click();
    await choose(page, 'harbour.csv', csv);

    // The 17th shows which number is the day, in this column and in the other one, which could be read both ways.
    await page.getByText('“03/04/2026” is read as 3 April 2026.').waitFor();
    await page.getByText('“03/05/2026” is read as 3 May 2026.').waitFor();
    await field(page, 'Map Group to').click();
    await page.getByRole('option', { name: 'List names' }).click();

    const check = page.getByRole('region', { name: 'Check' });
    await check.getByText('2 of 5 rows can be imported. Nothing has been imported yet.').waitFor();
    await check.getByText('1 row has no email address.').waitFor();
    await check.getByText('line 3: “otto(at)harbour.example”').waitFor();
    await check.getByText('1 date in “Signed up” can’t be read in this format.').waitFor();
    await check.getByText('line 4: “31/02/2026”').waitFor();
    await check.getByText('1 row repeats an earlier address.').waitFor();
    await button(check, 'Create “Harbour crew”').click();
    await check.getByText('names lists that don’t exist').waitFor({ state: 'hidden' });
    await button(page, 'Import 5 rows').click();

    await page.getByRole('heading', { name: 'Import finished' }).waitFor();
    await page.getByRole('heading', { name: '3 failed rows' }).waitFor();
    const otto = page.getByRole('region', { name: 'Line 3' });
    await otto.getByText('email must be an email address.').waitFor();
    await otto.getByLabel('Mail', { exact: true }).fill('otto@harbour.example');
    const lena = page.getByRole('region', { name: 'Line 4' });
    await lena.getByText(/signed_up must be a date/).waitFor();
    await lena.getByLabel('Signed up').fill('30/02/2026');
    await lena.getByText('Write the date as 2026-04-03.').waitFor();
    expect(await button(page, 'Import 2 corrected rows').isDisabled()).toBe(true);
    await lena.getByLabel('Signed up').fill('28 Feb 2026');
    await button(page, 'Import 2 corrected rows').click();

    await page.getByText('harbour-corrected.csv').waitFor();
    await page.getByRole('heading', { name: 'Import finished' }).waitFor();
    await page.getByText('2 of 2 rows').waitFor();
    // What is left of the first file is found again, with what was sent marked.
    await page.goBack();
    await otto.getByRole('link', { name: 'Imported again' }).waitFor();
    const nina = page.getByRole('region', { name: 'Line 6' });
    await nina.getByLabel('Mail', { exact: true }).fill('nina@harbour.example');
    await button(page, 'Import 1 corrected row').click();
    await page.getByText('1 of 1 row').waitFor();

    await page.getByRole('link', { name: 'Lists', exact: true }).click();
    await page.getByRole('link', { name: 'Harbour crew' }).click();
    const members = page.getByRole('table', { name: 'Members' });
    for (const name of ['rosa', 'otto', 'nina']) await members.getByText(`${name}@harbour.example`).waitFor();
    expect(await members.getByText('lena@harbour.example').count()).toBe(0);
    await page.getByRole('link', { name: 'Contacts', exact: true }).click();
    await page.getByRole('searchbox').first().fill('lena@harbour.example');
    await page.getByText('lena@harbour.example').first().click();
    await page.getByText('2026-02-28').first().waitFor();
  });

  it('is mapped as last time when its header comes again', async () => {
    const page = await console.open('contacts/import');
    await choose(page, 'first.csv', 'Mail,Odd Column,Since\nan@again.example,x,03/04/2026\n');
    await field(page, 'Property for Odd Column').fill('oddity');
    // Nothing in the file shows whether it is in March or in April.
    await page.getByText(/^“03\/04\/2026” is read as .* It could also be .*: choose the order\.$/).waitFor();
    await field(page, 'Date format of Since').click();
    await page.getByRole('option', { name: 'Day, month, year' }).click();
    await page.getByText('“03/04/2026” is read as 3 April 2026.', { exact: true }).waitFor();
    await button(page, 'Import 1 row').click();
    await page.getByRole('heading', { name: 'Import finished' }).waitFor();
    await console.show(page, 'contacts/import');
    await choose(page, 'second.csv', 'Mail,Odd Column,Since\nbo@again.example,y,05/04/2026\n');
    expect(await field(page, 'Map columns as').inputValue()).toBe('As last time');
    expect(await field(page, 'Property for Odd Column').inputValue()).toBe('oddity');
    await page.getByText('“05/04/2026” is read as 5 April 2026.', { exact: true }).waitFor();
    await field(page, 'Map columns as').click();
    await page.getByRole('option', { name: 'By column names' }).click();
    await soon(() => field(page, 'Property for Odd Column').inputValue()).toBe('odd_column');
  });

  it('can put everyone into a list, and into a topic only when somebody vouches for it', async () => {
    const page = await console.open('contacts/import');
    await choose(page, 'fair.csv', 'email,name\nfay@fair.example,Fay\n');
    const everyone = page.getByRole('region', { name: 'For everyone in the file' });
    await everyone.getByRole('combobox', { name: 'Set topic' }).click();
    await page.getByRole('option').first().click();
    await soon(() => button(page, 'Import 1 row').isDisabled()).toBe(true);
    await everyone.getByRole('checkbox', { name: /^Everyone in this file agreed/ }).check();
    await button(page, 'Import 1 row').click();
    await page.getByRole('heading', { name: 'Import finished' }).waitFor();
    await page.getByRole('link', { name: 'Contacts', exact: true }).click();
    await page.getByRole('searchbox').first().fill('fay@fair.example');
    await page.getByText('fay@fair.example').first().click();
    await page.waitForURL(/\/contacts\/[0-9a-f]{32}/);
    // Once the tabs are there: theirs is below the one of the sidebar.
    await page.getByRole('link', { name: 'Change log' }).waitFor();
    await page.getByRole('link', { name: 'Topics', exact: true }).last().click();
    await page.getByRole('table', { name: 'Consent log' }).getByText('Import').first().waitFor();
  });
});

const exports = {
  mailchimp: { name: 'Mailchimp export', rows: 3, silent: ['mark', 'mia'] },
  hubspot: { name: 'HubSpot export', rows: 3, silent: ['hugo', 'hedy'] },
  customerio: { name: 'Customer.io export', rows: 3, silent: ['carl'] },
  braze: { name: 'Braze export', rows: 3, silent: ['ben'] },
  klaviyo: { name: 'Klaviyo export', rows: 4, silent: ['kai', 'kurt'] },
};

describeInBrowser('an export of another service', () => {
  it.each(Object.entries(exports))(
    'of %s is recognized and imported, and who must get no mail is suppressed',
    async (id, { name, rows, silent }) => {
      const page = await console.open('contacts/import');
      await choose(page, `${id}.csv`, await readFile(`docs/imports/${id}.csv`, 'utf8'));
      expect(await field(page, 'Map columns as').inputValue()).toBe(name);
      await page.getByText('Nothing to correct.').waitFor();
      await button(page, `Import ${rows} rows`).click();
      await page.getByRole('heading', { name: 'Import finished' }).waitFor();
      await page.getByText(`${rows} of ${rows} rows`).waitFor();
      expect(await page.getByText('failed row').count()).toBe(0);
      await console.show(page, 'suppressions');
      for (const who of silent) await page.getByText(`${who}@${id}.example`).waitFor();
      expect(await page.getByText(`@${id}.example`).count()).toBe(silent.length);
    },
  );
});
