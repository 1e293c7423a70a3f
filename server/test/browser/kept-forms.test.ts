// Input that was typed and not sent yet: half a condition, invalid JSON, pasted rows, the fields beside a secret.
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser, settled, useConsole } from './console.js';

const t = useConsole();
const dialog = (page: Page) => page.getByRole('dialog').last();
const json = (page: Page) => page.getByRole('textbox', { name: 'JSON' });
const kept = (page: Page) => page.evaluate<string>('JSON.stringify(localStorage)');
const field = (page: Page, name: string) => page.locator(`input[aria-label="${name}"]`);
const view = (page: Page, name: 'Builder' | 'JSON') =>
  page.getByRole('radiogroup', { name: 'View' }).getByText(name, { exact: true }).click();

async function reload(page: Page): Promise<void> {
  await page.reload();
  await t.signIn(page);
}

/** The page's next request finds that the session has ended. */
async function endSession(page: Page, act: () => Promise<void>): Promise<void> {
  await page.route('**/v2/**', (route) => route.fulfill({ status: 401 }));
  await act();
  await page.getByText('Your token no longer works').waitFor();
  await page.unroute('**/v2/**');
  await t.signIn(page);
}

async function addCondition(page: Page, property: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a condition' }).last().click();
  await page.keyboard.type(property);
  await page
    .getByRole('option', { name: new RegExp(`^${property}`) })
    .first()
    .click();
}

describeInBrowser('JSON that cannot be read', () => {
  it('stays when the builder is shown, which says what is wrong, and after a reload', async () => {
    const page = await t.open('/console/audience');
    await view(page, 'JSON');
    await json(page).fill('{"all": [\n  {"property": "plan", "is": "pro"\n');
    await view(page, 'Builder');
    const said = page.getByRole('alert').filter({ hasText: 'Your JSON is not valid' });
    await said.getByText('line 3').waitFor();
    expect(await page.getByRole('button', { name: 'Save as list' }).isDisabled()).toBe(true);
    await reload(page);
    await said.getByRole('button', { name: 'Edit JSON' }).click();
    expect(await json(page).inputValue()).toBe('{"all": [\n  {"property": "plan", "is": "pro"\n');
    await json(page).press('ControlOrMeta+End');
    await page.keyboard.type('}]}');
    await view(page, 'Builder');
    await page.getByRole('group', { name: 'Contact plan' }).waitFor();
    expect(await said.count()).toBe(0);
  });

  it('goes when somebody throws it away, or throws the change away', async () => {
    const page = await t.open('/console/audience');
    await view(page, 'JSON');
    await json(page).fill('{');
    await view(page, 'Builder');
    await page.getByRole('button', { name: 'Discard' }).click();
    await view(page, 'JSON');
    expect(JSON.parse(await json(page).inputValue())).toEqual({ all: [] });
    expect(await kept(page)).not.toContain('rapport-draft');
  });
});

describeInBrowser('a condition that is not finished', () => {
  it('is there again after a reload and after the end of a session: in the audience builder', async () => {
    const page = await t.open('/console/audience', { expects: /status of 401/ });
    await addCondition(page, 'plan');
    await page.getByText('1 incomplete condition').waitFor();
    await reload(page);
    await page.getByRole('group', { name: 'Contact plan' }).waitFor();
    await page.getByText('1 incomplete condition').waitFor();
    await endSession(page, () => page.getByRole('combobox', { name: 'Contact', exact: true }).click());
    await page.getByRole('group', { name: 'Contact plan' }).waitFor();
    await field(page, 'Value').fill('pro');
    await expect.poll(() => kept(page)).not.toContain('rapport-draft');
  });

  it('stays in the JSON, and JSON that is changed takes nothing away', async () => {
    const page = await t.open('/console/audience');
    await addCondition(page, 'plan');
    await view(page, 'JSON');
    expect(JSON.parse(await json(page).inputValue())).toEqual({ all: [{ property: 'plan', is: '' }] });
    await json(page).fill('{"all": [{"property": "plan", "is": ""}, {"property": "city", "is": "Oslo"}]}');
    await view(page, 'Builder');
    await page.getByRole('group', { name: 'Contact plan' }).waitFor();
    await page.getByRole('group', { name: 'Contact city' }).waitFor();
    expect(new URL(page.url()).searchParams.get('filter')).toBe('{"all":[{"property":"city","is":"Oslo"}]}');
  });

  it('is kept inside of another, and of a list', async () => {
    const { body } = await t.api('POST', '/v2/dynamic-lists', {
      name: 'With something inside',
      filter: { all: [{ event: 'signed_in', atLeast: 1, withinLast: 'P30D', where: { all: [] } }] },
    });
    const page = await t.open(`/console/lists/dynamic/${body.data.dynamicListId}/filter`);
    await page.getByRole('group', { name: 'where' }).getByRole('button', { name: 'Add a condition' }).click();
    await page.keyboard.type('browser');
    await page.getByRole('option').first().click();
    await page.getByText('1 incomplete condition').waitFor();
    await reload(page);
    await page.getByText('1 incomplete condition').waitFor();
    await page.getByRole('group', { name: 'where' }).getByText('Incomplete').waitFor();
  });

  it('is there when the filter of contacts is opened again', async () => {
    const page = await t.open('/console/contacts');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await addCondition(page, 'plan');
    await page.getByText('Incomplete').waitFor();
    await reload(page);
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await dialog(page).getByRole('group', { name: 'Contact plan' }).waitFor();
  });
});

