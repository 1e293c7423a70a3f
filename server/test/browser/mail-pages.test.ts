// The pages that mail links to, in a browser as wide as a phone.
import type { FastifyInstance } from 'fastify';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FakeLedger, trackingServer } from '../tracking.js';
import { launchBrowser } from './chromium.js';
import { describeInBrowser } from './console.js';
import { faultsOfPublicPage } from './readable.js';

let browser: Browser;
let ledger: FakeLedger;
let server: FastifyInstance;
let base: string;
const contexts: BrowserContext[] = [];

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());
beforeEach(async () => {
  ledger = new FakeLedger();
  server = trackingServer(ledger);
  server.get('/landing', { config: { area: 'open' } }, async () => 'landed');
  base = await server.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(async () => {
  await Promise.all(contexts.splice(0).map((context) => context.close()));
  await server.close();
});

type Scheme = 'light' | 'dark';

async function open(url: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 390, height: 800 }, locale: 'en-GB', ...options });
  contexts.push(context);
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

describe.each<Scheme>(['light', 'dark'])('in %s', (colorScheme) => {
  describeInBrowser('a person', () => {
    it('unsubscribes, undoes it, and comes back to the question', async () => {
      const page = await open(ledger.links(base).unsubscribe(), { colorScheme });
      expect(await faultsOfPublicPage(page)).toEqual([]);
      expect(ledger.changes).toEqual([]);
      await page.getByRole('button', { name: 'Unsubscribe' }).click();
      await page.getByRole('heading', { name: 'You are unsubscribed' }).waitFor();
      expect(await faultsOfPublicPage(page)).toEqual([]);
      expect(ledger.changes).toEqual(['unsubscribe']);
      // With the keyboard, so that the focus is visible.
      await page.keyboard.press('Tab');
      expect(await page.evaluate('getComputedStyle(document.activeElement).outlineWidth')).toBe('3px');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'You are subscribed again' }).waitFor();
      expect(await faultsOfPublicPage(page)).toEqual([]);
      expect(ledger.changes).toEqual(['unsubscribe', 'resubscribe']);
      await page.getByRole('button', { name: 'Unsubscribe after all' }).click();
      await page.getByRole('heading', { name: 'Unsubscribe?' }).waitFor();
      expect(ledger.changes).toEqual(['unsubscribe', 'resubscribe']);
    });

    it('sees an address of 254 characters on a narrow screen', async () => {
      ledger.subscription = { email: `${'x'.repeat(242)}@example.com`, isUnsubscribed: false, branding: null };
      expect(
        await faultsOfPublicPage(await open(ledger.links(base).unsubscribe(), { colorScheme, locale: 'de-AT' })),
      ).toEqual([]);
    });

    it('is told in words when a link is broken or its person is gone', async () => {
      expect(await faultsOfPublicPage(await open(`${base}/t/u/x`, { colorScheme }))).toEqual([]);
      ledger.subscription = undefined;
      const page = await open(ledger.links(base).unsubscribe(), { colorScheme, locale: 'fr-CH' });
      await page.getByRole('heading', { name: 'Il n’y a plus rien ici' }).waitFor();
      expect(await faultsOfPublicPage(page)).toEqual([]);
    });
  });
});

describeInBrowser('a person whose browser runs no scripts', () => {
  it('unsubscribes and undoes it', async () => {
    const page = await open(ledger.links(base).unsubscribe(), { javaScriptEnabled: false });
    await page.getByRole('button', { name: 'Unsubscribe' }).click();
    await page.getByRole('button', { name: 'Subscribe again' }).click();
    await page.getByRole('heading', { name: 'You are subscribed again' }).waitFor();
    expect(ledger.changes).toEqual(['unsubscribe', 'resubscribe']);
  });
});

describeInBrowser('the view of a mail', () => {
  it('has links that lead on, and scripts that do not run', async () => {
    const links = ledger.links(base);
    ledger.html = `<title>before</title><p><a target="_blank" href="${links.click(0, `${base}/landing`)}">go</a></p>
      <script>document.title = 'ran'</script><img src="data:," onerror="document.title = 'ran'">`;
    const page = await open(links.view());
    expect(await page.title()).toBe('before');
    await page.getByRole('link', { name: 'go' }).click();
    await page.getByText('landed').waitFor();
    expect(page.context().pages()).toHaveLength(1);
    expect(ledger.engagements.map(({ what, linkNo }) => ({ what, linkNo }))).toEqual([{ what: 'clicked', linkNo: 0 }]);
  });
});
