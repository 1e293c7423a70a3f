// Connects a real app in a real browser as wide as a phone: sign-in, consent, and back to the app.
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import * as client from 'openid-client';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/db/database.js';
import { insertPerson } from '../../src/features/accounts/index.js';
import { hashPassword } from '../../src/features/accounts/passwords.js';
import { insertMembership } from '../../src/features/tenants/index.js';
import { callJson, makeTenant } from '../process/tenant.js';
import { launchBrowser } from './chromium.js';
import { describeInBrowser } from './console.js';
import { startDemoService } from './demo-services.js';

const email = 'ada@example.com';
const password = 'an engine that weaves patterns';
let db: Database;
let demo: Awaited<ReturnType<typeof startDemoService>>;
let service: typeof demo.service;
let browser: Browser;
let axe = '';
let website: Server;
const contexts: BrowserContext[] = [];
const faults: string[] = [];

describeInBrowser('an app', () => {
  beforeAll(async () => {
    demo = await startDemoService();
    ({ service } = demo);
    db = openDatabase({ connectionString: demo.databaseUrl });
    const person = await insertPerson(db, { email, name: 'Ada', passwordHash: await hashPassword(password) });
    for (const role of ['admin', 'viewer'] as const) {
      const { tenantId } = await makeTenant(service);
      if (person) await insertMembership(db, { tenantId, role }, person);
    }
    website = createServer((_request, response) => response.end('welcome back'));
    await new Promise<void>((resolve) => website.listen(0, '127.0.0.1', resolve));
    browser = await launchBrowser();
    axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  });
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
    expect(faults.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    website?.close();
    await db?.close();
    await demo?.stop();
  });

  async function open(url: string, colorScheme: 'light' | 'dark'): Promise<Page> {
    const context = await browser.newContext({ viewport: { width: 390, height: 800 }, colorScheme });
    contexts.push(context);
    const page = await context.newPage();
    // Policy violations of a page are reported there.
    page.on('console', (message) => {
      if (message.type() === 'error' && !/favicon|status of 4/.test(message.text())) faults.push(message.text());
    });
    await page.goto(url);
    return page;
  }

  interface Violation {
    id: string;
    nodes: { html: string }[];
  }

  /** No wider than the screen, and without findings from axe-core. */
  async function check(page: Page, title: string): Promise<void> {
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await page.evaluate(axe);
    const { violations } = await page.evaluate<{ violations: Violation[] }>('axe.run()');
    expect(violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))).toEqual([]);
  }

  async function start() {
    const app = await client.dynamicClientRegistration(
      new URL(`${service.url}/oauth`),
      {
        ...{
          client_name: 'Pattern Weaver',
          redirect_uris: ['http://127.0.0.1/back'],
          token_endpoint_auth_method: 'none',
        },
        grant_types: ['authorization_code', 'refresh_token'],
      },
      client.None(),
      { execute: [client.allowInsecureRequests] },
    );
    const verifier = client.randomPKCECodeVerifier();
    const state = client.randomState();
    // The port is known only now.
    const redirect_uri = `http://127.0.0.1:${(website.address() as AddressInfo).port}/back`;
    const url = client.buildAuthorizationUrl(app, {
      ...{ redirect_uri, scope: 'openid email READ WRITE', state },
      ...{ code_challenge: await client.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' },
    });
    return { app, verifier, state, url: url.href };
  }

  async function signIn(page: Page): Promise<void> {
    await check(page, 'Sign in');
    await page.getByLabel('Email address').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    const chooses = page.getByRole('heading', { level: 1, name: /workspace/i });
    const asks = page.getByRole('heading', { level: 1, name: 'Connect Pattern Weaver?' });
    await chooses.or(asks).waitFor();
    if (await chooses.isVisible()) await page.getByRole('button').first().click();
  }

  it.each(['light', 'dark'] as const)(
    'is connected in %s, calls the API, refreshes, and is revoked',
    async (scheme) => {
      const { app, verifier, state, url } = await start();
      const page = await open(url, scheme);
      await signIn(page);
      await check(page, 'Connect Pattern Weaver?');
      expect(await page.getByText('in which workspace').isVisible()).toBe(true);
      await page.getByLabel(/you are an admin/).check();
      await page.getByRole('button', { name: 'Allow' }).click();
      await page.getByText('welcome back').waitFor();
      const tokens = await client.authorizationCodeGrant(app, new URL(page.url()), {
        ...{ pkceCodeVerifier: verifier, expectedState: state },
      });
      await page.goto(`${service.url}/oauth/apps`);
      await check(page, 'Connected apps');
      const lists = (token: string) => callJson(`${service.url}/v2/lists`, { token });
      expect((await lists(tokens.access_token)).status).toBe(200);
      const fresh = await client.refreshTokenGrant(app, tokens.refresh_token as string);
      expect((await lists(fresh.access_token)).status).toBe(200);
      await client.tokenRevocation(app, fresh.refresh_token as string);
      expect((await lists(fresh.access_token)).status).toBe(401);
    },
  );

  it('is told when somebody denies, and shown a page when it makes a mistake', async () => {
    const { url } = await start();
    const page = await open(url, 'light');
    await signIn(page);
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.getByText('welcome back').waitFor();
    expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied');
    await page.goto(url.replace('127.0.0.1%3A', 'evil.example%3A'));
    await check(page, 'This app can’t be connected');
  });
});
