import { expect, it } from 'vitest';
import { describeInBrowser, newEmail, tokenField, useConsole } from './console.js';
import { joinDemo } from './people.js';

const t = useConsole();

describeInBrowser('signing in', () => {
  it('lasts for the page, and for the tab when asked', async () => {
    const page = await t.open('/console/emails');
    await page.reload();
    await (await tokenField(page)).fill(t.token);
    await page.getByLabel('Keep me signed in on this tab').check();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Emails' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Emails' }).waitFor();
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain(t.token);
    await page.getByRole('button', { name: /^Person/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('status').getByText('You are signed out').waitFor();
    await page.getByLabel('Token', { exact: true }).waitFor();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
  });

  it('is asked for again, with the reason, once the token is no longer accepted', async () => {
    const page = await t.open('/console/emails', { expects: /status of 401/ });
    await page.route('**/v2/outbox*', (route) => route.fulfill({ status: 401 }));
    await page.getByRole('link', { name: 'Outbox' }).click();
    await page.getByText('Your token no longer works').waitFor();
    await page.getByText(/You were signed in to Demo as /).waitFor();
    expect(page.url()).toBe(`${t.url}/console/outbox`);
    await page.unroute('**/v2/outbox*');
    await t.signIn(page);
    await page.getByRole('heading', { level: 1, name: 'Outbox' }).waitFor();
  });

  it('waits as long as the service asks for when there are too many requests', async () => {
    const page = await t.open('/console/emails', { expects: /status of 429/ });
    let refusals = 0;
    await page.route('**/v2/outbox*', (route) =>
      refusals++ === 0 ? route.fulfill({ status: 429, headers: { 'retry-after': '1' } }) : route.continue(),
    );
    await page.getByRole('link', { name: 'Outbox' }).click();
    await page
      .getByText(/The outbox is empty|of \d+/)
      .first()
      .waitFor();
    expect(refusals).toBe(2);
  });
});

describeInBrowser('the way around', () => {
  it('makes an email, sends a test of it, and finds that in the outbox', async () => {
    const page = await t.open('/console/emails');
    await page.getByRole('button', { name: 'New email' }).click();
    const form = page.getByRole('dialog', { name: 'New email' });
    await form.getByRole('button', { name: 'Create and edit' }).click();
    for (const what of ['a name', 'a subject', 'a sender address']) await form.getByText(`Enter ${what}.`).waitFor();
    await form.getByLabel('Name', { exact: false }).first().fill('Made by hand');
    await form.getByLabel('Subject').fill('By hand');
    // At the domain that may send.
    await form.getByLabel('From address').fill('hello');
    await form.getByRole('button', { name: 'Create and edit' }).click();
    await page.getByRole('heading', { level: 1, name: 'Made by hand' }).waitFor();
    await page.getByRole('button', { name: 'Send test' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send a test email' });
    await dialog.getByLabel('To').fill('me@example.com');
    await dialog.getByRole('button', { name: 'Send test' }).click();
    await dialog.getByRole('link', { name: 'View message' }).click();
    await page.getByRole('heading', { level: 1, name: 'By hand' }).waitFor();
    await page.locator('label', { hasText: 'Plain text' }).click();
    await page.locator('pre').getByText('Unsubscribe').waitFor();
  });

  it('finds emails by name and folder, and keeps the search in the address', async () => {
    const email = await newEmail(t, { name: 'A needle in the hay' });
    const page = await t.open('/console/emails');
    await page.getByRole('searchbox', { name: 'Search emails' }).fill('NEEDLE IN');
    await expect.poll(() => page.url()).toContain('search=NEEDLE');
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    await page.getByRole('link', { name: email.name }).click();
    await page.goBack();
    await expect.poll(() => page.getByRole('searchbox', { name: 'Search emails' }).inputValue()).toBe('NEEDLE IN');
  });

  it('works with the keyboard alone: skip link, fields, save', async () => {
    const email = await newEmail(t);
    const page = await t.openSignedOut(email.editorUrl);
    await page.getByLabel('Email address').waitFor();
    const name = () => page.evaluate<string>('document.activeElement.name || document.activeElement.textContent');
    for (let i = 0; i < 10 && (await name()) !== 'Use an access token'; i++) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(name).toBe('token');
    await page.keyboard.insertText(t.token);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByLabel('HTML source').waitFor();
    await page.reload();
    await page.getByLabel('HTML source').waitFor();
    await page.keyboard.press('Tab');
    const focused = () => page.evaluate<string>('document.activeElement.textContent');
    await expect.poll(focused).toBe('Skip to content');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await expect.poll(focused).toBe('← Emails');
    for (let i = 0; i < 30 && (await page.evaluate('document.activeElement.ariaLabel')) !== 'HTML source'; i++)
      await page.keyboard.press('Tab');
    await page.keyboard.type('x');
    // Tab leaves the editor.
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.ariaLabel')).not.toBe('HTML source');
    await page.keyboard.press('ControlOrMeta+s');
    await page.getByText('All changes saved').waitFor();
    expect((await t.api('GET', `/v2/emails/${email.id}`)).body.data.html).toContain('x<!doctype');
  });

  it('asks nothing but the service, and switches between light and dark', async () => {
    const page = await t.open('/console/emails');
    const background = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    const light = await background();
    await page.locator('label', { hasText: 'Dark' }).click();
    await expect.poll(background).not.toBe(light);
    await page.locator('label', { hasText: 'System' }).click();
    await expect.poll(background).toBe(light);
  });
});

describeInBrowser('signing out', () => {
  it('says nothing of a session that is being ended, however long that takes', async () => {
    const page = await t.openSignedOut('/console/emails');
    await joinDemo(t, page, { name: 'Lea', email: 'lea@example.com', role: 'member' });
    let end = () => {};
    const slow = new Promise<void>((done) => {
      end = done;
    });
    await page.route('**/oauth/sign-out', async (route) => {
      await slow;
      await route.continue();
    });
    const isLook = (asked: { url(): string }) => new URL(asked.url()).pathname === '/oauth/session';
    let looks = 0;
    page.on('request', (request) => {
      if (isLook(request)) looks++;
    });
    await page.getByRole('button', { name: /^Person/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    expect(looks).toBe(0);
    const looked = page.waitForResponse(isLook);
    end();
    expect(await (await looked).json()).toMatchObject({ person: null });
    await page.getByLabel('Email address').waitFor();
    expect(await page.getByRole('button', { name: /^Continue as/ }).count()).toBe(0);
  });
});
