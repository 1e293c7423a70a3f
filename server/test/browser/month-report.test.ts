// The report of a month, as a person makes it: choose the month, compare it, take the files along, and find the same figures in them.
import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser, settled, useConsole } from './console.js';

const t = useConsole();

const monthName = (at: Date) => new Intl.DateTimeFormat('en-US', { month: 'short', timeZone: 'UTC' }).format(at);
const day = (at: number) => new Date(at).toISOString().slice(0, 10);

/** The first days of this month, the one before, and the one before that. */
function months() {
  const now = new Date();
  const first = (back: number) => Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back);
  return { now, current: first(0), last: first(1), lastButOne: first(2) };
}

async function choosePeriod(page: Page, name: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Period' }).click();
  await page.getByRole('option', { name, exact: true }).click();
}

/** A figure of the overview, once its numbers are those of the period: its value, and how it changed. */
async function figure(page: Page, name: string): Promise<{ value: number; note: string }> {
  await page
    .locator('[aria-busy="false"]')
    .getByRole('button', { name: `What “${name}” means` })
    .waitFor();
  const label = page.getByRole('button', { name: `What “${name}” means` }).locator('xpath=..');
  const [value = '', note = ''] = await label.locator('xpath=following-sibling::*').allInnerTexts();
  return { value: Number(value.replaceAll(',', '')), note };
}

async function download(page: Page): Promise<{ name: string; rows: Record<string, string>[] }> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ]);
  const rows: Record<string, string>[] = parse(await readFile(await file.path(), 'utf8'), { columns: true });
  return { name: file.suggestedFilename(), rows };
}

const sum = (rows: Record<string, string>[], title: string) =>
  rows.reduce((all, row) => all + Number(row[title] ?? Number.NaN), 0);

describeInBrowser('the report of a month', () => {
  it('is compared with the month before, and its file has the same figures', async () => {
    const { now, current, last, lastButOne } = months();
    const page = await t.open('/console/reports');
    await choosePeriod(page, 'This month');
    await page
      .getByText(new RegExp(`^1\\s.*${monthName(now)}.*, compared with 1\\s.*${monthName(new Date(last))}`))
      .waitFor();
    const sent = await figure(page, 'Sent');
    const opened = await figure(page, 'Opened');
    const { name, rows } = await download(page);
    expect(name).toMatch(new RegExp(`^overview-${day(current)}(-to-\\d{4}-\\d\\d-\\d\\d)?\\.csv$`));
    expect([sum(rows, 'Sent'), sum(rows, 'Opened')]).toEqual([sent.value, opened.value]);

    await choosePeriod(page, 'Last month');
    await page
      .getByText(new RegExp(`${monthName(new Date(last))}.*, compared with 1\\s.*${monthName(new Date(lastButOne))}`))
      .waitFor();
    const before = await figure(page, 'Sent');
    // The same days, chosen by hand, are compared with the same month.
    await choosePeriod(page, 'Custom…');
    await page.getByLabel('From').fill(day(last));
    await page.getByLabel('Until').fill(day(current - 1));
    await page.getByText(new RegExp(`compared with 1\\s.*${monthName(new Date(lastButOne))}`)).waitFor();
    expect(await figure(page, 'Sent')).toEqual(before);
  });

  it('shows each email, and who reached the goals of journeys, as their files do', async () => {
    const page = await t.open('/console/reports/emails?period=this-quarter');
    await settled(page);
    const emails = await download(page);
    expect(emails.name).toMatch(/^emails-\d{4}-(01|04|07|10)-01(-to-\d{4}-\d\d-\d\d)?\.csv$/);
    for (const { Email = '', Sent = '', Opened = '' } of emails.rows) {
      const cells = await page.getByRole('row').filter({ hasText: Email }).first().getByRole('cell').allInnerTexts();
      const numbers = cells.map((text) => text.split(/\s/)[0]?.replaceAll(',', ''));
      expect(numbers).toEqual(expect.arrayContaining([Sent, Opened]));
    }

    await page.getByRole('link', { name: 'Journeys', exact: true }).last().click();
    const row = page.getByRole('row', { name: /Onboarding/ });
    await row.waitFor();
    const journeys = await download(page);
    const onboarding = journeys.rows.find(({ Journey }) => Journey?.startsWith('Onboarding'));
    const share = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });
    const reached = `${onboarding?.['Reached the goal']} ${share.format(Number(onboarding?.Conversion))}`;
    expect(onboarding?.Conversion).not.toBe('');
    expect((await row.getByRole('cell').allInnerTexts()).map((text) => text.replace(/\s+/g, ' '))).toContain(reached);
  });
});
