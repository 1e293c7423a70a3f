// Every page is readable by everyone, fits the screen, and requests everything it shows at once. On a phone: phone-pages.test.ts.
import { expect, it } from 'vitest';
import { allPages } from './all-pages.js';
import { describeInBrowser, settled, useSharedConsole } from './console.js';
import { faultsOf, isEvery } from './readable.js';
import { wavesOf } from './waves.js';

const t = useSharedConsole();
/** What the fields say is previewed, and what the rows name is called: it is known only when they are. */
const followUps = [/^POST \/v2\/workspace\/branding\/preview$/, /^GET \/v2\/organizations\/[^/]+$/];

describeInBrowser('every page at 1280 pixels', () => {
  it('can be read by everyone, and asks for nothing only after it got something else', {
    timeout: 400_000,
  }, async () => {
    // A workspace without its own mail server has none to show, and Chromium reports every 404.
    const page = await t.open('', { expects: /status of 404/ });
    // Kept for the tab, so that each page can be reloaded.
    await page.addInitScript(`if (self === top) sessionStorage.setItem('rapport-token', ${JSON.stringify(t.token)})`);
    const faults: string[] = [];
    for (const [at, { name, path, kind }] of (await allPages(t)).entries()) {
      if (kind || isEvery) {
        const [, ...later] = await wavesOf(page, `${t.url}/console/${path}`);
        faults.push(
          ...later
            .filter((wave) => !wave.every((asked) => followUps.some((one) => one.test(asked))))
            .map((wave) => `${name} asks later for ${wave.join(', ')}`),
        );
        await settled(page).catch(() => faults.push(`${name} is never done`));
      } else await t.show(page, path).catch(() => faults.push(`${name} is never done`));
      faults.push(...(await faultsOf(page, name, 1280, at % 2 === 0)));
    }
    expect(faults).toEqual([]);
  });
});
