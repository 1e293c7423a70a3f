// People in a hurry: a double click, a reload and the end of a session in the middle of a form, a switch of workspace.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser, newEmail, useConsole } from './console.js';

const t = useConsole();
const dialog = (page: Page) => page.getByRole('dialog').last();

/** Sends the bodies of writes a moment late, as over a slow connection. */
async function slowWrites(page: Page, path: string): Promise<string[]> {
  const seen: string[] = [];
  await page.route(`**${path}`, async (route) => {
    if (route.request().method() === 'GET') return route.fallback();
    seen.push(`${route.request().method()} ${new URL(route.request().url()).pathname}`);
    await new Promise((done) => setTimeout(done, 300));
    return route.continue();
  });
  return seen;
}

describeInBrowser('a double click', () => {
  it('makes one journey', async () => {
    const page = await t.open('/console/journeys');
    const writes = await slowWrites(page, '/v2/journeys');
    await page.getByRole('button', { name: 'New journey' }).click();
    await dialog(page).locator('input').first().fill('Made in a hurry');
    await dialog(page).locator('button[type=submit]').dblclick();
    await page.getByRole('heading', { level: 1, name: 'Made in a hurry' }).waitFor();
    expect(writes).toEqual(['POST /v2/journeys']);
  });

  it('sends one test', async () => {
    const { editorUrl } = await newEmail(t);
    const page = await t.open(editorUrl);
    const writes = await slowWrites(page, '/test-send');
    await page.getByRole('button', { name: 'Send test' }).click();
    await dialog(page).getByLabel('To').fill('me@example.com');
    await dialog(page).getByRole('button', { name: 'Send test' }).dblclick();
    await dialog(page).getByRole('link', { name: 'View message' }).waitFor();
    expect(writes).toHaveLength(1);
  });
});

describeInBrowser('a person who goes back while something is made', () => {
  /** Leaves the page before the response arrives. */
  async function leaveWhile(page: Page, path: string, act: () => Promise<void>) {
    let answer: () => void = () => undefined;
    const waiting = new Promise<void>((done) => (answer = done));
    await page.route(`**${path}`, async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      await waiting;
      return route.continue();
    });
    const asked = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith(path));
    await act();
    await asked;
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Outbox' }).waitFor();
    const answered = page.waitForResponse((response) => response.request().method() === 'POST');
    answer();
    expect((await answered).ok()).toBe(true);
  }

  it('stays there: a journey', async () => {
    const page = await t.open('/console/outbox');
    await t.show(page, 'journeys');
    await leaveWhile(page, '/v2/journeys', async () => {
      await page.getByRole('button', { name: 'New journey' }).click();
      await dialog(page).locator('input').first().fill('Made for somebody who left');
      await dialog(page).locator('button[type=submit]').click();
    });
    await expect.poll(() => page.evaluate('JSON.stringify(localStorage)')).not.toContain('somebody who left');
    expect(new URL(page.url()).pathname).toBe('/console/outbox');
  });

  it('is told that a secret was never shown', async () => {
    const page = await t.open('/console/outbox');
    await t.show(page, 'settings/tokens');
    await leaveWhile(page, '/v2/tokens', async () => {
      await page.getByRole('button', { name: 'New token' }).click();
      await dialog(page).getByLabel('Name').fill('Never seen');
      await dialog(page).locator('button[type=submit]').click();
    });
    await page.getByText('its secret was never shown').waitFor();
  });
});

describeInBrowser('the filter of a list that somebody else saved while a tab was closed', () => {
  it('is not overwritten unseen by the draft that the tab kept', async () => {
    const { body } = await t.api('POST', '/v2/dynamic-lists', {
      name: 'Two at once',
      filter: { all: [{ property: 'plan', is: 'pro' }] },
    });
    const id = body.data.dynamicListId;
    const page = await t.open(`/console/lists/dynamic/${id}/filter`);
    await page.locator('label', { hasText: 'JSON' }).click();
    await page.getByRole('textbox').last().fill('{"all":[{"property":"plan","is":"mine"}]}');
    await page
      .getByText('The filter is not saved')
      .or(page.getByRole('button', { name: 'Discard' }))
      .first()
      .waitFor();
    const theirs = { all: [{ property: 'plan', is: 'theirs' }] };
    expect((await t.api('PATCH', `/v2/dynamic-lists/${id}`, { filter: theirs })).status).toBe(200);
    await page.reload();
    await t.signIn(page);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('dialog', { name: /saved this .* first/ }).waitFor();
    expect((await t.api('GET', `/v2/dynamic-lists/${id}`)).body.data.filter).toEqual(theirs);
  });
});

