// A page whose service fails says so, loses nothing and recovers: tested on one page of each kind.
import type { Page, Route } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { allPages, type ConsolePage } from './all-pages.js';
import { describeInBrowser, settled, useSharedConsole } from './console.js';

const t = useSharedConsole();
const kinds: ConsolePage[] = [];
beforeAll(async () => {
  // All kinds with `npm run prove -- console`.
  const few = ['window', 'detail', 'canvas', 'report', 'editor'];
  const all = (await allPages(t)).filter(({ kind }) => kind);
  kinds.push(...all.filter(({ kind = '' }) => process.env.EVERY_PAGE || few.includes(kind)));
});

// The frame asks who is signed in, not the page.
const reads = (url: URL) => url.pathname.startsWith('/v2/') && url.pathname !== '/v2/me';

const envelope = (errorCode: string, message: string) =>
  JSON.stringify({ data: null, errors: [{ errorCode, message }], meta: { status: 'FAILURE', timestamp: '' } });

async function each(expects: RegExp, trial: (page: Page, kind: ConsolePage) => Promise<void>): Promise<void> {
  // Not at any of them: data that was seen is cached for a while.
  const page = await t.open('settings/audit', { expects });
  for (const kind of kinds) {
    await away(page);
    await trial(page, kind);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  }
}

/** As a link would lead there, without waiting for its content. */
const go = (page: Page, { path }: ConsolePage) =>
  page.evaluate(`history.pushState(null, '', ${JSON.stringify(`/console/${path}`)})`);

/** A page that requests nothing. */
async function away(page: Page): Promise<void> {
  await page.evaluate("history.pushState(null, '', '/console/nowhere')");
  await page.getByText('Page not found').waitFor();
}

describeInBrowser('each kind of page', () => {
  it('says that the service failed, and shows all of itself after another try', { timeout: 240_000 }, async () => {
    await each(/status of 500/, async (page, kind) => {
      const fail = (route: Route) =>
        route.fulfill({
          status: 500,
          contentType: 'application/json',
          body: envelope('INTERNAL_ERROR', 'Something broke here.'),
        });
      await page.route(reads, fail);
      await go(page, kind);
      await page.getByText('Something broke here.').first().waitFor();
      await page.unroute(reads, fail);
      // Parts fail one by one, and each has its own retry button.
      const again = page.getByRole('button', { name: 'Try again' }).first();
      await expect
        .poll(
          async () => {
            // A button that is gone needs no click.
            await again.click({ timeout: 300 }).catch(() => undefined);
            return page.getByText('Something broke here.').count();
          },
          { timeout: 60_000 },
        )
        .toBe(0);
      await settled(page);
    });
  });

  it('waits by itself while the workspace makes too many requests', { timeout: 240_000 }, async () => {
    await each(/status of 429/, async (page, kind) => {
      const refused = new Set<string>();
      await page.route(reads, (route) => {
        const asked = `${route.request().method()} ${route.request().url()}`;
        if (refused.has(asked)) return route.continue();
        refused.add(asked);
        return route.fulfill({ status: 429, headers: { 'retry-after': '1' } });
      });
      await go(page, kind);
      await settled(page);
      expect(refused.size, kind.name).toBeGreaterThan(0);
      expect(await page.getByText('Something went wrong').count(), kind.name).toBe(0);
    });
  });

  it('says that the browser is offline, and goes on when it is not', { timeout: 300_000 }, async () => {
    await each(/ERR_INTERNET_DISCONNECTED|Failed to load/, async (page, kind) => {
      // The page's code is loaded; its data is not.
      await t.show(page, kind.path);
      await away(page);
      await page.context().setOffline(true);
      await page.getByText('You’re offline').waitFor();
      await go(page, kind);
      await page.context().setOffline(false);
      await page.getByText('You’re offline').waitFor({ state: 'hidden' });
      await settled(page);
      expect(await page.getByText('Something went wrong').count(), kind.name).toBe(0);
    });
  });

  it('says that the service is slow while it is', { timeout: 240_000 }, async () => {
    // The test's clock is a script too, and the frame of a preview runs none.
    await each(/Blocked script execution/, async (page, kind) => {
      const waiting: (() => void)[] = [];
      let isSlow = true;
      await page.route(reads, async (route) => {
        if (isSlow) await new Promise<void>((resolve) => waiting.push(resolve));
        await route.continue();
      });
      await page.clock.install();
      await go(page, kind);
      await expect.poll(() => waiting.length).toBeGreaterThan(0);
      await page.clock.fastForward(5_000);
      await page.getByText('Still loading').first().waitFor();
      await page.clock.resume();
      isSlow = false;
      for (const resume of waiting) resume();
      await settled(page);
    });
  });
});
