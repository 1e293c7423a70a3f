// The usual way to a journey: it begins with an event, branches on a condition, and both fields suggest what the workspace has. Whichever is used
// first, the other finds what it expects.
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser, newEmail, useConsole } from './console.js';

const console = useConsole();
const soon = <Value>(look: () => Value) => expect.poll(look, { timeout: 60_000 });
const node = (page: Page, id: string) => page.locator(`[data-node="${id}"]`);

async function newJourney(definition: object): Promise<string> {
  const { status, body } = await console.api('POST', '/v2/journeys', { type: 'trigger', name: 'By event', definition });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data.journeyId;
}

/** Opens the field of the entry, which suggests event names. */
async function chooseEntryEvent(page: Page): Promise<void> {
  await node(page, ':entry').click();
  await page.getByRole('combobox', { name: 'Event', exact: true }).click();
  await page.getByRole('option', { name: 'signed_in', exact: true }).click();
}

async function addCondition(page: Page, within: Page | Locator = page): Promise<void> {
  await within.getByRole('button', { name: 'Add a condition' }).click();
  await soon(() => page.locator(':focus').getAttribute('aria-label')).toBe('A property, an event, a list…');
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
    // Escape closes the dialog in front: the panel behind it stays.
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('complementary', { name: 'Branch' }).waitFor();
    await page
      .getByRole('complementary', { name: 'Branch' })
      .getByRole('button', { name: /condition/i })
      .first()
      .focus();
    await page.keyboard.press('Escape');
    await page.getByRole('complementary', { name: 'Branch' }).waitFor({ state: 'detached' });
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
    await page.getByRole('option', { name: /^Pro/ }).click();
    await page.getByRole('option', { name: /^pro/ }).click();
    await values.fill('PRO');
    await values.press('Enter');
    await values.fill('pro');
    await values.press('Enter');
    const shown = () => JSON.parse(new URL(page.url()).searchParams.get('filter') ?? 'null');
    await soon(shown).toEqual({ all: [{ property: 'tariff', in: ['Pro', 'pro', 'PRO'] }] });
  });

  it('shows a new step at the end of a long journey, and finds it by the name that others give it', async () => {
    const steps = Array.from({ length: 12 }, (_, at) => ({ id: `wait${at}`, type: 'delay', for: 'P1D' }));
    const id = await newJourney({ entry: { api: true }, steps });
    const page = await console.open(`journeys/${id}`);
    await page.getByRole('button', { name: 'Add step' }).click();
    await page.getByRole('textbox', { name: 'What should happen?' }).fill('A/B');
    await page.keyboard.press('Enter');
    await node(page, 'split').waitFor();
    const canvas = page.getByRole('region', { name: /canvas/i });
    const inside = async () => {
      const [room, at] = [await canvas.boundingBox(), await node(page, 'split').boundingBox()];
      return room !== null && at !== null && at.y >= room.y && at.y + at.height <= room.y + room.height;
    };
    await soon(inside).toBe(true);
  });
});

describeInBrowser('somebody on the way', () => {
  it('is shown the version they are on, in words, with their mail, and leaves when the journey is stopped', async () => {
    const { id: emailId, name } = await newEmail(console);
    const mail = { id: 'mail', type: 'sendEmail', emailId };
    const waiting = (days: string) => ({
      entry: { api: true },
      steps: [mail, { id: 'wait', type: 'delay', for: days }],
    });
    const id = await newJourney(waiting('P2D'));
    await console.api('POST', `/v2/journeys/${id}/activate`);
    const { body } = await console.api('GET', '/v2/contacts?pageSize=1');
    await console.api('POST', `/v2/journeys/${id}/enroll`, { contactIds: [body.data[0].id] });
    const first = async () => (await console.api('GET', `/v2/journeys/${id}/enrolments`)).body.data[0];
    await soon(async () => (await first())?.stepId).toBe('wait');
    const change = { definition: waiting('P9D'), inFlight: 'finish' };
    expect((await console.api('PATCH', `/v2/journeys/${id}`, change)).status).toBe(200);
    const page = await console.open(`journeys/${id}/enrolments/${(await first()).enrolmentId}`);
    const timeline = page.getByRole('region', { name: 'Timeline' }).last();
    await timeline.getByText('Wait: For 2 days').waitFor();
    await timeline.getByText(/^They were enrolled by .+ with a token\.$/).waitFor();
    expect(await timeline.getByRole('listitem').count()).toBe(3);
    expect(await timeline.textContent()).not.toMatch(/\d{4}-\d\d-\d\dT/);
    await timeline.getByRole('link', { name: `Send email: ${name}` }).click();
    await page.waitForURL(/\/messages\//);

    await console.show(page, `journeys/${id}/enrolments`);
    const table = page.getByRole('table', { name: 'Enrollments' });
    await table.getByText('In progress').waitFor();
    await page.getByRole('button', { name: 'Pause or stop' }).click();
    await page.getByRole('menuitem', { name: 'Stop' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click();
    await table.getByText('Exited').waitFor();
  });
});
