import { expect, it } from 'vitest';
import {
  describeInBrowser,
  newEmail,
  previewOf,
  showSide,
  signInWith,
  useConsole,
  page as whole,
  widths,
  writeHtml,
} from './console.js';

const t = useConsole();

describeInBrowser.each(widths)('the editor at %i pixels', (width) => {
  it('opens from editorUrl after signing in, previews what is typed, and saves it', async () => {
    const email = await newEmail(t);
    const page = await t.openSignedOut(email.editorUrl, { width });
    await t.signIn(page);
    await page.getByRole('heading', { level: 1, name: email.name }).waitFor();
    expect(page.url()).toBe(email.editorUrl);

    await showSide(page, width, 'Preview');
    await previewOf(page).getByText('Hello friend').waitFor();
    await showSide(page, width, 'Edit');
    await writeHtml(page, whole('<p>Good morning {{first_name | default: "friend"}}</p>'));
    await page.getByText('Unsaved changes').waitFor();
    await showSide(page, width, 'Preview');
    await previewOf(page).getByText('Good morning friend').waitFor();
    expect((await t.api('GET', `/v2/emails/${email.id}`)).body.data.html).not.toContain('Good morning');

    await page.keyboard.press('ControlOrMeta+s');
    await page.getByText('All changes saved').waitFor();
    expect((await t.api('GET', `/v2/emails/${email.id}`)).body.data.html).toContain('Good morning');
    await previewOf(page).getByText('Good morning friend').waitFor();
  });

  it('previews as any contact', async () => {
    const email = await newEmail(t);
    const { data } = (await t.api('GET', '/v2/contacts?pageSize=200')).body;
    const contact = data.find((each: { properties: { first_name?: string } }) => each.properties.first_name);
    const page = await t.open(email.editorUrl, { width });
    await showSide(page, width, 'Preview');
    await page.getByRole('combobox', { name: 'Preview as' }).fill(contact.email);
    await page.getByRole('option', { name: contact.email }).click();
    await previewOf(page).getByText(`Hello ${contact.properties.first_name}`).waitFor();
    await expect
      .poll(() => page.getByTestId('preview-subject').textContent())
      .toBe(`Hello ${contact.properties.first_name}`);
  });

  it('shows a refused version with its reason in the version log', async () => {
    const email = await newEmail(t);
    const { data } = (await t.api('GET', '/v2/contacts?pageSize=2')).body;
    const [good, bad] = data.map((contact: { email: string }) => contact.email);
    const html = '<p>Yours</p><a href="{{unsubscribe_url}}">Unsubscribe</a>';
    expect((await t.api('POST', '/v2/email-versions', { assetId: email.id, email: good, html })).status).toBe(200);
    const refused = await t.api('POST', '/v2/email-versions', {
      assetId: email.id,
      email: bad,
      html: '<p>No link</p>',
    });
    expect(refused.status).toBe(400);

    const page = await t.open(email.editorUrl, { width });
    await page.getByRole('link', { name: 'Version log' }).click();
    const row = page.getByRole('row', { name: bad });
    await row.getByText('Rejected').waitFor();
    expect(await row.textContent()).toContain('{{unsubscribe_url}}');
    await page.locator('label', { hasText: 'Rejected' }).click();
    await page.getByRole('row', { name: good }).waitFor({ state: 'detached' });
    expect(await page.getByRole('row').count()).toBe(2);
    expect(page.url()).toContain('outcome=rejected');
  });

  it('lists versions, shows one and deletes it', async () => {
    const email = await newEmail(t);
    const contact = (await t.api('GET', '/v2/contacts?pageSize=1')).body.data[0].email;
    const html = '<p>Only for one</p><a href="{{unsubscribe_url}}">Unsubscribe</a>';
    await t.api('POST', '/v2/email-versions', { assetId: email.id, email: contact, subject: 'For one', html });
    const page = await t.open(`${email.editorUrl}/versions`, { width });
    await page.getByRole('row', { name: contact }).getByText('Ready').waitFor();
    // Found by part of the address, ignoring case.
    await page.getByRole('searchbox', { name: 'Search versions' }).fill(contact.slice(1, 6).toUpperCase());
    await expect.poll(() => page.url()).toContain('search=');
    await page.getByRole('table', { name: 'Versions' }).getByRole('button', { name: contact }).first().click();
    await previewOf(page).getByText('Only for one').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('searchbox', { name: 'Search versions' }).fill('nobody has this');
    await page.getByText('No matching versions').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('button', { name: `Delete the version for ${contact}` }).click();
    await page.getByRole('button', { name: 'Delete version' }).click();
    await page.getByText('Everyone gets the default').waitFor();
    expect((await t.api('GET', `/v2/email-versions?assetId=${email.id}`)).body.data).toEqual([]);
  });
});

