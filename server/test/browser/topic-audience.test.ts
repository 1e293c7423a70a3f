// An audience by what people agreed to: a topic is found by its name, its states are counted as the service counts them, and the list is saved.
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser, useConsole } from './console.js';

/** A field itself, not the list of choices with the same name. */
const field = (within: Page | Locator, name: string) => within.locator(`input[aria-label="${name}"]`);
const soon = <Value>(look: () => Value) => expect.poll(look, { timeout: 60_000 });
const count = (page: Page) => page.getByTestId('count');
const filterIn = (page: Page) => JSON.parse(new URL(page.url()).searchParams.get('filter') ?? 'null');

describeInBrowser('an audience by topic', () => {
  const console = useConsole();

  it('is built, counted, kept in the address and saved as a list', async () => {
    const { body } = await console.api('GET', '/v2/topics?search=Product');
    const [{ topicId: topic }] = body.data;
    const page = await console.open('audience');
    await count(page).waitFor();
    await page.getByRole('button', { name: 'Add a condition' }).click();
    const picker = page.locator(':focus');
    await soon(() => picker.getAttribute('aria-label')).toBe('A property, an event, a list…');
    await page.keyboard.type('topic');
    await page.getByRole('option', { name: /topic$/i }).click();
    const condition = page.getByRole('group', { name: 'Topic' });
    await field(condition, 'Topic').click();
    await page.getByRole('option', { name: 'Product news' }).click();
    await soon(() => filterIn(page)).toEqual({ all: [{ topic, is: 'subscribed' }] });
    // Of nine people one has confirmed, and one was asked and has not answered; the others never said anything.
    await soon(() => count(page).textContent()).toBe('1');
    const become = async (words: string, says: object, people: string) => {
      await field(condition, 'Status').click();
      await page.getByRole('option', { name: words, exact: true }).click();
      await soon(() => filterIn(page)).toEqual({ all: [{ topic, ...says }] });
      await soon(() => count(page).textContent()).toBe(people);
    };
    await become('is not subscribed to', { isNot: 'subscribed' }, '8');
    await become('is unsubscribed from', { is: 'unsubscribed' }, '7');
    await become('has yet to confirm', { is: 'pending' }, '1');
    await page.getByRole('list', { name: 'Sample' }).getByText('alan@example.com').waitFor();

    await page.reload();
    await console.signIn(page);
    await soon(() => field(page.getByRole('group', { name: 'Topic' }), 'Topic').inputValue()).toBe('Product news');
    await soon(() => count(page).textContent()).toBe('1');
    await page.getByRole('button', { name: 'Save as list' }).click();
    await page.getByLabel('Name').fill('Asked, not answered');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'Asked, not answered' }).waitFor();
    await page.getByText('1 contact', { exact: true }).waitFor();
    const refused = await console.api('DELETE', `/v2/topics/${topic}`);
    expect([refused.status, refused.body.errors[0].errorCode]).toEqual([409, 'INVALID_STATE']);
  });

  it('says what is wrong with a topic that is gone', async () => {
    const filter = { all: [{ topic: 'f'.repeat(24), is: 'subscribed' }] };
    const page = await console.open(`audience?filter=${encodeURIComponent(JSON.stringify(filter))}`, {
      expects: /40[04]/,
    });
    await page.getByRole('group', { name: 'Topic' }).getByRole('alert').waitFor();
  });
});
