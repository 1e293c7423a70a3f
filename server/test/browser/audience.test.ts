// From a file to a live audience: dropped, mapped, imported, narrowed down, saved. And the builder with the keyboard alone.
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser, useConsole } from './console.js';

const rows = Array.from(
  { length: 300 },
  (_, at) => `shopper${at}@shop.example;Pia;${at % 3 === 0 ? 'silver' : 'gold'};${at % 50};nobody reads this`,
);
const csv = ['E-Mail;Vorname;Loyalty Tier;Basket Size;Internal note', ...rows, 'no address;X;gold;1;'].join('\n');

const fileOf = (page: Page, text: string, name: string) =>
  page.evaluateHandle(`(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}, { type: 'text/csv' }));
    return transfer;
  })()`);

/** Like a user: the file is dropped onto the page, not chosen in a field. */
async function dropFile(page: Page, text: string): Promise<void> {
  const data = await fileOf(page, text, 'shoppers.csv');
  await page.getByTestId('drop').dispatchEvent('drop', { dataTransfer: data });
}

/** A field itself, not the list of choices with the same name. */
const field = (within: Page | Locator, name: string) => within.locator(`input[aria-label="${name}"]`);
/** A second is not always enough when many tests share a machine. */
const soon = <Value>(look: () => Value) => expect.poll(look, { timeout: 60_000 });
const count = (page: Page) => page.getByTestId('count');
const focused = (page: Page) => soon(() => page.locator(':focus').getAttribute('aria-label'));
const pickerIsReady = (page: Page) => focused(page).toBe('A property, an event, a list…');
const filterIn = (page: Page) => JSON.parse(new URL(page.url()).searchParams.get('filter') ?? 'null');

