import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser, newEmail, useConsole } from './console.js';

const t = useConsole();
const storedSubject = async (id: string) => (await t.api('GET', `/v2/emails/${id}`)).body.data.subject;
const asks = (page: Page) => page.getByRole('dialog', { name: 'Leave without saving?' });

describeInBrowser('when two people edit', () => {
  async function conflict() {
    const email = await newEmail(t);
    const page = await t.open(email.editorUrl, { expects: /status of 412/ });
    await page.getByLabel('Subject').fill('Mine');
    expect((await t.api('PATCH', `/v2/emails/${email.id}`, { subject: 'Theirs' })).status).toBe(200);
    await page.getByRole('button', { name: 'Save' }).click();
    // The person's name, as in the history of the email.
    const { name } = (await t.api('GET', '/v2/me')).body.data.account;
    const dialog = page.getByRole('dialog', { name: `${name} saved this email first` });
    await dialog.waitFor();
    expect(await storedSubject(email.id)).toBe('Theirs');
    return { page, dialog, id: email.id };
  }

  it('the second is told who and when, sees both side by side, and may overwrite it', async () => {
    const { page, dialog, id } = await conflict();
    await dialog.getByText('Different from yours: Subject.').waitFor();
    await dialog.locator('time').getByText('just now').waitFor();
    const difference = dialog.getByRole('region', { name: 'Difference' });
    await difference.getByRole('row', { name: /Theirs.*Mine/ }).waitFor();
    await dialog.getByRole('button', { name: 'Keep mine and overwrite' }).click();
    await page.getByText('All changes saved').waitFor();
    expect(await storedSubject(id)).toBe('Mine');
  });

  it('the second may take what the first did', async () => {
    const { page, dialog, id } = await conflict();
    await dialog.getByRole('button', { name: 'Discard mine, load theirs' }).click();
    await expect.poll(() => page.getByLabel('Subject').inputValue()).toBe('Theirs');
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    expect(await storedSubject(id)).toBe('Theirs');
  });

  it('the second may go on editing, and is told again', async () => {
    const { page, dialog } = await conflict();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect(await page.getByLabel('Subject').inputValue()).toBe('Mine');
    await page.getByText('Not saved: someone else saved this email').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor();
  });
});

describeInBrowser('a save whose answer was lost', () => {
  it('is recognized at the next try, and not taken for a change by another person', async () => {
    const email = await newEmail(t);
    const page = await t.open(email.editorUrl, { expects: /status of 412|ERR_CONNECTION_RESET/ });
    let isLost = false;
    // Only the save: the page may also read the email at that moment.
    await page.route(`**/v2/emails/${email.id}`, async (route) => {
      if (isLost || route.request().method() !== 'PATCH') return route.fallback();
      isLost = true;
      await route.fetch();
      await route.abort('connectionreset');
    });
    await page.getByLabel('Subject').fill('Mine');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The service cannot be reached').waitFor();
    expect(await storedSubject(email.id)).toBe('Mine');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('All changes saved').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });
});

