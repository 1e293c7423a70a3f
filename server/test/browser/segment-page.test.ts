// Segment's own browser package, on a page of another origin: only its settings name Rapport.
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { callJson, makeTenant, readAdminToken } from '../process/tenant.js';
import { launchBrowser } from './chromium.js';
import { describeInBrowser } from './console.js';
import type { RunningService } from './demo-services.js';

const bundle = createRequire(import.meta.url).resolve('@segment/analytics-next/dist/umd/index.js');

let service: RunningService;
let shop: Server;
let browser: Browser;
let tenant: Awaited<ReturnType<typeof makeTenant>>;

beforeAll(async () => {
  service = inject('sharedService');
  tenant = await makeTenant(service);
  const script = await readFile(bundle);
  shop = createServer((request, response) => {
    const isScript = request.url === '/analytics.js';
    response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html; charset=utf-8' });
    response.end(isScript ? script : '<!doctype html><title>Shop</title><script src="/analytics.js"></script>');
  });
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
  // Not by intercepting requests: then Playwright would answer the CORS preflight instead of the service.
  browser = await launchBrowser('--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1');
});
afterAll(async () => {
  await browser?.close();
  shop?.closeAllConnections();
  shop?.close();
});

async function makePageKey(): Promise<string> {
  const made = await callJson(`${service.url}/admin/tenants/${tenant.tenantId}/tokens`, {
    token: await readAdminToken(service.dataDir),
    method: 'POST',
    body: { name: 'Web shop', scopes: ['INGEST'] },
  });
  return made.body.data.token;
}

/** Calls as in docs/segment.md: those after the first need its user, and do not wait for each other. */
async function visitShop(userId: string, deliveryStrategy: { strategy?: string; config?: object }): Promise<string[]> {
  const origin = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
  const apiKey = await makePageKey();
  const apiHost = `${new URL(service.url).host}/ingest/v1`;
  const isBatching = deliveryStrategy.strategy === 'batching';
  const integrations = { 'Segment.io': { apiKey, apiHost, protocol: 'http', deliveryStrategy } };
  const context = await browser.newContext();
  const page = await context.newPage();
  const asked: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(origin)) asked.push(`${request.method()} ${request.url().replace(service.url, '')}`);
  });
  const faults: string[] = [];
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  page.on('pageerror', (error) => faults.push(`${error}`));
  await page.goto(`${origin}/`);
  await page.evaluate(`(async () => {
    const settings = ${JSON.stringify({ writeKey: apiKey, cdnSettings: { integrations } })};
    const analytics = AnalyticsNext.AnalyticsBrowser.load(settings);
    const identified = analytics.identify('${userId}', { email: '${userId}@example.com', plan: 'pro' });
    if (${!isBatching}) await identified;
    await Promise.all([
      identified,
      analytics.track('Report Exported', { format: 'csv' }),
      analytics.page('Docs', 'Pricing', { seats: 3 }),
      analytics.group('acme', { name: 'Acme Ltd' }),
    ]);
  })()`);
  await expect
    .poll(async () => (await read('/v2/organizations/acme/members')).body.data?.map(idOf) ?? [], { timeout: 60_000 })
    .toContain(userId);
  expect(faults).toEqual([]);
  await context.close();
  return asked;
}

const read = (path: string) => callJson(`${service.url}${path}`, { token: tenant.token });
const idOf = (user: { userId: string }) => user.userId;

async function expectEffects(userId: string): Promise<void> {
  const { data: user } = (await read(`/v2/users/${userId}`)).body;
  const { data: contact } = (await read(`/v2/contacts/by-email/${userId}@example.com`)).body;
  expect(user).toMatchObject({ contactId: contact.id, properties: { plan: 'pro' } });
  expect(contact.properties).toMatchObject({ plan: 'pro' });
  const readEvents = async () => (await read(`/v2/contacts/${contact.id}/product-activity`)).body.data;
  await expect.poll(readEvents, { timeout: 60_000 }).toHaveLength(2);
  const events = await readEvents();
  expect(events).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ eventName: 'Report Exported', eventProperties: { format: 'csv' } }),
      expect.objectContaining({
        eventName: 'Page Viewed',
        eventProperties: expect.objectContaining({ category: 'Docs', name: 'Pricing', seats: 3 }),
      }),
    ]),
  );
  expect((await read('/v2/organizations/acme')).body.data).toMatchObject({ name: 'Acme Ltd' });
  expect((await read('/v2/ingest-log')).body.data).toEqual([]);
}

describeInBrowser('@segment/analytics-next on a page of another origin', () => {
  it('sends call by call, and asks no other host', async () => {
    const asked = await visitShop('ada', {});
    // The last three run in parallel: the browser decides which is sent first.
    expect(asked[0]).toBe('POST /ingest/v1/i');
    expect(asked.toSorted()).toEqual(['g', 'i', 'p', 't'].map((call) => `POST /ingest/v1/${call}`));
    await expectEffects('ada');
  });

  it('sends batches, and asks no other host', async () => {
    const asked = await visitShop('grace', { strategy: 'batching', config: { size: 4, timeout: 1000 } });
    expect(new Set(asked)).toEqual(new Set(['POST /ingest/v1/b']));
    await expectEffects('grace');
  });
});