describeInBrowser('rows that were pasted', () => {
  it('are there again, with what was said of their columns, until they are sent', async () => {
    const page = await t.open('/console/contacts/import', { expects: /status of 401/ });
    await page.getByRole('textbox', { name: 'Rows' }).fill('email,Shoe size\nida@example.com,38\n');
    await reload(page);
    const rows = page.getByRole('textbox', { name: 'Rows' });
    await expect.poll(() => rows.inputValue(), { timeout: 60_000 }).toContain('ida@example.com,38');
    await page.getByRole('button', { name: 'Use these rows' }).click();
    await field(page, 'Property for Shoe size').fill('shoes_eu');
    await reload(page);
    await expect.poll(() => field(page, 'Property for Shoe size').inputValue()).toBe('shoes_eu');
    await endSession(page, () => page.getByRole('button', { name: 'Import 1 row' }).click());
    await expect.poll(() => field(page, 'Property for Shoe size').inputValue()).toBe('shoes_eu');
    await page.getByRole('button', { name: 'Import 1 row' }).click();
    await page.getByRole('heading', { name: 'Import finished' }).waitFor();
    expect(await kept(page)).not.toContain('ida@example.com');
  });

  it('of a file that is too large to keep are asked for again, and its columns are known', async () => {
    const page = await t.open('/console/contacts/import');
    const rows = Array.from({ length: 40_000 }, (_, at) => `row${at}@example.com,${at % 50}`);
    const buffer = Buffer.from(['email,Shoe size', ...rows].join('\n'));
    const choose = () =>
      page.locator('input[type=file]').setInputFiles({ name: 'large.csv', mimeType: 'text/csv', buffer });
    await choose();
    await field(page, 'Property for Shoe size').fill('shoes_eu');
    await reload(page);
    await page.getByText('Choose “large.csv” again').waitFor();
    await choose();
    await expect.poll(() => field(page, 'Property for Shoe size').inputValue()).toBe('shoes_eu');
    await page.getByRole('button', { name: 'Choose another file' }).click();
    expect(await kept(page)).not.toContain('shoes_eu');
  });
});

