import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { describeInBrowser, newEmail, useConsole, type Width, widths } from './console.js';

const t = useConsole();
let axe = '';
beforeAll(async () => {
  axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
});

interface Violation {
  id: string;
  impact: string;
  nodes: { html: string; failureSummary: string }[];
}

/** What axe-core finds serious or critical. The previews are not ours to judge. */
async function seriousFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  // Halfway from one colour to the other nothing has enough contrast.
  await page.evaluate('for (const each of document.getAnimations()) if (each instanceof CSSTransition) each.finish()');
  const { violations } = await page.evaluate<{ violations: Violation[] }>(
    'axe.run(document, { iframes: false, resultTypes: ["violations"] })',
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`));
}

/** In both colours of the page as it is: to bring it there once more takes longer than all else. */
async function check(page: Page, name: string, width: Width): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
    expect(await seriousFaults(page), `${name}, ${colorScheme}`).toEqual([]);
    const wide = await page.evaluate('document.documentElement.scrollWidth');
    expect(wide, `${name}, ${colorScheme}, is too wide`).toBeLessThanOrEqual(width);
  }
}

// Each begins in another colour, so that pages are opened in both.
const cases = [
  { width: widths[0], colorScheme: 'light' },
  { width: widths[1], colorScheme: 'dark' },
] as const;

describe.each(cases)('at $width pixels', (options) => {
  const { width } = options;
  describeInBrowser('no page has a serious accessibility fault or is wider than the screen', () => {
    it('sign-in, also after a refusal', async () => {
      const page = await t.openSignedOut('/console', { ...options, expects: /status of 401/ });
      await page.getByLabel('Token', { exact: true }).waitFor();
      await check(page, 'sign-in', width);
      await page.getByLabel('Token', { exact: true }).fill('not-a-token');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('The token is not accepted').waitFor();
      await check(page, 'refused sign-in', width);
    });

    it('emails, the form for a new one, nothing found', async () => {
      await newEmail(t);
      const page = await t.open('/console/emails', options);
      await page.getByRole('table', { name: 'Emails' }).waitFor();
      await check(page, 'emails', width);
      await page.getByRole('button', { name: 'New email' }).click();
      await page.getByLabel('From address').waitFor();
      await check(page, 'new email', width);
      await page.keyboard.press('Escape');
      await page.getByRole('searchbox', { name: 'Search emails' }).fill('nothing has this name');
      await page.getByText('Nothing matches').waitFor();
      await check(page, 'nothing found', width);
    });

    it('the editor, its dialogs and faults, versions and activity', async () => {
      const email = await newEmail(t);
      const [one, two] = (await t.api('GET', '/v2/contacts?pageSize=2')).body.data;
      const html = '<a href="{{unsubscribe_url}}">Unsubscribe</a>';
      await t.api('POST', '/v2/email-versions', { assetId: email.id, email: one.email, html });
      await t.api('POST', '/v2/email-versions', { assetId: email.id, email: two.email, html: '<p>No link</p>' });
      const page = await t.open(email.editorUrl, options);
      await page.getByLabel('HTML source').waitFor();
      await page.locator('iframe[data-loaded]').waitFor({ state: 'attached' });
      await check(page, 'editor', width);
      await page.getByRole('button', { name: /Sender and folder/ }).click();
      await page.getByLabel('Subject').fill('Hello {{nobody_knows}}');
      await page
        .getByText(/nobody_knows/)
        .first()
        .waitFor();
      await check(page, 'editor with a fault', width);
      await page.getByRole('button', { name: 'Send test' }).click();
      await page.getByRole('dialog').waitFor();
      await check(page, 'test send', width);
      await page.keyboard.press('Escape');
      await page.getByRole('link', { name: 'Versions' }).click();
      await page.getByText('Ready').waitFor();
      await check(page, 'versions', width);
      await page.getByRole('link', { name: 'Activity' }).click();
      await page.getByRole('cell', { name: 'Rejected' }).waitFor();
      await check(page, 'activity', width);
    });

    it('what asks before work is lost', async () => {
      const email = await newEmail(t);
      const page = await t.open(email.editorUrl, { ...options, expects: /status of 412/ });
      await page.getByLabel('Subject').fill('Mine');
      await t.api('PATCH', `/v2/emails/${email.id}`, { subject: 'Theirs' });
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('dialog').getByRole('region', { name: 'Difference' }).waitFor();
      await check(page, 'conflict', width);
      await page.keyboard.press('Escape');
      await page.getByRole('link', { name: 'Emails', exact: true }).last().click();
      await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor();
      await check(page, 'unsaved changes', width);
    });

    it('outbox and a message', async () => {
      const email = await newEmail(t);
      expect((await t.api('POST', `/v2/emails/${email.id}/test-send`, { to: 'me@example.com' })).status).toBe(200);
      const page = await t.open('/console/outbox', options);
      await check(page, 'outbox', width);
      await page.getByRole('table', { name: 'Messages' }).getByRole('link').first().click();
      await page.getByText('Reply-to').waitFor();
      await check(page, 'message', width);
      await page.locator('label', { hasText: 'Plain text' }).click();
      await check(page, 'plain text', width);
    });

    it('what is not there', async () => {
      const page = await t.open('/console/emails/nope', { ...options, expects: /status of 404/ });
      await page.getByText('Not found').waitFor();
      await check(page, 'missing email', width);
    });
  });
});
