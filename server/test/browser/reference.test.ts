// The reference at /docs, read and tried in a browser.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { describeInBrowser, useConsole, type Width, widths } from './console.js';

let axe = '';
beforeAll(async () => {
  axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
});

interface Violation {
  id: string;
  nodes: { html: string }[];
}

// All operations are built alike: two stand for 160, which axe-core would check for minutes.
const leaveTwo = `for (const one of document.querySelectorAll('.operation:not(#createList, #listLists)')) one.remove()`;
const smallTexts = `[...document.querySelectorAll('body *')].filter((element) =>
  [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim()) &&
  element.checkVisibility() && parseFloat(getComputedStyle(element).fontSize) < 12).map((element) => element.outerHTML)`;

/** No wider than the screen, no text below 12 pixels, and no findings from axe-core. */
async function check(page: Page, width: Width): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  await page.evaluate(leaveTwo);
  expect(await page.evaluate(smallTexts)).toEqual([]);
  await page.evaluate(axe);
  const { violations } = await page.evaluate<{ violations: Violation[] }>('axe.run()');
  expect(violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))).toEqual([]);
}

const current = (page: Page) => page.locator('nav [aria-current]');
const operation = (page: Page, id: string) => page.locator(`#${id}`);

async function openForm(page: Page, id: string): Promise<Locator> {
  await operation(page, id)
    .getByRole('button', { name: /^Try it/ })
    .click();
  const form = operation(page, id).getByRole('form');
  await form.waitFor();
  return form;
}

const forms = widths.flatMap((width) => (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })));