describeInBrowser('unsaved changes', () => {
  async function dirty() {
    const email = await newEmail(t);
    const page = await t.open('/console/outbox');
    await page.getByRole('link', { name: 'Emails' }).first().click();
    await page.getByRole('link', { name: email.name }).click();
    await page.getByLabel('Subject').fill('Not saved');
    return { page, email };
  }

  it('are asked about when a link leads away, and kept when the answer is no', async () => {
    const { page, email } = await dirty();
    await page.getByRole('link', { name: 'Outbox' }).click();
    await asks(page).getByRole('button', { name: 'Keep editing' }).click();
    expect(page.url()).toContain(email.id);
    expect(await page.getByLabel('Subject').inputValue()).toBe('Not saved');
    await page.getByRole('link', { name: 'Outbox' }).click();
    await asks(page).getByRole('button', { name: 'Leave without saving' }).click();
    await page.getByRole('heading', { level: 1, name: 'Outbox' }).waitFor();
  });

  it('are asked about when the browser goes back', async () => {
    const { page, email } = await dirty();
    await page.goBack();
    await asks(page).getByRole('button', { name: 'Keep editing' }).click();
    expect(page.url()).toContain(email.id);
    expect(await page.getByLabel('Subject').inputValue()).toBe('Not saved');
    await page.goBack();
    await asks(page).getByRole('button', { name: 'Leave without saving' }).click();
    await page.getByRole('heading', { level: 1, name: 'Emails' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/emails');
  });

  it('are asked about by the browser when the tab is closed or reloaded', async () => {
    const { page } = await dirty();
    const asked = page.waitForEvent('dialog');
    const reloading = page.reload().catch(() => undefined);
    const dialog = await asked;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.accept();
    await reloading;
  });

  it('survive a look at the other tabs of the same email', async () => {
    const { page } = await dirty();
    await page.getByRole('link', { name: 'Version log' }).click();
    await page.getByText('No versions have arrived yet').waitFor();
    await page.getByRole('link', { name: 'Content', exact: true }).click();
    expect(await page.getByLabel('Subject').inputValue()).toBe('Not saved');
  });

  it('leave no trace in the way back, however often the preview was drawn', async () => {
    const { page } = await dirty();
    for (const subject of ['a', 'b', 'c']) {
      await page.getByLabel('Subject').fill(subject);
      await expect.poll(() => page.getByTestId('preview-subject').textContent()).toBe(subject);
    }
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('All changes saved').waitFor();
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Emails' }).waitFor();
  });
});

describeInBrowser('what was typed and not saved', () => {
  it('is there again after a reload, and goes when it is saved', async () => {
    const email = await newEmail(t);
    const page = await t.open(email.editorUrl);
    await page.getByLabel('Subject').fill('Typed before');
    page.once('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await t.signIn(page);
    await page.getByText('Your unsaved changes are still here').waitFor();
    expect(await page.getByLabel('Subject').inputValue()).toBe('Typed before');
    expect(await storedSubject(email.id)).not.toBe('Typed before');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('All changes saved').waitFor();
    expect(await storedSubject(email.id)).toBe('Typed before');
    await expect.poll(() => page.evaluate('JSON.stringify(localStorage)')).not.toContain('Typed before');
  });

  it('outlives the end of a session in the middle of a save, at the same address', async () => {
    const email = await newEmail(t);
    const page = await t.open(email.editorUrl, { expects: /status of 401/ });
    await page.getByLabel('Subject').fill('Typed before');
    await page.route(`**/v2/emails/${email.id}`, (route) => route.fulfill({ status: 401 }));
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Your token no longer works').waitFor();
    expect(page.url()).toBe(email.editorUrl);
    await page.unroute(`**/v2/emails/${email.id}`);
    await t.signIn(page);
    await expect.poll(() => page.getByLabel('Subject').inputValue()).toBe('Typed before');
    // Discarded on purpose, it does not come back.
    await page.getByRole('button', { name: 'Discard' }).click();
    await expect.poll(() => page.getByLabel('Subject').inputValue()).not.toBe('Typed before');
    await page.reload();
    await t.signIn(page);
    await page.getByLabel('Subject').waitFor();
    expect(await page.getByText('Your unsaved changes are still here').count()).toBe(0);
  });

  it('meets what somebody else saved in between, instead of undoing it', async () => {
    const email = await newEmail(t);
    const page = await t.open(email.editorUrl, { expects: /status of 412/ });
    await page.getByLabel('Subject').fill('Mine');
    page.once('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await t.api('PATCH', `/v2/emails/${email.id}`, { preheader: 'Theirs' });
    await t.signIn(page);
    await expect.poll(() => page.getByLabel('Subject').inputValue()).toBe('Mine');
    expect(await page.getByLabel('Preheader').inputValue()).toBe('Theirs');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Keep mine and overwrite' }).click();
    await page.getByText('All changes saved').waitFor();
    const { subject, preheader } = (await t.api('GET', `/v2/emails/${email.id}`)).body.data;
    expect({ subject, preheader }).toEqual({ subject: 'Mine', preheader: 'Theirs' });
  });

  it('is gone for the next person once its author signed out', async () => {
    const email = await newEmail(t);
    const page = await t.open(email.editorUrl);
    await page.getByLabel('Subject').fill('Private');
    await page.getByRole('button', { name: /^Person/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await asks(page).getByRole('button', { name: 'Leave without saving' }).click();
    await page.getByLabel('Token', { exact: true }).waitFor();
    await expect.poll(() => page.evaluate('JSON.stringify(localStorage)')).not.toContain('Private');
  });
});