describeInBrowser('a form that is half typed', () => {
  /** The page's next request finds that the session has ended. */
  async function endSession(page: Page) {
    await page.route('**/v2/**', (route) => route.fulfill({ status: 401 }));
    await page.getByRole('link', { name: 'Suppressions' }).click();
    await page.getByText('Your token no longer works').waitFor();
    await page.unroute('**/v2/**');
    await t.signIn(page);
  }

  it('is still there when the session has ended in the middle: a contact', async () => {
    const page = await t.open('/console/contacts', { expects: /status of 401/ });
    await page.getByRole('button', { name: 'New contact' }).click();
    await dialog(page).getByLabel('Email').fill('half@example.com');
    await dialog(page).getByLabel('First name').fill('<script>alert(1)</script> שלום');
    // A stray key closes the dialog, and does no harm either.
    await page.keyboard.press('Escape');
    await endSession(page);
    await t.show(page, 'contacts');
    await page.getByRole('button', { name: 'New contact' }).click();
    await dialog(page).getByText('Your unsaved changes are still here').waitFor();
    expect(await dialog(page).getByLabel('Email').inputValue()).toBe('half@example.com');
    expect(await dialog(page).getByLabel('First name').inputValue()).toBe('<script>alert(1)</script> שלום');
    await dialog(page).getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'New contact' }).click();
    expect(await dialog(page).getByLabel('Email').inputValue()).toBe('');
  });

  it('is still there when the session has ended in the middle: a property, and goes once it is saved', async () => {
    const { id } = (await t.api('GET', '/v2/contacts?search=ada')).body.data[0];
    const page = await t.open(`/console/contacts/${id}`, { expects: /status of 401/ });
    const field = () => page.getByRole('textbox', { name: 'title', exact: true });
    await page.getByRole('button', { name: /^Edit title/ }).click();
    await field().fill('Countess');
    await endSession(page);
    await t.show(page, `contacts/${id}`);
    await page.getByRole('button', { name: /^Edit title/ }).click();
    await page.getByText('Your unsaved changes are still here').waitFor();
    expect(await field().inputValue()).toBe('Countess');
    await field().press('Enter');
    await page.getByRole('button', { name: 'Edit title: Countess' }).click();
    expect(await page.getByText('Your unsaved changes are still here').count()).toBe(0);
  });

  it('is still there after a reload: the name of the workspace', async () => {
    const page = await t.open('/console/settings');
    await page.getByLabel('Name').fill('Half a na');
    await page.reload();
    await t.signIn(page);
    await page.getByText('Your unsaved changes are still here').waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Half a na');
    // A person who signs out leaves nothing behind for the next one.
    await page.getByRole('button', { name: /^Person/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await t.signIn(page);
    await page.getByLabel('Name').waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Demo');
  });
});

describeInBrowser('a person who types before the search is there', () => {
  it('keeps every key, also after an Enter that came too early', async () => {
    const page = await t.open('/console/outbox');
    let answer: () => void = () => undefined;
    const waiting = new Promise<void>((done) => (answer = done));
    await page.route('**/assets/search-*.js', async (route) => {
      await waiting;
      return route.continue();
    });
    await page
      .getByRole('button', { name: /^Search/ })
      .first()
      .click();
    await page.keyboard.type('journ');
    await page.keyboard.press('Enter');
    answer();
    const box = page.getByLabel('Search everything');
    await expect.poll(() => box.inputValue()).toBe('journ');
  });

  it('is not taken to what an earlier word had found', async () => {
    const page = await t.open('/console/outbox');
    await page.keyboard.press('ControlOrMeta+k');
    const box = page.getByLabel('Search everything');
    await box.fill('ada@example.com');
    await page.getByText('Why did ada@example.com (not) get…').waitFor();
    // From here on no time passes: Enter comes before the next request.
    await page.clock.install();
    await page.keyboard.type('x');
    await page.keyboard.press('Enter');
    await page.clock.runFor(1000);
    await page.getByText('No results').waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/outbox');
  });
});

describeInBrowser('rows that cannot be used', () => {
  const rows = (page: Page) => page.getByRole('textbox', { name: 'Rows' });
  const use = (page: Page) => page.getByRole('button', { name: 'Use these rows' });

  it('of a file give way to those that are pasted', async () => {
    const page = await t.open('/console/contacts/import');
    const buffer = Buffer.from('email\n');
    await page.locator('input[type=file]').setInputFiles({ name: 'empty.csv', mimeType: 'text/csv', buffer });
    await page.getByText('No rows found').waitFor();
    await rows(page).fill('email\nida@example.com\n');
    await use(page).click();
    await page.getByRole('button', { name: 'Import 1 row' }).waitFor();
  });

  it('are read again when somebody says so, not with the next key', async () => {
    const page = await t.open('/console/contacts/import');
    await rows(page).fill('email\n');
    await use(page).click();
    await page.getByText('No rows found').waitFor();
    await rows(page).press('ControlOrMeta+End');
    await page.keyboard.type('ida@example.com');
    expect(await rows(page).inputValue()).toBe('email\nida@example.com');
    await use(page).click();
    await page.getByRole('button', { name: 'Import 1 row' }).waitFor();
  });
});

describeInBrowser('a person who renames an email', () => {
  it('may look at another tab meanwhile: it is there too, and gone once it is done', async () => {
    const { editorUrl } = await newEmail(t);
    const page = await t.open(editorUrl);
    const rename = () => page.getByRole('button', { name: 'Rename' }).first().click();
    const box = page.getByRole('textbox', { name: 'Name' }).first();
    await rename();
    await box.fill('Half a na');
    await page.getByRole('link', { name: 'History' }).click();
    await rename();
    expect(await box.inputValue()).toBe('Half a na');
    await box.fill('A whole name');
    await box.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'A whole name' }).waitFor();
    await page.getByRole('link', { name: 'Content', exact: true }).click();
    await rename();
    expect(await box.inputValue()).toBe('A whole name');
  });
});
