// Signing in at the built service, in Chromium, over plain http on a name of a local network, where a browser sends the least about itself.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Secret, TOTP } from 'otpauth';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/db/database.js';
import { sql } from '../../src/db/sql.js';
import { makeLink } from '../../src/features/accounts/links/links.js';
import { findPerson, type PersonRow } from '../../src/features/accounts/people/queries.js';
import { confirmTotp, renewRecoveryCodes, startTotp } from '../../src/features/accounts/second-factor/second-factor.js';
import { systemClock } from '../../src/lib/clock.js';
import { openSecretBox, secretKeyFile } from '../../src/lib/secret-key.js';
import { goodPassword, makePerson, type TestPerson } from '../accounts.js';
import { makeTenant } from '../process/tenant.js';
import { launchBrowser } from './chromium.js';
import { describeInBrowser } from './console.js';
import { startDemoService } from './demo-services.js';

let browser: Browser;
let demo: Awaited<ReturnType<typeof startDemoService>>;
let service: typeof demo.service;
let db: Database;
let base: string;
let axe = '';
const contexts: BrowserContext[] = [];

beforeAll(async () => {
  demo = await startDemoService({ DEMO: 'off' });
  ({ service } = demo);
  db = openDatabase({ connectionString: demo.databaseUrl });
  base = service.url.replace('127.0.0.1', 'rapport.lan');
  browser = await launchBrowser('--host-resolver-rules=MAP rapport.lan 127.0.0.1');
  axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
});
afterEach(async () => {
  await Promise.all(contexts.splice(0).map((context) => context.close()));
});
afterAll(async () => {
  await browser?.close();
  await db?.close();
  await demo?.stop();
});

interface Look {
  width: number;
  colorScheme: 'light' | 'dark';
}

async function open(path: string, { width, colorScheme }: Look): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme });
  contexts.push(context);
  const page = await context.newPage();
  await page.goto(base + path);
  return page;
}

interface Violation {
  id: string;
  nodes: { html: string }[];
}

/** No wider than the screen, and without findings from axe-core. */
async function check(page: Page, width: number): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  await page.evaluate(axe);
  const { violations } = await page.evaluate<{ violations: Violation[] }>('axe.run()');
  expect(violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))).toEqual([]);
}

