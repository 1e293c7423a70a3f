// The pages on which people say what they want, in a browser: preferences, unsubscribing from a topic, and the question of a mail that asks.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { eventually } from '../messages.js';
import { callJson, makeTenant, readAdminToken } from '../process/tenant.js';
import { launchBrowser } from './chromium.js';
import { describeInBrowser, widths } from './console.js';
import type { RunningService } from './demo-services.js';
import { faultsOfPublicPage } from './readable.js';

let service: RunningService;
let browser: Browser;
let tenant: Awaited<ReturnType<typeof makeTenant>>;
let emailId = '';
let formUrl = '';

const api = async (method: string, path: string, body?: object) => {
  const reply = await callJson(service.url + path, { token: tenant.token, method, ...(body ? { body } : {}) });
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply.body.data;
};

beforeAll(async () => {
  service = inject('sharedService');
  tenant = await makeTenant(service);
  const token = await readAdminToken(service.dataDir);
  const domains = `${service.url}/admin/tenants/${tenant.tenantId}/sending-domains`;
  await callJson(domains, { token, method: 'POST', body: { domain: 'example.com' } });
  browser = await launchBrowser('--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1');
  const topic = (name: string, more: object) => api('POST', '/v2/topics', { name, ...more });
  const { topicId } = await topic('Product news', {
    byDefault: 'subscribed',
    description: 'What is new, once a month.',
  });
  await topic('Tips', { byDefault: 'unsubscribed' });
  await topic(`${'Supercalifragilistic'.repeat(3)}…`, { byDefault: 'unsubscribed', description: 'x'.repeat(500) });
  await topic('Secret', { byDefault: 'unsubscribed', visibility: 'private' });
  const asks = await topic('Letters', { byDefault: 'unsubscribed', doubleOptIn: true });
  const email = {
    ...{ name: 'News', subject: 'News', fromEmail: { email: 'hello@example.com', name: 'Shop' }, topicId },
    html: '<a href="{{preferences_url}}">Preferences</a> <a href="{{unsubscribe_url}}">Unsubscribe</a>',
  };
  emailId = (await api('POST', '/v2/emails', email)).emailId;
  const fields = [{ property: 'email', label: 'Email', type: 'email' }];
  const form = { name: 'Letters', fields, topicIds: [asks.topicId], consentText: 'Yes, write to me.' };
  formUrl = (await api('POST', '/v2/forms', form)).url;
});
afterAll(() => browser?.close());

async function open(url: string, options: BrowserContextOptions): Promise<Page> {
  const page = await (await browser.newContext({ locale: 'en-GB', ...options })).newPage();
  await page.goto(url);
  return page;
}

/** The address of a link in the newest mail to somebody. */
async function linkIn(address: string, kind: 'p' | 'u' | 'y'): Promise<string> {
  const mails = () => api('GET', '/v2/outbox?pageSize=200');
  const found = await eventually(mails, (all) => all.some(({ to }: { to: string }) => to === address));
  const { messageId } = found.find(({ to }: { to: string }) => to === address);
  const { html } = await api('GET', `/v2/outbox/${encodeURIComponent(messageId)}`);
  return service.url + (new RegExp(`/t/${kind}/[\\w-]+`).exec(html)?.[0] ?? '');
}

/** A contact who got the email. */
async function reader(address: string): Promise<string> {
  await api('POST', '/v2/contacts', { email: address });
  const find = () => callJson(`${service.url}/v2/contacts/by-email/${address}`, { token: tenant.token });
  const { id } = (await eventually(find, ({ status }) => status === 200)).body.data;
  await api('POST', '/v2/messages', { emailId, contactId: id });
  return id;
}

const statesOf = async (contactId: string): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await api('GET', `/v2/contacts/${contactId}/topics`)).map((row: { key: string; state: string }) => [
      row.key,
      row.state,
    ]),
  );

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).waitFor();
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

describeInBrowser.each(widths)('at %i pixels', (width) => {
  it.each(['light', 'dark'] as const)('people choose, leave, come back and confirm in %s', async (colorScheme) => {
    const address = `${colorScheme}${width}@example.com`;
    const options = { colorScheme, viewport: { width, height: 800 } };
    const contactId = await reader(address);

    const preferences = await open(await linkIn(address, 'p'), options);
    await heading(preferences, 'Your emails');
    expect(await faultsOfPublicPage(preferences)).toEqual([]);
    expect(await preferences.getByText('Secret').count()).toBe(0);
    await preferences.getByLabel('Product news').uncheck();
    await preferences.getByLabel('Tips').check();
    await press(preferences, 'Save');
    await preferences.getByText('Your choices are saved.').waitFor();
    expect(await faultsOfPublicPage(preferences)).toEqual([]);
    expect(await statesOf(contactId)).toMatchObject({ product_news: 'unsubscribed', tips: 'subscribed' });

    const leaving = await open(await linkIn(address, 'u'), options);
    await heading(leaving, 'You are unsubscribed from Product news');
    expect(await faultsOfPublicPage(leaving)).toEqual([]);
    await press(leaving, 'Subscribe to it again');
    await heading(leaving, 'You are subscribed to Product news again');
    expect(await faultsOfPublicPage(leaving)).toEqual([]);
    await press(leaving, 'Unsubscribe after all');
    await heading(leaving, 'Unsubscribe from Product news?');
    expect(await faultsOfPublicPage(leaving)).toEqual([]);
    await press(leaving, 'Unsubscribe');
    await press(leaving, 'Unsubscribe from everything');
    await heading(leaving, 'You are unsubscribed');
    expect(await faultsOfPublicPage(leaving)).toEqual([]);
    await press(leaving, 'Subscribe again');
    await heading(leaving, 'You are subscribed again');
    expect(await statesOf(contactId)).toMatchObject({ product_news: 'unsubscribed', tips: 'subscribed' });

    const asked = `asked-${address}`;
    const form = await open(formUrl, options);
    await form.getByLabel('Email').fill(asked);
    await press(form, 'Send');
    await heading(form, 'Please check your inbox');
    expect(await faultsOfPublicPage(form)).toEqual([]);
    const question = await open(await linkIn(asked, 'y'), options);
    await heading(question, 'Please confirm');
    expect(await faultsOfPublicPage(question)).toEqual([]);
    await press(question, 'Yes, confirm');
    await heading(question, 'Thank you for confirming');
    expect(await faultsOfPublicPage(question)).toEqual([]);
    await question.goto(question.url());
    await heading(question, 'Already confirmed');
    expect(await question.context().cookies()).toEqual([]);
  });
});

describeInBrowser('a browser that runs no scripts', () => {
  it('shows and saves all of it', async () => {
    const options = { javaScriptEnabled: false, viewport: { width: 390, height: 800 } };
    const contactId = await reader('plain@example.com');
    const preferences = await open(await linkIn('plain@example.com', 'p'), options);
    await preferences.getByLabel('Tips').check();
    await press(preferences, 'Save');
    await preferences.getByText('Your choices are saved.').waitFor();
    const leaving = await open(await linkIn('plain@example.com', 'u'), options);
    await press(leaving, 'Unsubscribe');
    await heading(leaving, 'You are unsubscribed from Product news');
    expect(await statesOf(contactId)).toMatchObject({ product_news: 'unsubscribed', tips: 'subscribed' });
    const form = await open(formUrl, options);
    await form.getByLabel('Email').fill('asked-plain@example.com');
    await press(form, 'Send');
    await press(form, 'Send me an email');
    const question = await open(await linkIn('asked-plain@example.com', 'y'), options);
    await press(question, 'Yes, confirm');
    await heading(question, 'Thank you for confirming');
  });
});
