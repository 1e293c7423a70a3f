// Home, data and settings: what an admin sets up, what a viewer sees, and what arrives while the page is open.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { callJson, makeTenant, readAdminToken } from '../process/tenant.js';
import { describeInBrowser, settled, signInWith, useConsole } from './console.js';

const t = useConsole();

describeInBrowser('home', () => {
  it('leads through the first steps of a new workspace, from one to the next', async () => {
    const tenant = await makeTenant({ url: t.url, dataDir: t.dataDir });
    const page = await openWith(tenant.token, '/console');
    await page.getByText('0 of 5 done').waitFor();
    await page.getByRole('link', { name: 'Add a domain' }).click();
    await page.getByRole('heading', { name: 'No sending domains yet' }).waitFor();
    await page.keyboard.press('c');
    const dialog = page.getByRole('dialog', { name: 'Add a domain' });
    await dialog.getByLabel('Domain').fill('not a domain');
    await page.keyboard.press('Enter');
    await dialog.getByText('Enter a domain, such as example.com').waitFor();
    await dialog.getByLabel('Domain').fill('mail.example.org');
    await page.keyboard.press('Enter');
    const card = page.getByRole('region', { name: 'mail.example.org' });
    await card.getByText('Signature (DKIM)').waitFor();
    await card.getByText(/_domainkey\.mail\.example\.org/).waitFor();
    // Without a public address, the others are placeholders.
    const copied = await card.getByRole('button', { name: /^Copy value/ }).all();
    expect(copied).toHaveLength(2);
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    await page.getByText('1 of 5 done').waitFor();
  });

  it('shows what was sent, what needs attention and the newest events once all is set up', async () => {
    const page = await t.open('/console');
    await settled(page);
    await page.getByRole('figure', { name: 'Messages and engagement over time' }).waitFor();
    await page.getByRole('region', { name: 'Needs attention' }).getByRole('listitem').first().waitFor();
    await page.getByRole('region', { name: 'Live events' }).getByRole('listitem').first().waitFor();
    expect(await page.getByText('Set up your workspace').count()).toBe(0);
    await page.getByRole('button', { name: 'What “Opened” means' }).click();
    await page.getByText(/at the first open\./).waitFor();
  });
});

