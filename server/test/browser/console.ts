// The console of the built service, with its demo data, in a real browser that can reach only this machine.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, inject } from 'vitest';
import { callJson } from '../process/tenant.js';
import { executablePath, hasChromium, launchBrowser } from './chromium.js';
import { type RunningService, startDemoService } from './demo-services.js';

if (!hasChromium)
  process.stderr.write(`Browser tests are left out: there is no Chromium at ${executablePath}. Set CHROMIUM_PATH.\n`);

export const describeInBrowser = describe.skipIf(!hasChromium);
export const widths = [1280, 390] as const;
export type Width = (typeof widths)[number];

interface OpenOptions {
  width?: Width;
  colorScheme?: 'light' | 'dark';
  /** Errors that the test causes on purpose. */
  expects?: RegExp;
}

export interface Console {
  readonly url: string;
  readonly token: string;
  /** Where the service keeps its files, the operator's token among them. */
  readonly dataDir: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  api(method: string, path: string, body?: unknown): Promise<{ status: number; body: any }>;
  /** A new page, signed in, at a path of the console or a full address. */
  open(path: string, options?: OpenOptions): Promise<Page>;
  /** The same, still at the sign-in page. */
  openSignedOut(path: string, options?: OpenOptions): Promise<Page>;
  signIn(page: Page): Promise<void>;
  /** What an own service printed as it started. */
  printed(): string;
  /** Navigates to another path of the console, as a link would, and waits until its content is loaded. */
  show(page: Page, path: string): Promise<void>;
}

/** Of the service that all files share. Only for tests that leave the demo data unchanged. */
export function useSharedConsole(): Console {
  return consoleAt(async () => ({ service: inject('sharedService'), stop: async () => undefined }));
}

/**
 * Of a separate service with its own demo data.
 * @param env additional settings of the service. Called when the tests begin.
 */
export function useConsole(env: () => Record<string, string> = () => ({})): Console {
  return consoleAt(() => startDemoService(env()));
}

type Started = RunningService & { stdout?: () => string };

function consoleAt(start: () => Promise<{ service: Started; stop(): Promise<void> }>): Console {
  let service: Started;
  let stop: () => Promise<void> = async () => undefined;
  let browser: Browser;
  let token = '';
  const contexts: BrowserContext[] = [];
  const faults: string[] = [];
  beforeAll(async () => {
    ({ service, stop } = await start());
    token = (await readFile(join(service.dataDir, 'demo-token'), 'utf8')).trim();
    browser = await launchBrowser();
  });
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
    expect(faults.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    await stop();
  });

  const openSignedOut: Console['openSignedOut'] = async (
    path,
    { width = 1280, colorScheme = 'light', expects } = {},
  ) => {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
    contexts.push(context);
    // Much longer than anything takes: a busy machine is not a failure.
    context.setDefaultTimeout(90_000);
    const note = (fault: string) => {
      if (!expects?.test(fault)) faults.push(fault);
    };
    await context.route(
      (url) => url.origin !== service.url,
      (route) => {
        const { origin, pathname, search } = new URL(route.request().url());
        if (origin === inject('demo').url) return route.continue({ url: `${service.url}${pathname}${search}` });
        note(`asked for ${route.request().url()}`);
        return route.abort();
      },
    );
    const page = await context.newPage();
    // Policy violations of the page are reported there.
    page.on('console', (message) => {
      if (message.type() === 'error') note(message.text());
    });
    page.on('pageerror', (error) => note(`${error}`));
    await page.goto(new URL(path, `${service.url}/console/`).href);
    return page;
  };
  const signIn: Console['signIn'] = async (page) => {
    await signInWith(page, token);
    // The sign-in page has a heading too.
    await page.getByLabel('Token', { exact: true }).waitFor({ state: 'hidden' });
    await page.getByRole('heading', { level: 1 }).waitFor();
  };
  return {
    get url() {
      return service.url;
    },
    get token() {
      return token;
    },
    get dataDir() {
      return service.dataDir;
    },
    api: (method, path, body) => callJson(`${service.url}${path}`, { token, method, body }),
    openSignedOut,
    signIn,
    printed: () => service.stdout?.() ?? '',
    show: async (page, path) => {
      await page.evaluate(`history.pushState(null, '', ${JSON.stringify(`/console/${path}`)})`);
      await settled(page);
    },
    open: async (path, options) => {
      const page = await openSignedOut(path, options);
      await signIn(page);
      return page;
    },
  };
}

/** The field of the sign-in page, which asks for email and password first. */
export async function tokenField(page: Page): Promise<Locator> {
  const field = page.getByLabel('Token', { exact: true });
  const other = page.getByRole('button', { name: 'Use an access token' });
  await field.or(other).waitFor();
  if (await other.isVisible()) await other.click();
  return field;
}

export async function signInWith(page: Page, token: string): Promise<void> {
  await (await tokenField(page)).fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

const unsettled = '.mantine-Skeleton-root, [aria-busy=true], .mantine-Loader-root';

/** Waits until the page has a heading and no placeholders. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await expect.poll(() => page.locator(unsettled).count(), { timeout: 60_000 }).toBe(0);
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
}

let made = 0;

/** An email of the demo tenant, made through the API. */
export async function newEmail(
  console: Console,
  changes: object = {},
): Promise<{ id: string; editorUrl: string; name: string }> {
  const { status, body } = await console.api('POST', '/v2/emails', {
    name: `Made by a test ${++made}`,
    subject: 'Hello {{first_name | default: "friend"}}',
    preheader: 'Only a test',
    html: page('<p>Hello {{first_name | default: "friend"}}</p>'),
    fromEmail: { email: 'hello@example.com', name: 'Rapport' },
    ...changes,
  });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data;
}

export function page(content: string): string {
  return `<!doctype html>\n<html lang="en"><body>\n${content}\n<p><a href="{{unsubscribe_url}}">Unsubscribe</a></p>\n</body></html>`;
}

/** The last preview that was shown. */
export function previewOf(page: Page) {
  return page.frameLocator('iframe[data-loaded]').last();
}

/** On a narrow screen the preview is behind a switch beside the editor. */
export async function showSide(page: Page, width: Width, side: 'Edit' | 'Preview'): Promise<void> {
  if (width === 390) await page.locator('label', { hasText: side }).click();
}

export async function writeHtml(page: Page, html: string): Promise<void> {
  await page.getByLabel('HTML source').click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('Backspace');
  await page.keyboard.insertText(html);
}
