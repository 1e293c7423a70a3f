// The second key flow: a journey is built with the keyboard, simulated, and activated once it is clear who enters.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { type Console, describeInBrowser, newEmail, previewOf, useConsole } from './console.js';

const console = useConsole();

async function newJourney(given: Console, body: object): Promise<string> {
  const { status, body: answer } = await given.api('POST', '/v2/journeys', { type: 'trigger', ...body });
  expect(status, JSON.stringify(answer)).toBe(200);
  return answer.data.journeyId;
}

const stepsOf = async (id: string) =>
  (await console.api('GET', `/v2/journeys/${id}`)).body.data.definition?.steps ?? [];
const node = (page: Page, id: string) => page.locator(`[data-node="${id}"]`);
const saved = (page: Page) => page.getByText('All changes saved').waitFor();

/** In the dialog that asks which step, which has the focus. */
async function addStep(page: Page, search: string): Promise<void> {
  await page.getByRole('textbox', { name: 'What should happen?' }).waitFor();
  await page.keyboard.type(search);
  await page.keyboard.press('Enter');
}

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page
    .getByRole('combobox', { name: label })
    .or(page.getByRole('textbox', { name: label, exact: true }))
    .first()
    .focus();
  await page.keyboard.press('ArrowDown');
  await page.getByRole('option', { name: option, exact: true }).waitFor();
  await page.keyboard.type(option);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
}

describeInBrowser('the canvas of a journey', () => {
  it('is built with the keyboard, undone, mended where a fault is shown, and saved', async () => {
    const { name } = await newEmail(console);
    const id = await newJourney(console, {
      name: 'Built by keys',
      definition: { entry: { event: { eventName: 'account_created' } }, steps: [] },
    });
    const page = await console.open(`journeys/${id}`);
    await node(page, ':entry').focus();
    await page.keyboard.press('+');
    await addStep(page, 'send email');
    await node(page, 'email').waitFor();
    // The step says what is missing, at its place.
    await page.getByRole('button', { name: /Send email\s*Choose an email\s*1 problem/ }).waitFor();
    await choose(page, 'Email', name);
    await page.getByText('Ready to activate').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate("document.activeElement?.getAttribute('data-node')")).toBe('email');

    await page.keyboard.press('+');
    await addStep(page, 'wait');
    await node(page, 'wait').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate("document.activeElement?.getAttribute('data-node')")).toBe('wait');
    await page.keyboard.press('ArrowUp');
    expect(await page.evaluate("document.activeElement?.getAttribute('data-node')")).toBe('email');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Delete');
    await node(page, 'wait').waitFor({ state: 'detached' });
    await page.keyboard.press('ControlOrMeta+z');
    await node(page, 'wait').waitFor();
    await page.keyboard.press('ControlOrMeta+Shift+z');
    await node(page, 'wait').waitFor({ state: 'detached' });
    await page.keyboard.press('ControlOrMeta+z');
    await node(page, 'wait').waitFor();
    await page.keyboard.press('ControlOrMeta+s');
    await saved(page);
    expect(await stepsOf(id)).toMatchObject([
      { id: 'email', type: 'sendEmail' },
      { id: 'wait', type: 'delay', for: 'P1D' },
    ]);
  });

  it('takes a step that is dropped on a line', async () => {
    const steps = [{ id: 'pause', type: 'delay', for: 'P1D' }];
    const id = await newJourney(console, { name: 'Dropped', definition: { entry: { api: true }, steps } });
    const page = await console.open(`journeys/${id}`);
    const line = page.getByRole('button', { name: 'Add a step after Wait, For 1 day' });
    await page.getByRole('button', { name: 'Branch', exact: true }).dragTo(line);
    await node(page, 'branch').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await node(page, 'branch').waitFor({ state: 'detached' });
  });

  it('keeps what is not saved over a reload', async () => {
    const id = await newJourney(console, { name: 'Kept', definition: { entry: { api: true }, steps: [] } });
    const page = await console.open(`journeys/${id}`);
    await page.getByRole('button', { name: 'Add step' }).click();
    await addStep(page, 'exit');
    await page.getByText('Unsaved changes').waitFor();
    await page.reload();
    await console.signIn(page);
    await page.getByText('Your unsaved changes are still here').waitFor();
    await node(page, 'exit').waitFor();
    await page.getByRole('button', { name: 'Discard' }).click();
    await node(page, 'exit').waitFor({ state: 'detached' });
  });

  it('shows both sides when somebody else saved first', async () => {
    const id = await newJourney(console, { name: 'Contested', definition: { entry: { api: true }, steps: [] } });
    const page = await console.open(`journeys/${id}`, { expects: /412/ });
    await page.getByRole('button', { name: 'Add step' }).click();
    await addStep(page, 'exit');
    const theirs = { entry: { api: true }, steps: [{ id: 'theirs', type: 'delay', for: 'P3D' }] };
    await console.api('PATCH', `/v2/journeys/${id}`, { definition: theirs });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('dialog').getByText('saved this journey first').waitFor();
    await page.getByRole('button', { name: 'Discard mine, load theirs' }).click();
    await node(page, 'theirs').waitFor();
  });
});