describeInBrowser('problems in an email', () => {
  it('are marked where they are while typing', async () => {
    const email = await newEmail(t);
    const page = await t.open(email.editorUrl);
    await writeHtml(page, '<p>one</p>\n<p>{{no_such_thing}}</p>\n<a href="{{unsubscribe_url}}">Unsubscribe</a>');
    const problems = page.getByRole('list', { name: 'Problems' });
    await problems.getByRole('button', { name: 'Line 2' }).waitFor();
    expect(await problems.textContent()).toContain('no_such_thing');
    expect(await page.locator('.cm-lintRange-error').textContent()).toContain('no_such_thing');
    await page.getByLabel('Subject').fill('Hello {{who_knows}}');
    await page
      .getByText(/who_knows/)
      .first()
      .waitFor();
  });

  it('that only the API knows are beside their field after saving', async () => {
    const [taken, email] = [await newEmail(t), await newEmail(t)];
    const page = await t.open(email.editorUrl, { expects: /status of 4(00|09)/ });
    await page.getByRole('button', { name: /Sender, folder and topic/ }).click();
    const address = page.getByLabel('From address');
    await address.fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Enter a sender address.').waitFor();
    // A whole address is split into local part and domain.
    await address.fill('me@not-approved.example');
    await page.getByText('not-approved.example is not approved for sending').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Not saved: fix the marked fields').waitFor();
    await expect.poll(() => address.getAttribute('aria-invalid')).toBe('true');
    await page.getByRole('combobox', { name: 'Sender domain' }).click();
    await page.getByRole('option', { name: 'example.com', exact: true }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('All changes saved').waitFor();
    const { fromEmail } = (await t.api('GET', `/v2/emails/${email.id}`)).body.data;
    expect(fromEmail.email).toBe('me@example.com');
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByLabel('Name', { exact: true }).fill(taken.name);
    await page.keyboard.press('Enter');
    await page.getByText(`“${taken.name}” is already taken`).waitFor();
    await page.getByLabel('Name', { exact: true }).fill(`${email.name}, renamed`);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: `${email.name}, renamed` }).waitFor();
  });

  it('are mended with one click where the page knows what was meant', async () => {
    const email = await newEmail(t);
    const page = await t.open(email.editorUrl);
    const subject = page.getByLabel('Subject');
    await subject.fill('Hello {{frist_name}}');
    await page.getByRole('button', { name: 'Did you mean first_name?' }).click();
    await expect.poll(() => subject.inputValue()).toBe('Hello {{first_name}}');
    await page.getByText('Contacts without first_name will see a blank.').waitFor();
    await page.getByRole('button', { name: 'Use “there” instead' }).click();
    await expect.poll(() => subject.inputValue()).toBe('Hello {{first_name | default: "there"}}');
    await expect.poll(() => page.getByTestId('preview-subject').textContent()).toBe('Hello there');
    await page.getByText('Contacts without first_name').waitFor({ state: 'detached' });
  });

  it('are avoided by the completion of known tokens', async () => {
    const email = await newEmail(t);
    const page = await t.open(email.editorUrl);
    await writeHtml(page, '');
    await page.keyboard.type('<p>{{first_n', { delay: 30 });
    await page.locator('.cm-tooltip-autocomplete').getByText('first_name').waitFor();
    // CodeMirror ignores keys for a suggestion at first, so that a key meant for the text is not swallowed.
    await page.waitForTimeout(150);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByLabel('HTML source').textContent()).toContain('<p>{{first_name}}');
  });
});

