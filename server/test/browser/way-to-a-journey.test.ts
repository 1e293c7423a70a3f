// The normal way to a journey: it begins with an event, branches on a condition, and both fields know what the workspace has. Whichever is used
// first, the other finds what it expects.
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser, useConsole } from './console.js';

const console = useConsole();
const soon = <Value>(look: () => Value) => expect.poll(look, { timeout: 15_000 });
const node = (page: Page, id: string) => page.locator(`[data-node="${id}"]`);

async function newJourney(definition: object): Promise<string> {
  const { status, body } = await console.api('POST', '/v2/journeys', { type: 'trigger', name: 'By event', definition });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data.journeyId;
}

/** Opens the field of the entry, which suggests names of events. */
async function chooseEntryEvent(page: Page): Promise<void> {
  await node(page, ':entry').click();
  await page.getByRole('combobox', { name: 'Event', exact: true }).click();
  await page.getByRole('option', { name: 'signed_in', exact: true }).click();
}

async function addCondition(page: Page, within: Page | Locator = page): Promise<void> {
  await within.getByRole('button', { name: 'Add a condition' }).click();
  await soon(() => page.locator(':focus').getAttribute('aria-label')).toBe('A property, an event, a list …');
  await page.keyboard.type('signed_in');
  await page.getByRole('option', { name: 'signed_in', exact: true }).click();
}

describeInBrowser('the way to a journey', () => {
  it('leads from the event that starts it to the condition of a branch', async () => {
    const id = await newJourney({ entry: { event: { eventName: '' } }, steps: [] });
    const page = await console.open(`journeys/${id}`);
    await chooseEntryEvent(page);
    await page.getByRole('button', { name: 'Add step' }).click();
    await page.getByRole('textbox', { name: 'What should happen?' }).fill('branch');
    await page.keyboard.press('Enter');
    await page
      .getByRole('button', { name: /(Edit|Set a?) ?condition/i })
      .first()
      .click();
    await addCondition(page, page.getByRole('dialog'));
    await page
      .getByRole('group', { name: /signed_in/ })
      .first()
      .waitFor();
  });

  it('leads from an audience to the event that starts it', async () => {
    const id = await newJourney({ entry: { event: { eventName: '' } }, steps: [] });
    const page = await console.open('audience');
    await addCondition(page);
    await page
      .getByRole('group', { name: /signed_in/ })
      .first()
      .waitFor();
    await console.show(page, `journeys/${id}`);
    await chooseEntryEvent(page);
    await soon(() => node(page, ':entry').textContent()).toContain('signed_in');
  });

  it('takes Pro and pro for two values, as the filter does', async () => {
    for (const [at, plan] of ['Pro', 'pro'].entries())
      await console.api('POST', '/v2/contacts', { email: `case${at}@example.com`, properties: { tariff: plan } });
    const filter = { all: [{ property: 'tariff', in: [] }] };
    const page = await console.open(`audience?filter=${encodeURIComponent(JSON.stringify(filter))}`, {
      expects: /400/,
    });
    const values = page.locator('input[aria-label="Values"]');
    await values.click();
    await page.getByRole('option', { name: 'Pro', exact: true }).click();
    await page.getByRole('option', { name: 'pro', exact: true }).click();
    await values.fill('PRO');
    await values.press('Enter');
    await values.fill('pro');
    await values.press('Enter');
    const shown = () => JSON.parse(new URL(page.url()).searchParams.get('filter') ?? 'null');
    await soon(shown).toEqual({ all: [{ property: 'tariff', in: ['Pro', 'pro', 'PRO'] }] });
  });
});
