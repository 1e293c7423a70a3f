// Journeys around the canvas, and reports, in a real browser on the demo data.
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { describeInBrowser, settled, useConsole } from './console.js';

const t = useConsole();

const journeyOf = async (query: string) => (await t.api('GET', `/v2/journeys?${query}`)).body.data[0];

describeInBrowser('the list of journeys', () => {
  it('makes a journey from a template, tags and files it, and finds it by its tag', async () => {
    const page = await t.open('/console/journeys');
    await page.getByRole('table', { name: 'Journeys' }).waitFor();
    await page.keyboard.press('c');
    const dialog = page.getByRole('dialog', { name: 'New journey' });
    await dialog.getByRole('button', { name: 'Create and edit' }).click();
    await dialog.getByText('Enter a name').waitFor();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Say hello');
    await dialog.getByRole('radio', { name: 'Onboarding' }).click();
    await dialog.getByRole('button', { name: 'Create and edit' }).click();
    await page.getByRole('heading', { level: 1, name: 'Say hello' }).waitFor();
    const made = await journeyOf('search=Say%20hello');
    const { definition } = (await t.api('GET', `/v2/journeys/${made.journeyId}`)).body.data;
    const { body } = await t.api('POST', '/v2/journeys/check', { type: made.type, definition });
    // Only its emails are still to be chosen.
    for (const { path } of body.data.faults) expect(path).toMatch(/emailId$/);

    await t.show(page, 'journeys?search=say');
    await page.getByRole('button', { name: 'Actions for Say hello' }).click();
    await page.getByRole('menuitem', { name: 'Name, tags, folder' }).click();
    const details = page.getByRole('dialog', { name: 'Say hello' });
    await details.getByPlaceholder('Type one and press Enter').fill('greetings');
    await page.keyboard.press('Enter');
    await details.getByRole('textbox', { name: 'Or a new folder' }).fill('Welcomes');
    await details.getByRole('button', { name: 'Save' }).click();
    await details.waitFor({ state: 'hidden' });
    await page.getByRole('row', { name: /Say hello.*Welcomes.*greetings/ }).waitFor();
    await t.show(page, 'journeys?tag=greetings');
    expect(await page.getByRole('table', { name: 'Journeys' }).getByRole('row').count()).toBe(2);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('row', { name: /Onboarding/ }).waitFor();
  });
});

describeInBrowser('the tabs of a journey', () => {
  it('compares two versions in words and side by side', async () => {
    const { journeyId } = await journeyOf('search=Onboarding');
    const { body } = await t.api('GET', `/v2/journeys/${journeyId}`);
    const steps = body.data.definition.steps.map((step: { id: string }) =>
      step.id === 'imports' ? { ...step, timeout: 'P10D' } : step,
    );
    const patched = await t.api('PATCH', `/v2/journeys/${journeyId}`, {
      ...{ definition: { ...body.data.definition, steps }, inFlight: 'finish' },
    });
    expect(patched.status, JSON.stringify(patched.body)).toBe(200);
    const page = await t.open(`/console/journeys/${journeyId}/versions`);
    const changes = page.getByRole('list', { name: 'What changed' });
    await changes
      .getByText(/30 days.*→.*10 days/)
      .first()
      .waitFor();
    expect(await changes.getByRole('listitem').count()).toBe(1);
    await page.getByRole('region', { name: 'Difference' }).getByText('Added: ').first().waitFor({ state: 'attached' });
  });

  it('shows who is on the way, and one of them from the beginning', async () => {
    const { journeyId } = await journeyOf('search=Onboarding');
    const page = await t.open(`/console/journeys/${journeyId}/enrolments?state=completed`);
    await page.getByRole('link', { name: 'ada@example.com' }).click();
    await page.getByRole('heading', { level: 1, name: 'ada@example.com' }).waitFor();
    const timeline = page.getByRole('region', { name: 'Timeline' }).last();
    await timeline.getByText('Entered the journey').waitFor();
    // By its name, though the service returns the id of the list.
    await timeline.getByText(/Added to Power users/).waitFor();
    await page.getByRole('link', { name: 'Why?' }).last().waitFor();
  });
});

describeInBrowser('reports', () => {
  it('keep period and switch in the address from report to report', async () => {
    const page = await t.open('/console/reports');
    await settled(page);
    await page.getByRole('combobox', { name: 'Period' }).click();
    await page.getByRole('option', { name: 'Last 7 days' }).click();
    await page.getByText('Automated', { exact: true }).click();
    await page.getByText('Automated opens', { exact: true }).first().waitFor();
    await page.getByRole('link', { name: 'Domains' }).click();
    await page.getByRole('columnheader', { name: 'Automated clicks' }).waitFor();
    expect(new URL(page.url()).search).toBe('?period=7&by=machines');
    await page.reload();
    await t.signIn(page);
    await page.getByRole('columnheader', { name: 'Automated clicks' }).waitFor();
  });

  it('show no numbers where the period ends before it starts, and all of them once it does not', async () => {
    const page = await t.open('/console/reports/emails?period=custom&from=2026-11-02&to=2026-11-01');
    await page.getByRole('heading', { name: 'The period ends before it starts' }).waitFor();
    await page.getByText('The end is before the start.').waitFor();
    expect(await page.getByRole('table').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Export' }).count()).toBe(0);
    await page.getByLabel('Until').fill('2026-11-03');
    await page.getByRole('table').waitFor();
  });

  it('ask for the days of a custom period, and draw none that is ahead', async () => {
    const page = await t.open('/console/reports?period=custom');
    await page.getByRole('heading', { name: 'Choose the days' }).waitFor();
    expect(await page.getByText('compared with').count()).toBe(0);
    const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    await page.getByLabel('From').fill(day(-9));
    await page.getByLabel('Until').fill(day(9));
    const drawn = page.getByRole('table', { name: 'Messages and engagement over time' }).locator('tbody tr');
    await expect.poll(() => drawn.count()).toBe(10);
  });

  it('name the years of the period before, where it is of another year', async () => {
    const page = await t.open('/console/reports?period=365');
    await page.getByText(/\d{4}, compared with \d+ \w+( \d{4})?\s–\s\d+ \w+ \d{4} \(days in UTC\)$/).waitFor();
  });

  it('say by the keyboard what a number means, and hand out a file', async () => {
    const page = await t.open('/console/reports/emails');
    await settled(page);
    await page.getByRole('button', { name: 'What “Delivered” means' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Messages that the provider reported').waitFor();
    await page.keyboard.press('Escape');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^emails-\d{4}-\d\d-\d\d-to-\d{4}-\d\d-\d\d\.csv$/);
    const text = await readFile(await download.path(), 'utf8');
    expect(text).toMatch(/^Email ID,Email,Sent,Delivered/);
    expect(text).toContain(',Welcome,');
  });
});
