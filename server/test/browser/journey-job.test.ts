// The job of a lifecycle marketer: a journey with a wait, a branch, a split, a goal and a holdout, an email written on the way, and somebody in it.
// By clicking and typing, without the API. Then somebody is taken past a wait, and somebody out.
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser, previewOf, useConsole } from './console.js';

const console = useConsole();
const soon = <Value>(look: () => Value) => expect.poll(look, { timeout: 60_000 });
const node = (page: Page, id: string) => page.locator(`[data-node="${id}"]`);
const panel = (page: Page, title: string) => page.getByRole('complementary', { name: title });
const rule = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Rules' }).getByRole('button', { name: new RegExp(`^${name}`) });

/** Adds a step from the palette and gives it a name. */
async function add(page: Page, kind: string, name: string): Promise<Locator> {
  await page.getByRole('group', { name: 'Steps to add' }).getByRole('button', { name: kind, exact: true }).click();
  const opened = panel(page, kind);
  await opened.getByRole('textbox', { name: 'Name', exact: true }).first().fill(name);
  await page.getByRole('button', { name: new RegExp(`^${name}`) }).waitFor();
  return opened;
}

async function setCondition(page: Page, within: Locator, event: string): Promise<void> {
  await within
    .getByRole('button', { name: /^(Set|Edit) condition/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Add a condition' }).click();
  await soon(() => page.locator(':focus').getAttribute('aria-label')).toBe('A property, an event, a list…');
  await page.keyboard.type(event);
  await page.getByRole('option', { name: event, exact: true }).click();
  await dialog
    .getByRole('group', { name: new RegExp(event) })
    .first()
    .waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.waitFor({ state: 'hidden' });
}

async function enrol(page: Page, search: string): Promise<string> {
  await page.getByRole('button', { name: 'Enroll a contact' }).click();
  const dialog = page.getByRole('dialog', { name: 'Enroll a contact' });
  await dialog.getByRole('combobox', { name: 'Contact' }).fill(search);
  const option = page.getByRole('option', { name: search }).first();
  const email = (await option.textContent()) ?? '';
  await option.click();
  await dialog.getByRole('button', { name: 'Enroll', exact: true }).click();
  await dialog.waitFor({ state: 'hidden' });
  return email;
}

describeInBrowser('a journey', () => {
  it('is built, named, limited, activated and entered without leaving the page', async () => {
    const page = await console.open('journeys');
    await page.getByRole('button', { name: 'New journey' }).click();
    const create = page.getByRole('dialog', { name: 'New journey' });
    await create.getByText('Needs 3 emails and the events signed_up and activated.').waitFor();
    await create.getByRole('textbox', { name: 'Name' }).fill('Second look');
    await create.getByRole('radio', { name: 'Blank journey' }).click();
    await create.getByRole('button', { name: 'Create and edit' }).click();
    await page.getByRole('heading', { level: 1, name: 'Second look' }).waitFor();

    await node(page, ':entry').click();
    await panel(page, 'Entry').getByRole('combobox', { name: 'Entry' }).click();
    await page.getByRole('option', { name: 'Manual or API enrollment' }).click();
    const wait = await add(page, 'Wait', 'Let it sink in');
    await wait.getByRole('textbox', { name: 'Duration: number' }).fill('2');
    const branch = await add(page, 'Branch', 'Did they sign in?');
    await setCondition(page, branch, 'signed_in');
    await add(page, 'Random split', 'Two subjects');
    const mail = await add(page, 'Send email', 'Come and see');
    await mail.getByRole('button', { name: 'Write a new email' }).click();
    const form = page.getByRole('dialog', { name: 'New email' });
    await form.getByLabel('Name', { exact: false }).first().fill('Have a look');
    await form.getByLabel('Subject').fill('Something new for you');
    await form.getByLabel('From address').fill('hello');
    await form.getByRole('button', { name: 'Create', exact: true }).click();
    await form.waitFor({ state: 'hidden' });
    // Seen as it looks, in the step that sends it.
    await mail.getByRole('figure').getByText('Something new for you').waitFor();
    await soon(() => previewOf(page).locator('body').count()).toBe(1);

    await rule(page, 'Goal').click();
    await setCondition(page, panel(page, 'Goal'), 'signed_in');
    await rule(page, 'Holdout').click();
    await panel(page, 'Holdout').getByRole('textbox', { name: 'Holdout' }).fill('10');
    await rule(page, 'Message limit').click();
    await panel(page, 'Message limit').getByRole('switch', { name: 'Limit messages' }).check();
    await rule(page, 'Sending times').click();
    await panel(page, 'Sending times').getByRole('switch', { name: 'Send only at certain times' }).check();
    expect(await rule(page, 'Holdout').textContent()).toContain('10%');
    expect(await rule(page, 'Message limit').textContent()).toContain('3 messages in 7 days');
    await rule(page, 'Sending times').getByText('Mon, Tue, Wed, Thu, Fri 09:00 to 18:00').waitFor();

    await page.getByText('Ready to activate').waitFor();
    await page.getByRole('button', { name: 'Activate' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Activate' }).click();
    await page.getByText('The journey is active.').waitFor();
    await page.getByRole('link', { name: 'Enrollments', exact: true }).click();
    const email = await enrol(page, '@');
    const row = page.getByRole('table', { name: 'Enrollments' }).getByRole('row', { name: new RegExp(email) });
    await row.getByText('In progress').waitFor();
    await row.getByText('Let it sink in').waitFor();
  });
});

describeInBrowser('somebody in a journey', () => {
  it('is taken past a wait from the list of people, and out from a page of their own', async () => {
    const steps = [
      { id: 'first', name: 'A day off', type: 'delay', for: 'P1D' },
      { id: 'second', name: 'Another day off', type: 'delay', for: 'P1D' },
    ];
    const definition = { entry: { api: true }, steps };
    const made = await console.api('POST', '/v2/journeys', { type: 'trigger', name: 'Days off', definition });
    const { journeyId } = made.body.data;
    await console.api('POST', `/v2/journeys/${journeyId}/activate`);
    const page = await console.open(`journeys/${journeyId}/enrolments`);
    const email = await enrol(page, '@');
    const row = page.getByRole('table', { name: 'Enrollments' }).getByRole('row', { name: new RegExp(email) });
    await row.getByText('A day off', { exact: true }).waitFor();
    await row.getByRole('button', { name: `Actions for ${email}` }).click();
    await page.getByRole('menuitem', { name: 'Skip this wait' }).click();
    await row.getByText('Another day off').waitFor();

    await row.getByRole('link', { name: email }).click();
    await page.getByRole('heading', { level: 1, name: email }).waitFor();
    await page.getByText(/^Moved past this wait by .+ with a token\.$/).waitFor();
    await page.getByRole('button', { name: 'Take out' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Take out' }).click();
    await page.getByText('The contact was taken out.').waitFor();
    await page.getByText(/^Taken out by .+ with a token\.$/).waitFor();
    await page.getByText('Exited early').first().waitFor();
    expect(await page.getByRole('button', { name: 'Take out' }).count()).toBe(0);
  });
});