describeInBrowser('an email as a whole', () => {
  it('is duplicated, renamed, filed and deleted from the list, which shows subjects as they read', async () => {
    const email = await newEmail(t, { name: 'The original' });
    const page = await t.open('/console/emails?sort=name');
    const row = (name: string) => page.getByRole('row', { name: new RegExp(`^${name}`) });
    expect(await row('The original').textContent()).toContain('Hello friend');
    const act = async (name: string, action: string) => {
      await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
      await page.getByRole('menuitem', { name: action }).click();
    };
    await act('The original', 'Duplicate');
    await page.getByRole('heading', { level: 1, name: 'The original (copy)' }).waitFor();
    expect(page.url()).not.toContain(email.id);
    await page.getByRole('link', { name: 'Emails' }).last().click();
    await act('The original (copy)', 'Rename');
    await page.getByRole('dialog').getByLabel('Name').fill('The second');
    await page.keyboard.press('Enter');
    await row('The second').waitFor();
    await act('The second', 'Move to folder');
    await page.getByLabel('Or a new folder').fill('Drawer');
    await page.getByRole('button', { name: 'Move', exact: true }).click();
    await row('The second').getByText('Drawer').waitFor();
    // A click beside the text of a dialog is not a click on the row below it.
    expect(new URL(page.url()).pathname).toBe('/console/emails');
    await act('The second', 'Delete email');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete email' }).click();
    await row('The second').waitFor({ state: 'detached' });
  });

  it('goes out as a test with what is not saved yet', async () => {
    const email = await newEmail(t);
    const page = await t.open(email.editorUrl);
    await page.getByLabel('Subject').fill('Only a draft');
    await page.getByRole('button', { name: 'Send test' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send a test email' });
    await dialog.getByLabel('To').fill('me');
    await dialog.getByRole('button', { name: 'Send test' }).click();
    await dialog.getByText('Enter a full email address').waitFor();
    await dialog.getByLabel('To').fill('me@example.com');
    await dialog.getByRole('button', { name: 'Send test' }).click();
    await dialog.getByRole('link', { name: 'View message' }).waitFor();
    const [sent] = (await t.api('GET', '/v2/outbox')).body.data;
    expect(sent.subject).toBe('Only a draft');
    expect((await t.api('GET', `/v2/emails/${email.id}`)).body.data.subject).not.toBe('Only a draft');
  });

  it('tells its saves, what each changed, and goes back to one of them', async () => {
    const email = await newEmail(t, { subject: 'The first subject' });
    await t.api('PATCH', `/v2/emails/${email.id}`, { subject: 'The second subject' });
    const page = await t.open(`${email.editorUrl}/history`);
    const saves = page.getByRole('table', { name: 'History' });
    await saves.getByRole('row', { name: /Save 2 Current.*Subject/ }).waitFor();
    await saves.getByRole('button', { name: 'Save 2' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save 2' });
    const difference = dialog.getByRole('region', { name: 'Difference' });
    await difference.getByRole('cell', { name: 'The first subject' }).waitFor();
    await difference.getByRole('cell', { name: 'The second subject' }).waitFor();
    await page.keyboard.press('Escape');
    await saves.getByRole('button', { name: 'Save 1' }).click();
    await page.getByRole('button', { name: 'Restore this save' }).click();
    await page.getByRole('button', { name: 'Restore', exact: true }).click();
    await saves.getByRole('row', { name: /Save 3 Current.*Restored save 1/ }).waitFor();
    await page.getByRole('link', { name: 'Content', exact: true }).click();
    await expect.poll(() => page.getByLabel('Subject').inputValue()).toBe('The first subject');
    expect((await t.api('GET', `/v2/emails/${email.id}`)).body.data.subject).toBe('The first subject');
  });

  it('is shown whole, and nothing is offered that would be refused, to those who may only read', async () => {
    const email = await newEmail(t);
    const made = await t.api('POST', '/v2/tokens', { name: `reader ${email.id}`, scopes: ['READ'] });
    expect(made.status, JSON.stringify(made.body)).toBe(200);
    const page = await t.openSignedOut(email.editorUrl);
    await signInWith(page, made.body.data.token);
    await previewOf(page).getByText('Hello friend').waitFor();
    await page.getByText('View only:').waitFor();
    expect(await page.getByLabel('Subject').getAttribute('readonly')).not.toBeNull();
    await page.getByLabel('HTML source').click();
    await page.keyboard.type('x');
    expect(await page.getByLabel('HTML source').textContent()).not.toContain('x<!doctype');
    for (const name of ['Save', 'Send test', 'Rename', 'More actions', 'Insert variable'])
      expect(await page.getByRole('button', { name, exact: true }).count(), name).toBe(0);
    await page.getByRole('link', { name: 'Emails' }).last().click();
    await page.getByRole('table', { name: 'Emails' }).waitFor();
    expect(await page.getByRole('button', { name: /New email|Actions for/ }).count()).toBe(0);
  });
});