describeInBrowser('a journey that is watched before it runs', () => {
  it('lets people flow, one be followed to an email on its date, and says whom activation reaches', async () => {
    const { id: emailId } = await newEmail(console);
    const id = await newJourney(console, {
      name: 'Watched',
      definition: {
        entry: { event: { eventName: 'account_created' } },
        steps: [
          { id: 'pause', type: 'delay', for: 'P2D' },
          { id: 'mail', type: 'sendEmail', emailId },
          {
            ...{ id: 'imports', type: 'waitUntil', timeout: 'P5D', onTimeout: null },
            branches: [{ event: { eventName: 'data_imported' }, next: 'thanks' }],
          },
          { id: 'thanks', type: 'exit', reason: 'imported' },
        ],
      },
    });
    const page = await console.open(`journeys/${id}`);
    await page.getByRole('button', { name: 'Simulate' }).click();
    await page.getByRole('slider', { name: 'Share of people who do “data_imported”' }).focus();
    // Most people do not import, so the other branch fills too.
    for (let times = 0; times < 4; times++) await page.keyboard.press('ArrowLeft');
    await page.getByRole('button', { name: 'Run simulation' }).click();
    const clock = page.getByRole('slider', { name: 'Virtual clock' });
    await clock.waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await clock.focus();
    await page.keyboard.press('Home');
    await page.getByText('Day 1', { exact: true }).waitFor();
    expect(await node(page, 'mail').textContent()).toContain('0 entered');
    await page.keyboard.press('End');
    await expect.poll(() => node(page, 'mail').textContent()).not.toContain('0 entered');

    await page.getByRole('list', { name: 'Follow one contact' }).getByRole('button').first().click();
    const story = page.getByRole('list', { name: /^What happens to / });
    await story.getByRole('button', { name: 'View email' }).click();
    await page
      .getByRole('dialog')
      .getByText(/^Sent /)
      .waitFor();
    await expect.poll(() => previewOf(page).locator('body').textContent()).toContain('Hello');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Back to editing' }).click();

    await page.getByRole('button', { name: 'Activate' }).click();
    const dialog = page.getByRole('dialog');
    await dialog
      .getByRole('region', { name: 'Who it reaches' })
      .getByText(/did “account_created” in the last 30 days/)
      .waitFor();
    await dialog.getByRole('button', { name: 'Activate' }).click();
    await page.getByText('The journey is active.').waitFor();
    expect((await console.api('GET', `/v2/journeys/${id}`)).body.data.status).toBe('active');

    // An edit of an active journey asks what should happen to contacts on the way.
    await node(page, 'thanks').click();
    await page.getByLabel('Reason').fill('done');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Save as new version' }).click();
    await saved(page);
    expect((await console.api('GET', `/v2/journeys/${id}`)).body.data.version).toBe(2);
  });

  it('is a list of steps on a phone', async () => {
    const steps = [
      { id: 'pause', type: 'delay', for: 'P2D' },
      { id: 'out', type: 'exit' },
    ];
    const id = await newJourney(console, { name: 'In a pocket', definition: { entry: { api: true }, steps } });
    const page = await console.open(`journeys/${id}`, { width: 390 });
    const list = page.getByRole('list', { name: 'Journey steps' });
    await list.getByRole('button', { name: /^Wait\s*For 2 days/ }).click();
    await page.getByRole('dialog').getByLabel('Duration: number').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  });
});