describeInBrowser('audiences', () => {
  const console = useConsole();

  it('takes a file from a drop to a list that lives', async () => {
    const page = await console.open('contacts/import');
    await dropFile(page, csv);
    // Guessed from the names and contents of the columns, in German, with semicolons.
    expect(await field(page, 'Map E-Mail to').inputValue()).toBe('Email address');
    expect(await field(page, 'Property for Vorname').inputValue()).toBe('first_name');
    expect(await field(page, 'Type of Basket Size').inputValue()).toBe('Number');
    await field(page, 'Map Internal note to').click();
    await page.getByRole('option', { name: 'Skip' }).click();
    await page.getByRole('button', { name: 'Import 301 rows' }).click();

    await page.getByRole('heading', { name: 'Import finished' }).waitFor();
    await page.getByText('301 of 301 rows').waitFor();
    // The service knows the progress: a reload loses nothing, not even what to suggest next.
    await page.reload();
    await console.signIn(page);
    await page.getByRole('button', { name: 'Download failed rows' }).waitFor();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download failed rows' }).click();
    const failed = await downloading;
    expect(failed.suggestedFilename()).toBe('shoppers-failed-rows.csv');
    // As it came, including skipped columns, with the row number that a spreadsheet shows.
    expect(await readFile(await failed.path(), 'utf8')).toBe(
      'E-Mail,Vorname,Loyalty Tier,Basket Size,Internal note,_error\r\nno address,X,gold,1,,row 302: email must be an email address.\r\n',
    );

    await page.getByRole('link', { name: 'New dynamic list' }).click();
    await page.getByRole('button', { name: 'basket_size' }).click();
    // A number arrived as a number, so it can be compared.
    await field(page, 'Value').fill('40');
    await soon(() => count(page).textContent()).toBe('60');
    await page.getByRole('button', { name: 'loyalty_tier' }).click();
    const tier = page.getByRole('group', { name: 'Contact loyalty_tier' });
    await field(tier, 'Value').click();
    await page.getByRole('option', { name: 'silver' }).click();
    await soon(() => count(page).textContent()).toBe('20');
    await page.getByText('“loyalty_tier” is “silver”').first().waitFor();
    expect(await page.getByRole('list', { name: 'Sample' }).getByRole('listitem').count()).toBe(5);

    await page.getByRole('button', { name: 'Save as list' }).click();
    await page.getByLabel('Name').fill('Silver with large baskets');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'Silver with large baskets' }).waitFor();
    await page.getByText('Up to date').waitFor();
    await page.getByText('20 contacts').waitFor();
    await page.getByRole('table', { name: 'Members' }).getByText('@shop.example').first().waitFor();
  });

  it('imports what is dropped on the list of imports, which names the file, its format and who sent it', async () => {
    const page = await console.open('imports');
    await page.getByRole('heading', { name: 'Imports' }).waitFor();
    const data = await fileOf(page, 'Email,Seats\nlate@shop.example,3\nsoon@shop.example,5\nbroken,4\n', 'late.csv');
    await page.dispatchEvent('body', 'dragenter', { dataTransfer: data });
    await page.getByText('Drop the file to import contacts').waitFor();
    await page.dispatchEvent('body', 'drop', { dataTransfer: data });
    await page.getByRole('button', { name: 'Import 3 rows' }).click();
    await page.getByRole('heading', { name: 'Import finished' }).waitFor();
    await page.getByText('late.csv').waitFor();
    await page.getByRole('link', { name: 'Imports' }).last().click();
    const row = page.getByRole('row', { name: /late\.csv/ });
    await row.getByText('CSV', { exact: true }).waitFor();
    const { createdBy } = (await console.api('GET', '/v2/imports')).body.data[0];
    await row.getByText(createdBy.name, { exact: true }).waitFor();
  });

  it('refuses a file with a quote that is not closed, and names its line', async () => {
    const page = await console.open('contacts/import');
    await dropFile(page, 'email;name\na@shop.example;"Ada\nb@shop.example;Bob\n');
    await page.getByText('Line 2 opens a quoted cell that is never closed.').waitFor();
    expect(await page.getByRole('button', { name: /^Import \d/ }).count()).toBe(0);
  });

  it('is built with the keyboard alone: found by typing, grouped, moved, taken back', async () => {
    const page = await console.open('audience');
    await count(page).waitFor();
    await page.getByRole('button', { name: 'Add a condition' }).focus();
    await page.keyboard.press('Enter');
    await pickerIsReady(page);
    await page.keyboard.type('plan');
    await page.getByRole('option', { name: /^plan / }).waitFor();
    await page.keyboard.press('Enter');
    const plan = page.getByRole('button', { name: 'Condition on: Contact plan' });
    await focused(page).toBe('Condition on: Contact plan');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.type('pro');
    await soon(() => filterIn(page)).toEqual({ all: [{ property: 'plan', is: 'pro' }] });
    await page.getByText('“plan” is “pro”').first().waitFor();

    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Add a group' }).focus();
    await page.keyboard.press('Enter');
    await pickerIsReady(page);
    await page.keyboard.type('signed_in');
    await page.getByRole('option', { name: 'signed_in', exact: true }).waitFor();
    await page.keyboard.press('Enter');
    const did = { event: 'signed_in', atLeast: 1, withinLast: 'P30D' };
    const apart = { all: [{ property: 'plan', is: 'pro' }, { any: [did] }] };
    await soon(() => filterIn(page)).toEqual(apart);

    await plan.focus();
    await page.keyboard.press('Alt+ArrowDown');
    const together = { all: [{ any: [{ property: 'plan', is: 'pro' }, did] }] };
    await soon(() => filterIn(page)).toEqual(together);
    await page.getByRole('button', { name: 'Undo' }).focus();
    await page.keyboard.press('Control+z');
    await soon(() => filterIn(page)).toEqual(apart);
    await page.keyboard.press('Control+Shift+z');
    await soon(() => filterIn(page)).toEqual(together);
    // The address contains the audience: a reload shows the same.
    // Once the response is for this filter, not the one before.
    await soon(() => page.locator('[aria-live=polite][aria-busy=true]').count()).toBe(0);
    const answer = await count(page).textContent();
    await page.reload();
    await console.signIn(page);
    await soon(() => count(page).textContent()).toBe(answer);
  });

  it('says at each condition whether it holds for a contact, and where the service sees a fault', async () => {
    const { body } = await console.api('GET', '/v2/contacts?search=ada@example.com');
    const [ada] = body.data;
    const filter = {
      all: [
        { property: 'plan', is: ada.properties.plan },
        { property: 'plan', is: 'no such plan' },
      ],
    };
    const page = await console.open(`audience?contact=${ada.id}&filter=${encodeURIComponent(JSON.stringify(filter))}`, {
      expects: /40[04]/,
    });
    await page.getByText('does not match').waitFor();
    await page.getByRole('img', { name: 'True for this contact', exact: true }).waitFor();
    expect(await page.getByRole('img', { name: 'Not true for this contact' }).count()).toBe(2);

    await page.getByText('JSON', { exact: true }).click();
    const wrong = JSON.stringify({ all: [{ property: 'plan', is: 'pro' }, { staticListId: 'f'.repeat(24) }] });
    await page.getByRole('textbox', { name: 'JSON' }).fill(wrong);
    await page.getByText('Builder', { exact: true }).click();
    const fault = page.getByRole('group', { name: 'In static list' }).getByRole('alert');
    await fault.waitFor();
    expect(await count(page).textContent()).not.toBe('');
  });
});
