// People in a hurry: a double click, a reload and the end of a session in the middle of a form, a workspace that is switched.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser, newEmail, useConsole } from './console.js';

const t = useConsole();
const dialog = (page: Page) => page.getByRole('dialog').last();

/** The bodies of writes go out a moment late, as over a slow line. */
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
    await dialog(page).getByRole('link', { name: 'Look at the message' }).waitFor();
    expect(writes).toHaveLength(1);
  });
});

describeInBrowser('the filter of a list that somebody else saved while a tab was closed', () => {
  it('is not overwritten unseen by the draft that the tab had kept', async () => {
    const { body } = await t.api('POST', '/v2/dynamic-lists', {
      name: 'Two at once',
      filter: { all: [{ property: 'plan', is: 'pro' }] },
    });
    const id = body.data.dynamicListId;
    const page = await t.open(`/console/lists/dynamic/${id}/filter`);
    await page.locator('label', { hasText: 'JSON' }).click();
    await page.getByRole('textbox').last().fill('{"all":[{"property":"plan","is":"mine"}]}');
    await page.getByText('The filter is not saved').or(page.getByRole('button', { name: 'Discard' })).first().waitFor();
    const theirs = { all: [{ property: 'plan', is: 'theirs' }] };
    expect((await t.api('PATCH', `/v2/dynamic-lists/${id}`, { filter: theirs })).status).toBe(200);
    await page.reload();
    await t.signIn(page);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('dialog', { name: /saved this .* first/ }).waitFor();
    expect((await t.api('GET', `/v2/dynamic-lists/${id}`)).body.data.filter).toEqual(theirs);
  });
});