async function sendPassword(page: Page, email: string, password = goodPassword): Promise<void> {
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

const pressSignIn = (page: Page) => page.getByRole('button', { name: 'Sign in' }).first().click();

/** Gives a person a second factor. Returns their app's codes and a recovery code. */
async function giveSecondFactor(ada: TestPerson) {
  const box = await openSecretBox({ secretKey: undefined, secretKeysOld: [] }, secretKeyFile(service.dataDir));
  const now = systemClock.now();
  const { secret = '' } = (await startTotp(db, box, ada)) ?? {};
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const person = (await findPerson(db, ada.personId)) as PersonRow;
  // From the previous step: the current one must stay unused.
  const before = totp.generate({ timestamp: now.getTime() - 30_000 });
  expect(await confirmTotp(db, box, person, before, now)).toBe(true);
  const [recoveryCode = ''] = await db.transaction((tx) => renewRecoveryCodes(tx, ada.personId));
  return { code: () => totp.generate(), recoveryCode };
}

const looks: Look[] = [
  { width: 390, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
];

describe.each(looks)('at $width pixels in $colorScheme', (look) => {
  const { width } = look;
  describeInBrowser('somebody', () => {
    it('mistypes, then signs in with password and code', async () => {
      const { tenantId } = await makeTenant(service);
      const ada = await makePerson({ db }, { tenantId, email: `ada-${width}-${look.colorScheme}@example.com` });
      const { code } = await giveSecondFactor(ada);
      const page = await open('/oauth/sign-in?next=/oauth/session', look);
      await check(page, width);
      await sendPassword(page, ada.email, 'mistyped');
      await page.getByRole('alert').getByText('Incorrect email address or password').waitFor();
      expect(await page.getByLabel('Email address').inputValue()).toBe(ada.email);
      await check(page, width);
      await sendPassword(page, ada.email);
      await page.getByRole('heading', { name: 'Enter your code' }).waitFor();
      await check(page, width);
      await page.getByLabel('Code from your authenticator app').fill('000000');
      await pressSignIn(page);
      await page.getByRole('alert').waitFor();
      await page.getByLabel('Code from your authenticator app').fill(code());
      await pressSignIn(page);
      await page.waitForURL('**/oauth/session');
      expect(await page.textContent('body')).toContain(ada.email);
    });

    it('uses a recovery code, and chooses a workspace', async () => {
      const [{ tenantId }, other] = [await makeTenant(service), await makeTenant(service)];
      const ada = await makePerson({ db }, { tenantId, email: `bob-${width}-${look.colorScheme}@example.com` });
      await db.run(sql`
        insert into account (tenant_id, name, email, role, person_id)
        values (${other.tenantId}, 'Bob', ${ada.email}, 'viewer', ${ada.personId})`);
      await db.run(sql`update tenant set name = 'Second workspace' where tenant_id = ${other.tenantId}`);
      const { recoveryCode } = await giveSecondFactor(ada);
      const page = await open('/oauth/sign-in?next=/oauth/session', look);
      await sendPassword(page, ada.email);
      await page.getByText('Use a recovery code instead').click();
      await check(page, width);
      await page.getByLabel('Recovery code').fill(recoveryCode);
      await page.getByRole('button', { name: 'Sign in' }).last().click();
      await page.getByRole('heading', { name: 'Choose a workspace' }).waitFor();
      await check(page, width);
      await page.getByRole('button', { name: 'Second workspace' }).click();
      await page.waitForURL('**/oauth/session');
      expect(await page.textContent('body')).toContain('"workspace":{"tenantId"');
      await page.goto(`${base}/oauth/workspace`);
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('status').getByText('You are signed out.').waitFor();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await page.goto(`${base}/oauth/account`);
      await page.waitForURL('**/console/account');
    });

    it('follows a link once, and is led on to an app', async () => {
      const { tenantId } = await makeTenant(service);
      const ada = await makePerson({ db }, { tenantId, email: `eve-${width}-${look.colorScheme}@example.com` });
      const path = `/oauth/link?token=${await makeLink(db, ada.personId)}`;
      const page = await open(`${path}&next=/oauth/consent/none`, look);
      await check(page, width);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.waitForURL('**/oauth/consent/none');
      await page.goto(base + path);
      await page.getByRole('heading', { name: 'no longer works' }).waitFor();
      await check(page, width);
    });
  });
});

describeInBrowser('the console', () => {
  /** A person with two workspaces, in the console. */
  async function atConsole(name: string, look: Look = { width: 1280, colorScheme: 'light' }) {
    const [first, second] = [await makeTenant(service), await makeTenant(service)];
    const ada = await makePerson({ db }, { ...first, email: `${name}@example.com`, name: 'Ada' });
    await db.run(sql`
      insert into account (tenant_id, name, email, role, person_id)
      values (${second.tenantId}, 'Ada', ${ada.email}, 'viewer', ${ada.personId})`);
    await db.run(sql`update tenant set name = 'First' where tenant_id = ${first.tenantId}`);
    await db.run(sql`update tenant set name = 'Second' where tenant_id = ${second.tenantId}`);
    const page = await open('/console/outbox', look);
    await sendPassword(page, ada.email);
    await page.getByRole('button', { name: 'First' }).click();
    await page.getByRole('heading', { level: 1, name: 'Outbox' }).waitFor();
    return { page, ada };
  }

  it('takes a person who signed in back to where the link led, says who and where, and goes to another workspace', async () => {
    const { page } = await atConsole('console-1');
    expect(new URL(page.url()).pathname).toBe('/console/outbox');
    await page.getByText('The outbox is empty').waitFor();
    const person = page.getByRole('button', { name: 'Person: Ada' });
    await person.getByText('admin').waitFor();
    await page.getByRole('button', { name: 'Workspace: First' }).click();
    await page.getByRole('menuitem', { name: 'Second' }).click();
    await person.getByText('viewer').waitFor();
    await page.reload();
    await person.getByText('viewer').waitFor();
    await page.getByRole('button', { name: 'Workspace: Second' }).waitFor();
    await page.getByText('The outbox is empty').waitFor();
    expect(await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie])')).not.toContain(
      'rpt_web_',
    );
  });

  it('goes on with a new token when the last has ended, in the workspace that the tab shows', async () => {
    const { page, ada } = await atConsole('console-2');
    await db.run(
      sql`update access_token set revoked_at = now() where tenant_id = ${ada.tenantId} and kind = 'session'`,
    );
    await db.run(sql`update session set in_tenant_id = null where person_id = ${ada.personId}`);
    // A token revoked by hand may stay cached for up to 3 seconds.
    await page.waitForTimeout(3500);
    await page.getByRole('link', { name: 'Emails' }).click();
    await page.getByText('No emails yet').waitFor();
    await page.getByRole('button', { name: 'Person: Ada' }).getByText('admin').waitFor();
  });

  it('asks to sign in again, with the reason, once the session has ended elsewhere; and signs out for good', async () => {
    const { page, ada } = await atConsole('console-3', { width: 390, colorScheme: 'dark' });
    await db.run(sql`update session set ended_at = now() where person_id = ${ada.personId}`);
    await db.run(
      sql`update access_token set revoked_at = now() where tenant_id = ${ada.tenantId} and kind = 'session'`,
    );
    await page.waitForTimeout(3500);
    await page.getByRole('button', { name: 'Open menu' }).click();
    await page.getByRole('link', { name: 'Emails' }).click();
    await page.getByText('Your session has ended').waitFor();
    await page.getByText(`You were signed in to First as ${ada.email}.`).waitFor();
    await check(page, 390);
    await sendPassword(page, ada.email);
    await page.getByRole('heading', { level: 1, name: 'Emails' }).waitFor();
    await page.getByRole('button', { name: 'Open menu' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Person/ })
      .click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByText('You are signed out').waitFor();
    await page.reload();
    await page.getByLabel('Email address').waitFor();
    expect(await page.getByRole('status').count()).toBe(0);
  });

  it('tells a person whose pasted token has ended who they are in this browser, and goes on as them', async () => {
    const { page, ada } = await atConsole('console-4');
    await page.evaluate(`sessionStorage.setItem('rapport-token', 'rpt_pat_ended')`);
    await page.reload();
    await page.getByText(`You are signed in to First as Ada (${ada.email}).`).waitFor();
    await check(page, 1280);
    await page.getByRole('button', { name: 'Continue as Ada' }).click();
    await page.getByRole('button', { name: 'Person: Ada' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/outbox');
  });
});
