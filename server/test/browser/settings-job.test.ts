// The settings as a job: a mail server that fails is mended, a webhook is corrected and tried, DNS records go to the person who runs DNS,
// and the log has all of it. The test types and clicks as a person would, and reads no API.
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterEach, expect, it } from 'vitest';
import { useReceiver } from '../receiver.js';
import { type SmtpScript, scriptedServer } from '../smtp.js';
import { describeInBrowser, useConsole } from './console.js';

// The mail server and the receiver are on this machine.
const t = useConsole(() => ({ WEBHOOK_ALLOW_PRIVATE: 'on' }));
const receiver = useReceiver();
const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

const signIn = Buffer.from('\0mailer\0hush-hush-7').toString('base64');
const script: SmtpScript = {
  extensions: ['AUTH PLAIN'],
  reply: (command) =>
    command.startsWith('AUTH') ? (command.endsWith(signIn) ? '235 2.7.0 Ok' : '535 5.7.8 Wrong password') : undefined,
};

async function choose(page: Page, label: string, option: string) {
  await page.getByRole('combobox', { name: label }).click();
  await page.getByRole('option', { name: option }).click();
}

describeInBrowser('the settings', () => {
  it('lead from a mail server that fails to one that works', async () => {
    const server = await scriptedServer(script);
    open.push(server);
    const page = await t.open('/console/settings/transport', { expects: /status of 404/ });
    await page.getByRole('button', { name: 'Use your own mail server' }).click();
    const dialog = page.getByRole('dialog', { name: 'Use your own mail server' });
    const test = dialog.getByRole('button', { name: 'Send a test email' });
    await test.click();
    await dialog.getByText('Enter the mail server’s host name').waitFor();
    await dialog.getByLabel('Host').fill('127.0.0.1');
    await dialog.getByLabel('Port').fill(String(server.port));
    await dialog.getByLabel('Username').fill('mailer');
    await dialog.getByRole('textbox', { name: 'Password' }).fill('wrong');
    await dialog.getByLabel('Test recipient').fill('ada@example.com');
    await test.click();
    await dialog.getByText(/offers no working STARTTLS/).waitFor();
    await choose(page, 'Encryption', 'STARTTLS if the server offers it');
    await test.click();
    await dialog.getByText(/refused the sign-in \(535\)\. Check the username and password/).waitFor();
    await dialog.getByText('535 5.7.8 Wrong password').waitFor();
    await dialog.getByRole('textbox', { name: 'Password' }).fill('hush-hush-7');
    await test.click();
    await dialog.getByText('It works').waitFor();
    expect(server.messages).toHaveLength(1);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved. Email now goes through this server.').waitFor();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByText('mailer', { exact: true }).waitFor();
    // The saved server is tried with its password, which the page never gets back.
    await page.getByLabel('Test recipient').fill('ada@example.com');
    await page.getByRole('button', { name: 'Send a test email' }).click();
    await page.getByText('It works').waitFor();
    expect(await page.content()).not.toContain('hush-hush-7');
  });

  it('lead from a webhook that is refused to one that arrives', async () => {
    receiver.answer = ({ path }, response) =>
      path === '/hook' ? response.end('{"thanks":true}') : response.writeHead(404).end('nothing here');
    const page = await t.open('/console/webhooks');
    await page.getByRole('button', { name: 'New webhook' }).first().click();
    const form = page.getByRole('dialog', { name: 'New webhook' });
    const wrong = receiver.url.replace('/hook', '/hok');
    await form.getByLabel('URL').fill(wrong);
    await form.getByLabel('Message bounced').check();
    await form.getByRole('button', { name: 'Create webhook' }).click();
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByRole('link', { name: wrong }).click();
    const test = page.getByRole('button', { name: 'Send a test event' });
    await test.click();
    await page.getByText(/^Status 404 after/).waitFor();
    await page.getByText('nothing here').waitFor();
    await page.getByRole('button', { name: 'Edit' }).click();
    const edit = page.getByRole('dialog', { name: 'Edit webhook' });
    await edit.getByLabel('URL').fill(receiver.url);
    await edit.getByLabel('Goal reached').check();
    await edit.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: receiver.url }).waitFor();
    await page.getByText('Message bounced, Goal reached').waitFor();
    await test.click();
    await page.getByText('The test arrived').waitFor();
    await page.getByText('{"thanks":true}').waitFor();
    const menu = async (item: string) => {
      await page.getByRole('button', { name: 'More actions for this webhook' }).click();
      await page.getByRole('menuitem', { name: item }).click();
    };
    await menu('Rotate secret');
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
    expect(await page.getByRole('textbox', { name: 'Signing secret' }).inputValue()).toMatch(/^whsec_/);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await test.click();
    await expect
      .poll(() => receiver.received.at(-1)?.headers['webhook-signature'], { timeout: 60_000 })
      .toMatch(/^v1,\S+ v1,/);
    await menu('Disable');
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
    await page.getByText('It gets no events, and none are kept').waitFor();
    await page.getByRole('button', { name: 'Enable' }).click();
    await page.getByText('Active', { exact: true }).waitFor();
  });

  it('give DNS records to the person who publishes them', async () => {
    const page = await t.open('/console/settings/domains');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: t.url });
    await page.getByRole('button', { name: 'Add a domain' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Add a domain' });
    await dialog.getByLabel('Domain').fill('mail.acme.example');
    await dialog.getByRole('button', { name: 'Add a domain' }).click();
    const card = page.getByRole('region', { name: 'mail.acme.example' });
    await card.getByRole('table', { name: 'DNS records for mail.acme.example' }).waitFor();
    await card.getByRole('button', { name: 'Copy all records' }).click();
    await card.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toMatch(/^TXT\trapport-\w+\._domainkey\.mail\.acme\.example\tv=DKIM1/m);
    expect(copied).toMatch(/^TXT\t_dmarc\.mail\.acme\.example\tv=DMARC1; p=none$/m);
    await card.getByRole('button', { name: 'Send to your DNS admin' }).click();
    const share = page.getByRole('dialog', { name: 'Share the records for mail.acme.example' });
    await share.getByRole('button', { name: 'Make a link' }).click();
    const link = await share.getByLabel('Link').inputValue();
    const colleague = await t.openSignedOut(link, { expects: /status of 404/ });
    await colleague.getByRole('heading', { name: 'DNS records for mail.acme.example' }).waitFor();
    expect(await colleague.getByLabel('Zone file').inputValue()).toContain(
      '_domainkey.mail.acme.example. 3600 IN TXT "v=DKIM1',
    );
    await share.getByRole('button', { name: 'Close', exact: true }).last().click();
    await card.getByRole('button', { name: 'Send to your DNS admin' }).click();
    await share.getByRole('button', { name: 'End the link' }).click();
    await page.getByText('The link has ended.').waitFor();
    await colleague.reload();
    await colleague.getByRole('heading', { name: 'This link no longer works' }).waitFor();
  });

  it('keep a log of it that can be taken along', async () => {
    const page = await t.open('/console/settings/audit');
    await page.getByRole('cell', { name: 'Shared DNS records' }).first().waitFor();
    await page.getByRole('cell', { name: 'Changed a webhook' }).first().waitFor();
    await page
      .getByRole('cell', { name: /^\d+ \w+ \d{4}, \d\d:\d\d:\d\d$/ })
      .first()
      .waitFor();
    await choose(page, 'Action', 'Changed the mail server');
    await expect.poll(() => page.getByRole('cell', { name: 'Changed a webhook' }).count(), { timeout: 60_000 }).toBe(0);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    const file = await readFile(await (await download).path(), 'utf8');
    const [head = '', ...lines] = file.trimEnd().split('\r\n');
    expect(head).toMatch(/^entryNo,at,accountId,account,action/);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('transport.changed');
  });
});
