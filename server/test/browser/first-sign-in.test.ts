// A person who was given Rapport begins: signs in with the link of the terminal, sets a password, invites a colleague, and comes back. And one
// who reads the reference tries an operation as themselves.
import { expect, it } from 'vitest';
import { describeInBrowser, useConsole } from './console.js';
import { faultsOf } from './readable.js';

const t = useConsole();
const password = 'correct horse battery staple';
/** A workspace without its own mail server has none to show, and Chromium reports every 404. */
const expects = /status of 404/;

describeInBrowser('a person who begins', () => {
  it('signs in by link, sets a password, invites a colleague who joins, and comes back with the password', async () => {
    const link = /Sign in\s+(\S+)/.exec(t.printed())?.[1] ?? '';
    const page = await t.openSignedOut(link, { expects });
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    const nudge = page.getByText('Set a password so that you can come back.');
    await nudge.waitFor();
    await page.getByRole('link', { name: 'Set a password' }).click();
    await page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor();
    await page.getByLabel('New password').fill('too short');
    await page.getByRole('button', { name: 'Set a password' }).click();
    await page.getByText('Use at least 12 characters.').waitFor();
    await page.getByLabel('New password').fill(password);
    await page.getByRole('button', { name: 'Set a password' }).click();
    await page.getByText('Your password is set.').waitFor();
    await page.getByRole('button', { name: 'Change password' }).waitFor();
    expect(await faultsOf(page, 'account', 1280, true)).toEqual([]);

    await page.keyboard.press('ControlOrMeta+k');
    await page.getByRole('textbox', { name: 'Search everything' }).fill('invite');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Email').fill('grace@example.com');
    await dialog.getByLabel(/^Member/).check();
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
    const invitation = await dialog.getByLabel('Invitation link').inputValue();
    await dialog.getByRole('button', { name: 'I have copied it' }).click();

    const hers = await t.openSignedOut(invitation, { expects });
    await hers.getByLabel('Name').fill('Grace Hopper');
    await hers.getByLabel('Choose a password').fill('another horse in the stable');
    await hers.getByRole('button', { name: 'Join' }).click();
    await hers.getByRole('button', { name: 'Person: Grace Hopper' }).getByText('member').waitFor();
    // What a member may not do is not offered.
    await hers.keyboard.press('ControlOrMeta+k');
    await hers.getByRole('textbox', { name: 'Search everything' }).fill('invite');
    await hers.getByText('No results').waitFor();

    await page.reload();
    await page.getByRole('table').getByText('Grace Hopper').waitFor();
    expect(await nudge.count()).toBe(0);
    await page.getByRole('button', { name: /^Person/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByText('You are signed out').waitFor();
    await page.getByLabel('Email address').fill('admin@example.com');
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    // Back where they were.
    await page.getByRole('table').getByText('Grace Hopper').waitFor();
  });
});

describeInBrowser('a person who reads the docs', () => {
  it('finds an operation, signs in there, tries it as themselves, and sees in the console what it did', async () => {
    const page = await t.openSignedOut('/docs', { expects });
    await page.keyboard.press('/');
    await page.keyboard.type('create a static list');
    await page.locator('nav a[href="#createList"]:visible').click();
    const operation = page.locator('#createList');
    await operation.getByRole('button', { name: /^Try it/ }).click();
    await operation.getByRole('link', { name: 'sign in' }).click();
    await page.getByLabel('Email address').fill('grace@example.com');
    await page.getByLabel('Password', { exact: true }).fill('another horse in the stable');
    await page.getByRole('button', { name: 'Sign in' }).click();

    await page.waitForURL('**/docs*#createList');
    await operation.getByRole('button', { name: /^Try it/ }).click();
    const form = operation.getByRole('form');
    await form.getByText('Grace Hopper (grace@example.com), member in Demo').waitFor();
    await form.getByLabel('JSON').fill('{"name": "Tried as Grace"}');
    await form.getByRole('button', { name: 'Send' }).click();
    const question = page.getByRole('dialog');
    await question.getByText('POST /v2/lists').waitFor();
    await question.getByText('Grace Hopper').waitFor();
    await question.getByRole('button', { name: 'Send POST' }).click();
    await form.getByText('200').first().waitFor();
    await form.locator('.answer pre').getByText('Tried as Grace').waitFor();

    await page.goto(`${t.url}/console/lists?search=Tried`);
    await page.getByRole('link', { name: 'Tried as Grace' }).waitFor();
  });
});