describeInBrowser('beside a secret', () => {
  const notice = (secret: string) => `Your unsaved changes are still here. The ${secret} was not kept. Enter it again.`;

  it('a mail server is kept without its password', async () => {
    const page = await t.open('/console/settings/transport', { expects: /status of 404/ });
    const open = () => page.getByRole('button', { name: 'Use your own mail server' }).click();
    await open();
    await dialog(page).getByLabel('Host').fill('smtp.example.com');
    await dialog(page).getByRole('textbox', { name: 'Password' }).fill('hunter2');
    await dialog(page).getByLabel('Messages per second').fill('25');
    await reload(page);
    await open();
    await dialog(page).getByText(notice('password')).waitFor();
    expect(await dialog(page).getByLabel('Host').inputValue()).toBe('smtp.example.com');
    expect(await dialog(page).getByLabel('Messages per second').inputValue()).toBe('25');
    expect(await kept(page)).not.toContain('hunter2');
    await dialog(page).getByRole('button', { name: 'Cancel' }).click();
    expect(await kept(page)).not.toContain('smtp.example.com');
  });

  it('the fields of a provider for single sign-on are kept', async () => {
    const page = await t.open('/console/settings/sso');
    const open = () => page.getByRole('button', { name: 'Add a provider' }).first().click();
    await open();
    await dialog(page).getByLabel('Name').fill('Half a directory');
    await dialog(page).getByRole('textbox', { name: 'Client secret' }).fill('hunter2');
    await reload(page);
    await open();
    await dialog(page).getByText(notice('client secret')).waitFor();
    expect(await dialog(page).getByLabel('Name').inputValue()).toBe('Half a directory');
    expect(await kept(page)).not.toContain('hunter2');
  });

  it('the provider of a mail hook is kept, its key is not', async () => {
    const page = await t.open('/console/settings/hooks');
    const open = () => page.getByRole('button', { name: 'New mail hook' }).first().click();
    await open();
    await dialog(page).getByRole('combobox', { name: 'Provider' }).click();
    await page.getByRole('option', { name: 'Mailgun' }).click();
    await dialog(page).getByLabel('HTTP webhook signing key').fill('hunter2');
    await reload(page);
    await open();
    await dialog(page).getByText(notice('key')).waitFor();
    expect(await dialog(page).getByRole('combobox', { name: 'Provider' }).inputValue()).toBe('Mailgun');
    expect(await kept(page)).not.toContain('hunter2');
  });

  it('there may be none: a domain is kept as it was typed', async () => {
    const page = await t.open('/console/settings/domains');
    await page.getByRole('button', { name: 'Add a domain' }).first().click();
    await dialog(page).getByLabel('Domain').fill('news.exam');
    await reload(page);
    await page.getByRole('button', { name: 'Add a domain' }).first().click();
    await dialog(page).getByText('Your unsaved changes are still here').waitFor();
    expect(await dialog(page).getByLabel('Domain').inputValue()).toBe('news.exam');
  });
});

describeInBrowser('a small form', () => {
  interface SmallForm {
    path: () => Promise<string>;
    open: (page: Page) => Promise<void>;
    field: (page: Page) => Locator;
  }
  const menu = (name: string | RegExp, item: string) => async (page: Page) => {
    await page.getByRole('button', { name }).first().click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  const first = async (path: string) => (await t.api('GET', path)).body.data[0];
  const labelled = (label: string) => (page: Page) => dialog(page).getByLabel(label);
  const forms: Record<string, SmallForm> = {
    'the description of a list': {
      path: async () => `lists/dynamic/${(await first('/v2/lists?type=dynamic')).dynamicListId}`,
      open: menu('More actions', 'Rename'),
      field: labelled('Description'),
    },
    'the name of a static list': {
      path: async () => `lists/static/${(await first('/v2/lists?type=static')).staticListId}`,
      open: menu('More actions', 'Rename'),
      field: labelled('Name'),
    },
    'the folder of a static list': {
      path: async () => `lists/static/${(await first('/v2/lists?type=static')).staticListId}`,
      open: menu('More actions', 'Move to folder'),
      field: (page) => dialog(page).locator('input').first(),
    },
    'the name of an organization': {
      path: async () => `organizations/${encodeURIComponent((await first('/v2/organizations')).orgId)}`,
      open: (page) => page.getByRole('button', { name: 'Rename' }).click(),
      field: labelled('Name'),
    },
    'the name of an email, where it stands': {
      path: async () => `emails/${(await first('/v2/emails')).id}`,
      open: (page) => page.getByRole('button', { name: 'Rename' }).click(),
      field: (page) => page.getByRole('textbox', { name: 'Name', exact: true }),
    },
    'the new folder of an email': {
      path: async () => 'emails',
      open: menu(/^Actions for/, 'Move to folder'),
      field: labelled('Or a new folder'),
    },
    'whom a test goes to': {
      path: async () => `emails/${(await first('/v2/emails')).id}`,
      open: (page) => page.getByRole('button', { name: 'Send test' }).click(),
      field: labelled('To'),
    },
    'the name of a person': {
      path: async () => 'settings/people',
      open: menu(/^Actions for/, 'Rename'),
      field: labelled('Name'),
    },
  };

  it.each(Object.keys(forms))('is there after a reload, and gone when it is cancelled: %s', async (name) => {
    const { path, open, field: fieldOf } = forms[name] as SmallForm;
    const page = await t.open(await path());
    await settled(page);
    await open(page);
    const before = await fieldOf(page).inputValue();
    await fieldOf(page).fill('Half typed');
    await reload(page);
    await settled(page);
    await open(page);
    await expect.poll(() => fieldOf(page).inputValue()).toBe('Half typed');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await open(page);
    await expect.poll(() => fieldOf(page).inputValue()).toBe(before);
  });
});
