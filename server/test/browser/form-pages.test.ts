// Forms in a browser: on their own page, and pasted into a site of another origin; with scripts and without.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { callJson, makeTenant, readAdminToken } from '../process/tenant.js';
import { launchBrowser } from './chromium.js';
import { describeInBrowser, widths } from './console.js';
import type { RunningService } from './demo-services.js';
import { faultsOfPublicPage } from './readable.js';

let service: RunningService;
let shop: Server;
let origin: string;
let browser: Browser;
let tenant: Awaited<ReturnType<typeof makeTenant>>;
let content = '';

beforeAll(async () => {
  service = inject('sharedService');
  tenant = await makeTenant(service);
  const token = await readAdminToken(service.dataDir);
  const domains = `${service.url}/admin/tenants/${tenant.tenantId}/sending-domains`;
  await callJson(domains, { token, method: 'POST', body: { domain: 'example.com' } });
  shop = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(`<!doctype html><html lang="en"><title>Shop</title>${content}`);
  });
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
  browser = await launchBrowser('--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1');
});
afterAll(async () => {
  await browser?.close();
  shop?.closeAllConnections();
  shop?.close();
});

const api = (method: string, path: string, body?: object) =>
  callJson(service.url + path, { token: tenant.token, method, ...(body ? { body } : {}) });

interface MadeForm {
  formId: string;
  url: string;
  embed: string;
}

async function makeForm(): Promise<MadeForm> {
  const fields = [
    { property: 'email', label: 'Email', type: 'email' },
    { property: 'about', label: 'About you', type: 'textarea' },
    { property: 'size', label: 'Size', type: 'select', options: ['S', 'M'] },
    { property: 'agreed', label: 'I agree', type: 'checkbox', required: true },
    // In a page, `form.action` is this field.
    { property: 'action', label: 'What we shall do', type: 'text' },
  ];
  const form = { name: 'Newsletter', fields, topicIds: [], consentText: 'Yes, write to me.', allowedOrigins: [origin] };
  return (await api('POST', '/v2/forms', form)).body.data;
}

async function open(url: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB', ...options });
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

async function fill(page: Page, address: string): Promise<void> {
  await page.getByLabel('Email').fill(address);
  await page.getByLabel('About you').fill('Two\nlines');
  await page.getByLabel('Size').selectOption('M');
  await page.getByLabel('I agree').check();
}

const outcomeOf = async ({ formId }: MadeForm) =>
  (await api('GET', `/v2/forms/${formId}/submissions`)).body.data.map(
    ({ outcome, values }: { outcome: string; values: object }) => [outcome, values],
  );
const values = (email: string) => ({ email, about: 'Two\r\nlines', size: 'M', agreed: true });

describeInBrowser.each(widths)('the page of a form at %i pixels', (width) => {
  it.each(['light', 'dark'] as const)(
    'is readable in %s, tells what is wrong, and takes what is sent',
    async (colorScheme) => {
      const form = await makeForm();
      const page = await open(form.url, { colorScheme, viewport: { width, height: 800 } });
      expect(await faultsOfPublicPage(page)).toEqual([]);
      await fill(page, `${colorScheme}${width}@example`);
      await page.getByLabel('Email').evaluate((field) => field.setAttribute('type', 'text'));
      await page.getByLabel('Email').fill('nobody');
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByText('Please enter a valid email address.').waitFor();
      expect(await faultsOfPublicPage(page)).toEqual([]);
      expect(await page.getByLabel('About you').inputValue()).toBe('Two\nlines');
      const address = `${colorScheme}${width}@example.com`;
      await page.getByLabel('Email').fill(address);
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByRole('heading', { name: 'Thank you' }).waitFor();
      expect(await faultsOfPublicPage(page)).toEqual([]);
      expect(await outcomeOf(form)).toEqual([['accepted', values(address)]]);
      expect(await page.context().cookies()).toEqual([]);
    },
  );
});

describeInBrowser('a browser that runs no scripts', () => {
  it('is offered a mail instead of the proof', async () => {
    const form = await makeForm();
    const page = await open(form.url, { javaScriptEnabled: false, viewport: { width: 390, height: 800 } });
    await fill(page, 'plain@example.com');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('button', { name: 'Send me an email' }).click();
    await page.getByRole('heading', { name: 'Please check your inbox' }).waitFor();
    expect(await outcomeOf(form)).toEqual([['pending', values('plain@example.com')]]);
  });
});

describeInBrowser('a form on a site of another origin', () => {
  it('is sent with its proof, without a page between', async () => {
    const form = await makeForm();
    content = form.embed;
    const page = await open(origin);
    const posts: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && posts.push(request.url()));
    await fill(page, 'embed@example.com');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    expect(posts).toEqual([form.url]);
    expect(await outcomeOf(form)).toEqual([['accepted', values('embed@example.com')]]);
  });

  it('works without the script: a page asks for the proof, and answers by itself', async () => {
    const form = await makeForm();
    content = form.embed.replace(/<script.*/s, '');
    const page = await open(origin);
    await fill(page, 'bare@example.com');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    expect(await outcomeOf(form)).toEqual([['accepted', values('bare@example.com')]]);
  });
});
