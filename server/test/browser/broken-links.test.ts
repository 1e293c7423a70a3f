// Truncated, mistyped or outdated addresses: each page says so, and what to do.
import { expect, it } from 'vitest';
import { describeInBrowser, settled, useSharedConsole } from './console.js';

const t = useSharedConsole();
const expects = /status of 40[04]/;
const encoded = (filter: unknown) => encodeURIComponent(typeof filter === 'string' ? filter : JSON.stringify(filter));

describeInBrowser('a link whose filter is broken', () => {
  it.each(['audience', 'contacts'])('says so instead of showing all contacts: %s', async (path) => {
    const page = await t.open('', { expects });
    for (const filter of ['{', '[]', '"pro"', { all: 'x' }, { all: [5] }, { nonsense: true }]) {
      await t.show(page, `${path}?filter=${encoded(filter)}`);
      const said = page.getByRole('alert').filter({ hasText: 'This link is broken' });
      await said.waitFor();
      expect(await page.getByText('Every contact').count(), JSON.stringify(filter)).toBe(0);
      expect(await page.getByText('No conditions: matches everyone').count(), JSON.stringify(filter)).toBe(0);
    }
    await page.getByRole('button', { name: 'Start without it' }).click();
    await expect.poll(() => new URL(page.url()).search).toBe('');
    await settled(page);
    expect(await page.getByText('This link is broken').count()).toBe(0);
  });
});

const nobody = 'f'.repeat(24);

describeInBrowser('an address that leads nowhere', () => {
  it('has a heading, and says that there is no such page', async () => {
    const page = await t.open('', { expects });
    const journey = (await t.api('GET', '/v2/journeys')).body.data[0].journeyId;
    const email = (await t.api('GET', '/v2/emails')).body.data[0].id;
    const contact = (await t.api('GET', '/v2/contacts')).body.data[0].id;
    const list = (await t.api('GET', '/v2/lists?type=dynamic')).body.data[0].dynamicListId;
    const tabs = ['reports', 'events', 'settings', `journeys/${journey}`, `emails/${email}`].concat(
      `contacts/${contact}`,
      `lists/dynamic/${list}`,
    );
    for (const path of ['nowhere', 'reports/overview/more', ...tabs.map((each) => `${each}/nope`)]) {
      await t.show(page, path);
      await page.getByText('Page not found').waitFor();
      expect(await page.getByRole('heading', { level: 1 }).count(), path).toBe(1);
    }
  });

  it('has a heading, and says that the thing is not found', { timeout: 120_000 }, async () => {
    const page = await t.open('', { expects });
    const things = ['contacts', 'organizations', 'lists/static', 'lists/dynamic', 'journeys', 'emails', 'messages'];
    for (const id of [nobody, 'nope'])
      for (const thing of [...things, 'outbox', 'imports', 'webhooks', `journeys/${nobody}/enrolments`]) {
        await t.show(page, `${thing}/${id}`);
        await page.getByRole('alert').getByText('Not found').first().waitFor();
        expect(await page.getByRole('heading', { level: 1 }).count(), `${thing}/${id}`).toBe(1);
      }
  });
});