describeInBrowser('events', () => {
  it('shows an event that is sent meanwhile, keeps still while paused, and goes on where it was', async () => {
    const page = await t.open('/console/events');
    await page.getByRole('table', { name: 'Latest events' }).waitFor();
    await sendEvent('arrived_live', { plan: 'team' });
    const row = page.getByRole('row', { name: /arrived_live/ });
    await row.getByText('plan: team').waitFor();
    await row.getByRole('button', { name: 'arrived_live' }).click();
    await page.getByRole('dialog', { name: 'arrived_live' }).getByText('team').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Pause' }).click();
    await sendEvent('arrived_paused');
    await page.waitForTimeout(2_500);
    expect(await page.getByRole('row', { name: /arrived_paused/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('row', { name: /arrived_paused/ }).waitFor();
    await page.getByRole('link', { name: 'Names', exact: true }).click();
    await page.getByRole('link', { name: 'arrived_live' }).click();
    await page.getByRole('row', { name: /plan/ }).getByText('team').waitFor();
  });
});

describeInBrowser('webhooks', () => {
  it('are made with words for what is missing, and show their secret once', async () => {
    const page = await t.open('/console/webhooks');
    await page.getByRole('button', { name: 'New webhook' }).first().click();
    const form = page.getByRole('dialog', { name: 'New webhook' });
    await form.getByRole('button', { name: 'Create webhook' }).click();
    await form.getByText('Enter a URL').waitFor();
    await form.getByText('Choose at least one event').waitFor();
    await form.getByLabel('URL').fill('https://example.com/rapport');
    await form.getByLabel('Message bounced').check();
    await form.getByRole('button', { name: 'Create webhook' }).click();
    const shown = page.getByRole('dialog', { name: 'Webhook created' });
    expect(await shown.getByLabel('Signing secret').inputValue()).toMatch(/^whsec_/);
    await page.keyboard.press('Escape');
    await shown.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByRole('link', { name: 'https://example.com/rapport' }).click();
    await page.getByText('No deliveries yet').waitFor();
    expect(await page.content()).not.toContain('whsec_');
    await page.getByRole('button', { name: 'More actions for this webhook' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('The webhook was deleted.').waitFor();
    expect(page.url()).toBe(`${t.url}/console/webhooks`);
  });
});

describeInBrowser('settings', () => {
  it('invite somebody with a role, and take that back', async () => {
    const page = await t.open('/console/settings/people');
    await page.getByRole('button', { name: 'Invite someone' }).click();
    const form = page.getByRole('dialog', { name: 'Invite someone' });
    await form.getByLabel('Email address').fill('new.person@example.com');
    await form.getByLabel('Viewer').check();
    await form.getByRole('button', { name: 'Invite', exact: true }).click();
    const link = page.getByLabel('Invitation link');
    expect(await link.inputValue()).toContain('/oauth/invitation?token=');
    await page.getByRole('button', { name: 'I have copied it' }).click();
    const row = page.getByRole('row', { name: /new\.person@example\.com/ });
    await row.getByText('Open').waitFor();
    await row.getByRole('button', { name: 'Actions for new.person@example.com' }).click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await row.getByText('Revoked').waitFor();
  });

  it('make a token that is shown once and works until it is revoked', async () => {
    const page = await t.open('/console/settings/tokens');
    await page.getByRole('button', { name: 'New token' }).click();
    const form = page.getByRole('dialog', { name: 'New token' });
    await form.getByRole('button', { name: 'Create token' }).click();
    await form.getByText('Enter a name for the token').waitFor();
    await form.getByLabel('Name').fill('Nightly report');
    await form.getByRole('button', { name: 'Create token' }).click();
    const token = await page.getByRole('dialog').getByLabel('Token').inputValue();
    const lists = () => callJson(`${t.url}/v2/lists`, { token });
    expect((await lists()).status).toBe(200);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    expect(await page.content()).not.toContain(token);
    const row = page.getByRole('row', { name: /Nightly report/ });
    await row.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await row.getByText('Revoked').waitFor();
    await expect.poll(async () => (await lists()).status, { timeout: 60_000 }).toBe(401);
  });

  it('show a domain that was just added before all others, with the focus on it', async () => {
    const tenant = await makeTenant({ url: t.url, dataDir: t.dataDir });
    for (const domain of ['a.example.org', 'b.example.org'])
      await callJson(`${t.url}/v2/workspace/sending-domains`, {
        token: tenant.token,
        method: 'POST',
        body: { domain },
      });
    const page = await openWith(tenant.token, '/console/settings/domains');
    await page.getByRole('region', { name: 'b.example.org' }).waitFor();
    await page.getByRole('button', { name: 'Add a domain' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Add a domain' });
    await dialog.getByLabel('Domain').fill('z.example.org');
    await page.keyboard.press('Enter');
    const card = page.getByRole('region', { name: 'z.example.org' });
    await page.locator(':focus').getByRole('region', { name: 'z.example.org' }).waitFor();
    const top = async (name: string) => (await page.getByRole('region', { name }).boundingBox())?.y ?? -1;
    expect(await top('z.example.org')).toBeLessThan(await top('a.example.org'));
    const { y = -1 } = (await card.boundingBox()) ?? {};
    expect(y).toBeGreaterThanOrEqual(0);
    expect(y).toBeLessThan(page.viewportSize()?.height ?? 0);
  });

  it('show the redirect URL of single sign-on before there is a provider', async () => {
    const page = await t.open('/console/settings/sso');
    await page.getByRole('button', { name: 'Add a provider' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/\/oauth\/sso\/\d+\/callback$/).waitFor();
    await dialog.getByRole('button', { name: 'Copy' }).waitFor();
  });

  it('name what the audit log is about, also what is gone', async () => {
    const { tokenId } = (await t.api('POST', '/v2/tokens', { name: 'Short-lived sync', scopes: ['READ'] })).body.data;
    await t.api('DELETE', `/v2/tokens/${tokenId}`);
    const page = await t.open('/console/settings/audit?action=token.revoked');
    await page.getByRole('row', { name: /Short-lived sync/ }).waitFor();
  });

  it('mark a test send, in the list and on its page', async () => {
    const [email] = (await t.api('GET', '/v2/emails')).body.data;
    const sent = await t.api('POST', `/v2/emails/${email.emailId}/test-send`, { to: 'tester@example.com' });
    expect(sent.status).toBe(200);
    const page = await t.open('/console/messages?search=tester@example.com');
    const row = page.getByRole('row', { name: /tester@example\.com/ }).first();
    await row.getByText('Test', { exact: true }).waitFor();
    await row.click();
    await page.waitForURL(/\/messages\/[^/?]+$/);
    await page.locator('header').getByText('Test', { exact: true }).first().waitFor();
  });

  it('can be read by a viewer, who is offered nothing that would be refused', async () => {
    const page = await openWith(await viewerToken(), '/console/settings');
    await page.getByText('Only admins can change this.').waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
    for (const [tab, text, action] of [
      ['People', 'Demo Admin', 'Invite someone'],
      ['Sending domains', 'Signature (DKIM)', 'Add a domain'],
      ['Tokens', 'Seen by a test', 'New token'],
      ['Audit log', 'Only workspace admins can see', 'Actions'],
    ] as const) {
      await page.getByRole('link', { name: tab, exact: true }).click();
      await page.getByText(text).first().waitFor();
      expect(await page.getByRole('button', { name: action }).count(), tab).toBe(0);
    }
  });
});

async function openWith(token: string, path: string): Promise<Page> {
  const page = await t.openSignedOut(path);
  await signInWith(page, token);
  await page.getByLabel('Token', { exact: true }).waitFor({ state: 'hidden' });
  await page.getByRole('heading', { level: 1 }).waitFor();
  return page;
}

async function sendEvent(eventName: string, eventProperties: object = {}): Promise<void> {
  const { body: contacts } = await t.api('GET', '/v2/contacts?search=ada@example.com');
  const event = { eventName, eventDate: new Date().toISOString(), email: contacts.data[0].email, eventProperties };
  const { status, body } = await t.api('POST', '/v2/events', { events: [event] });
  expect(status, JSON.stringify(body)).toBe(200);
}

/** For an account that an operator creates and an admin allows to read. */
async function viewerToken(): Promise<string> {
  const operator = await readAdminToken(t.dataDir);
  const { body: me } = await t.api('GET', '/v2/me');
  const tenant = `${t.url}/admin/tenants/${me.data.workspace.tenantId}`;
  const post = async (path: string, body: object) =>
    (await callJson(`${tenant}${path}`, { token: operator, method: 'POST', body })).body.data;
  const { accountId } = await post('/accounts', { name: 'Vera Viewer', email: 'vera@example.com' });
  const { token } = await post('/tokens', { name: 'Seen by a test', scopes: ['READ'], accountId });
  expect((await t.api('PATCH', `/v2/people/${accountId}`, { role: 'viewer' })).status).toBe(200);
  return token;
}