describeInBrowser('the reference', () => {
  const service = useConsole();

  it.each(forms)('is readable for everybody at $width pixels in $colorScheme', async ({ width, colorScheme }) => {
    const page = await service.openSignedOut('/docs#createList', { width, colorScheme });
    await check(page, width);
    const form = await openForm(page, 'listLists');
    await form.getByLabel('Personal access token').fill(service.token);
    await form.getByRole('button', { name: 'Send' }).click();
    await form.getByText('200').first().waitFor();
    if (width === 390) await page.getByRole('button', { name: 'Contents' }).click();
    await check(page, width);
  });

  it('names every operation in the sidebar and marks the one that is being read', async () => {
    const page = await service.openSignedOut('/docs');
    await page.mouse.move(800, 500);
    for (const id of ['getContact', 'listJourneys']) {
      await page.evaluate(`document.getElementById('${id}').scrollIntoView()`);
      await page.mouse.wheel(0, 60);
      await page.locator(`nav a[href="#${id}"][aria-current]`).waitFor();
      expect(await current(page).isVisible()).toBe(true);
      expect(await current(page).count()).toBe(1);
    }
    // The last one never reaches the top of the screen, but is marked all the same.
    const last = page.locator('nav a').last();
    await page.evaluate(`[...document.querySelectorAll('nav a')].at(-1).click()`);
    await expect.poll(() => last.getAttribute('aria-current')).toBe('location');
  });

  it.each(widths)('finds operations as one types, with the keyboard alone, at %i pixels', async (width) => {
    const page = await service.openSignedOut('/docs', { width });
    await page.keyboard.press('/');
    await page.keyboard.type('static list members');
    const names = page.locator('nav li a:visible');
    await expect.poll(() => names.count()).toBe(3);
    await page.getByText('3 found').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    expect(new URL(page.url()).hash).toBe('#addMembers');
    await expect.poll(() => operation(page, 'addMembers').getByRole('heading', { level: 3 }).isVisible()).toBe(true);
    // The address includes the search, so it can be shared.
    expect(new URL(page.url()).searchParams.get('q')).toBe('static list members');
    await page.reload();
    await page.getByText('3 found').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.press('Escape');
    await expect.poll(() => names.count()).toBeGreaterThan(3);
  });

  it('finds what only the text says: a field or an error code', async () => {
    const page = await service.openSignedOut('/docs?q=LIST_ALREADY_EXISTS');
    await page.getByText(/^\d+ found$/).waitFor();
    expect(await page.locator('nav a[href="#createList"]').isVisible()).toBe(true);
    expect(await page.locator('nav a[href="#getContact"]').isVisible()).toBe(false);
    await page.getByLabel('Search the reference').fill('zzyzx');
    await page.getByText('Nothing found').waitFor();
  });

  it('shows examples in the language that was chosen last, and copies what is shown', async () => {
    const page = await service.openSignedOut('/docs#createList');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: service.url });
    const example = operation(page, 'createList').getByRole('figure', { name: /^Example request/ });
    await example.getByRole('tab', { name: 'curl' }).focus();
    await page.keyboard.press('ArrowRight');
    expect(await example.getByRole('tabpanel').innerText()).toContain(`import { createList } from '@rapport/contract'`);
    await page.keyboard.press('ArrowRight');
    expect(await example.getByRole('tabpanel').innerText()).toContain('from urllib.request import Request');
    await example.getByRole('button', { name: 'Copy' }).click();
    await example.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toBe(await example.getByRole('tabpanel').textContent());
    await page.reload();
    const other = operation(page, 'listLists').getByRole('tab', { name: 'Python' });
    expect(await other.getAttribute('aria-selected')).toBe('true');
    // Every block has its button.
    const blocks = await page.locator('figure.code').count();
    expect(await page.locator('figure.code .copy').count()).toBe(blocks);
  });

  it('sends a read with the token of the reader, and keeps the token nowhere', async () => {
    const page = await service.openSignedOut('/docs#listLists');
    const form = await openForm(page, 'listLists');
    await form.getByLabel('Personal access token').fill(service.token);
    await form.getByLabel('type').selectOption('static');
    await form.getByLabel('pageSize').fill('2');
    await page.keyboard.press('Enter');
    await form.getByText('200').first().waitFor();
    expect(await form.locator('.outcome').innerText()).toMatch(/200.*\d+ ms.*(KB|bytes)/s);
    const body = JSON.parse(await form.locator('.answer pre').innerText());
    expect(body).toMatchObject({ pagination: { pageSize: 2 }, meta: { status: 'SUCCESS' } });
    expect(body.data.every(({ type }: { type: string }) => type === 'static')).toBe(true);
    await form.getByText('Headers', { exact: true }).click();
    expect(await form.locator('.answer dl').innerText()).toContain('x-request-id');
    // Another operation has it already; the browser's storage does not, nor does the page once it is reloaded.
    const other = await openForm(page, 'getMe');
    expect(await other.getByLabel('Personal access token').inputValue()).toBe(service.token);
    const kept = await page.evaluate<string>(
      `JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])`,
    );
    expect(kept).not.toContain(service.token);
    await page.reload();
    const again = await openForm(page, 'listLists');
    expect(await again.getByLabel('Personal access token').inputValue()).toBe('');
  });

  it('asks before it writes, and writes when it is told to', async () => {
    const page = await service.openSignedOut('/docs#createList');
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.method()));
    const form = await openForm(page, 'createList');
    await form.getByLabel('Personal access token').fill(service.token);
    await form.getByLabel('JSON').fill(JSON.stringify({ name: 'Tried from the reference' }));
    await form.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('dialog').getByText('POST /v2/lists').waitFor();
    await page.keyboard.press('Escape');
    expect(requests).not.toContain('POST');
    await form.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('button', { name: 'Send POST' }).click();
    await form.getByText('200').first().waitFor();
    const { body } = await service.api('GET', '/v2/lists?search=Tried%20from%20the%20reference');
    expect(body.data).toHaveLength(1);
  });

  it('says what is wrong at its place, and what a refusal means', async () => {
    const page = await service.openSignedOut('/docs#createList', { expects: /40[019]/ });
    const form = await openForm(page, 'createList');
    await form.getByRole('button', { name: 'Send' }).click();
    await form.getByText('Personal access token is required.').waitFor();
    await form.getByLabel('Personal access token').fill('wrong');
    await form.getByLabel('JSON').fill('{"name": ');
    await form.getByRole('button', { name: 'Send' }).click();
    await form.getByText('Not valid JSON').waitFor();
    expect(await form.getByLabel('JSON').getAttribute('aria-invalid')).toBe('true');
    await form.getByLabel('JSON').fill('{}');
    await form.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('button', { name: 'Send POST' }).click();
    await form.getByText('The token is unknown, revoked or expired.').waitFor();
    await form.getByLabel('Personal access token').fill(service.token);
    await form.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('button', { name: 'Send POST' }).click();
    await form.getByText('VALIDATION_ERROR').waitFor();
  });

  it('says so when no answer comes, and can be asked again', async () => {
    const page = await service.openSignedOut('/docs#listLists', { expects: /ERR_INTERNET_DISCONNECTED/ });
    const form = await openForm(page, 'listLists');
    await form.getByLabel('Personal access token').fill(service.token);
    await page.context().setOffline(true);
    await form.getByRole('button', { name: 'Send' }).click();
    await form.getByText(/^No response/).waitFor();
    await page.context().setOffline(false);
    await form.getByRole('button', { name: 'Send' }).click();
    await form.getByText('200').first().waitFor();
  });

  it('can be read without a script: no button that does nothing, every name, one language', async () => {
    const page = await service.openSignedOut('/docs');
    const context = await page.context().browser()?.newContext({ javaScriptEnabled: false });
    if (!context) throw new Error('There is no browser.');
    const plain = await context.newPage();
    await plain.goto(`${service.url}/docs`);
    expect(await plain.getByRole('button').count()).toBe(0);
    expect(await operation(plain, 'createList').locator('pre.sample:visible').count()).toBe(1);
    await plain.locator('nav summary', { hasText: /^Lists$/ }).click();
    await plain.locator('nav a[href="#createList"]').click();
    await operation(plain, 'createList').getByRole('heading', { level: 3 }).waitFor();
    await context.close();
  });

  it('has the colours that were chosen in the console', async () => {
    const page = await service.openSignedOut('/docs', { colorScheme: 'light' });
    const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    const before = await background();
    await page.evaluate(`localStorage.setItem('rapport-color-scheme', 'dark')`);
    await page.reload();
    expect(await background()).not.toBe(before);
    expect(await background()).toBe('rgb(20, 21, 23)');
  });
});
