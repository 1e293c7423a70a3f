import { expect, it } from 'vitest';
import {
  describeInBrowser,
  newEmail,
  previewOf,
  showSide,
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

  it('shows a refused version with its reason on the Activity tab', async () => {
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
    await page.getByRole('link', { name: 'Activity' }).click();
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
    await page.getByRole('button', { name: `View the version of ${contact}` }).click();
    await previewOf(page).getByText('Only for one').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: `Delete the version of ${contact}` }).click();
    await page.getByRole('button', { name: 'Delete version' }).click();
    await page.getByText('Everybody gets the default').waitFor();
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
    await page.getByRole('button', { name: /Sender and name/ }).click();
    await page.getByLabel('From address').fill('me@not-approved.example');
    await page.getByRole('button', { name: 'Save' }).click();
    const address = page.getByLabel('From address');
    await expect.poll(() => address.getAttribute('aria-invalid')).toBe('true');
    await page.getByText(/not approved for sending/).waitFor();
    await address.fill('hello@example.com');
    await page.getByLabel('Name of the email').fill(taken.name);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/already exists/).waitFor();
    await expect.poll(() => page.getByLabel('Name of the email').getAttribute('aria-invalid')).toBe('true');
  });

  it('are avoided by the completion of known tokens', async () => {
    const email = await newEmail(t);
    const page = await t.open(email.editorUrl);
    await writeHtml(page, '');
    await page.keyboard.type('<p>{{first_n', { delay: 30 });
    await page.locator('.cm-tooltip-autocomplete').getByText('first_name').waitFor();
    // CodeMirror takes no answer in the first moments, lest a key that was meant for the text is swallowed.
    await page.waitForTimeout(150);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByLabel('HTML source').textContent()).toContain('<p>{{first_name}}');
  });
});
