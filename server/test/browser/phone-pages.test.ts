// Every page is readable by everyone on a phone. On a wide screen: pages.test.ts.
import { expect, it } from 'vitest';
import { allPages } from './all-pages.js';
import { describeInBrowser, useSharedConsole } from './console.js';
import { faultsOf } from './readable.js';

const t = useSharedConsole();

describeInBrowser('every page at 390 pixels', () => {
  it('can be read by everyone', { timeout: 400_000 }, async () => {
    // A workspace without its own mail server has none to show, and Chromium reports every 404.
    const page = await t.open('', { width: 390, expects: /status of 404/ });
    const faults: string[] = [];
    for (const [at, { name, path }] of (await allPages(t)).entries()) {
      await t.show(page, path).catch(() => faults.push(`${name} is never done`));
      faults.push(...(await faultsOf(page, name, 390, at % 2 === 1)));
    }
    expect(faults).toEqual([]);
  });
});
