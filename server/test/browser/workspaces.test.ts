// Who is signed in, in which role and workspace; and switching from one workspace to another.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { allPages } from './all-pages.js';
import { describeInBrowser, settled, useConsole } from './console.js';
import { joinAnother, joinDemo } from './people.js';

const t = useConsole();
/** A workspace without its own mail server has none to show, and Chromium reports every 404. */
const expects = /status of 404/;

const workspaceOf = (page: Page, name: string) => page.getByRole('button', { name: `Workspace: ${name}` });

async function switchTo(page: Page, from: string, to: string): Promise<void> {
  // Requests still in flight in the old workspace get a 401 once, and are sent again: Chromium reports that.
  await settled(page);
  await workspaceOf(page, from).click();
  await page.getByRole('menuitem', { name: to }).click();
  await workspaceOf(page, to).waitFor();
  await settled(page);
}

describeInBrowser('a person who belongs to two workspaces', () => {
  it('goes from a page of one to a page of the other, and meets nothing of the first there', {
    timeout: 180_000,
  }, async () => {
    const wanda = { name: 'Wanda', email: 'wanda@example.com', role: 'admin' } as const;
    const page = await t.openSignedOut('', { expects });
    await joinDemo(t, page, wanda);
    const other = await joinAnother(t, page, 'Other', { ...wanda, role: 'viewer' });
    await other.api('POST', '/v2/folders', { name: 'Only in Other' });
    const missed: string[] = [];
    page.on('response', (answer) => {
      if (answer.status() >= 400 && new URL(answer.url()).pathname !== '/v2/workspace/transport')
        missed.push(`${answer.status()} ${answer.url()}`);
    });
    await switchTo(page, 'Other', 'Demo');
    const pages = await allPages(t);
    for (const name of ['contact', 'contacts-filtered', 'dynamic-list', 'journey', 'email', 'reports-emails']) {
      const { path } = pages.find((each) => each.name === name) ?? { path: '' };
      await t.show(page, name === 'reports-emails' ? `${path}?period=7d` : path);
      expect(missed.splice(0), name).toEqual([]);
      await switchTo(page, 'Demo', 'Other');
      expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(`/console/${path.split(/[/?]/)[0]}`);
      await page.getByRole('button', { name: 'Person: Wanda' }).getByText('viewer').waitFor();
      expect(await page.getByRole('main').getByText('@example.com').count(), name).toBe(0);
      expect(missed.splice(0), name).toEqual([]);
      await switchTo(page, 'Other', 'Demo');
    }
  });

  it('finds what was typed in the workspace where it was typed', async () => {
    const tom = { name: 'Tom', email: 'tom@example.com', role: 'admin' } as const;
    const page = await t.openSignedOut('', { expects });
    await joinDemo(t, page, tom);
    await joinAnother(t, page, 'Quiet', tom);
    await switchTo(page, 'Quiet', 'Demo');
    const email = async () => {
      await t.show(page, 'contacts');
      await page.getByRole('button', { name: 'New contact' }).click();
      return page.getByRole('dialog').getByLabel('Email');
    };
    await (await email()).fill('half@example.com');
    await page.keyboard.press('Escape');
    await switchTo(page, 'Demo', 'Quiet');
    expect(await (await email()).inputValue()).toBe('');
    await page.keyboard.press('Escape');
    await switchTo(page, 'Quiet', 'Demo');
    expect(await (await email()).inputValue()).toBe('half@example.com');
  });

  it('stays where they are when the service cannot switch, and is told', async () => {
    const page = await t.openSignedOut('', { expects: /status of (404|503)/ });
    const una = { name: 'Una', email: 'una@example.com', role: 'admin' } as const;
    await joinDemo(t, page, una);
    await joinAnother(t, page, 'Busy', una);
    await page.route('**/oauth/session/workspace', (route) => route.fulfill({ status: 503 }));
    await workspaceOf(page, 'Busy').click();
    await page.getByRole('menuitem', { name: 'Demo' }).click();
    await page.getByText('The workspace could not be opened').waitFor();
    await page.unroute('**/oauth/session/workspace');
    await switchTo(page, 'Busy', 'Demo');
  });
});

describeInBrowser('a person who signs in after the session of another has ended', () => {
  it('finds nothing that the other typed; the other finds it again', async () => {
    const page = await t.openSignedOut('', { expects: /status of 40[14]/ });
    const email = async () => {
      await t.show(page, 'contacts');
      await page.getByRole('button', { name: 'New contact' }).click();
      return page.getByRole('dialog').getByLabel('Email');
    };
    const first = { name: 'Fay', email: 'fay@example.com', role: 'member' } as const;
    await joinDemo(t, page, first);
    await (await email()).fill('secret-lead@example.com');
    const hers = await page.context().cookies();
    await page.context().clearCookies();
    await joinDemo(t, page, { name: 'Gil', email: 'gil@example.com', role: 'member' });
    expect(await (await email()).inputValue()).toBe('');
    await page.context().clearCookies();
    await page.context().addCookies(hers);
    await page.reload();
    await page.getByRole('button', { name: 'Person: Fay' }).waitFor();
    expect(await (await email()).inputValue()).toBe('secret-lead@example.com');
  });
});

describeInBrowser('a person who signs in', () => {
  it('with a token is told whose it is, in which workspace and with which role', async () => {
    const page = await t.open('');
    await page.getByText('You are signed in to Demo as Demo Admin.').waitFor();
    const person = page.getByRole('button', { name: 'Person: Demo Admin' });
    await person.getByText('admin').waitFor();
    await page.getByText('Demo', { exact: true }).first().waitFor();
  });

  it('with an invitation is told the same', async () => {
    const page = await t.openSignedOut('', { expects });
    await joinDemo(t, page, { name: 'Vera', email: 'vera@example.com', role: 'viewer' });
    await page.getByRole('button', { name: 'Person: Vera' }).getByText('viewer').waitFor();
    await page.getByText('Demo', { exact: true }).first().waitFor();
  });
});
