// People with their own accounts, in a browser: invited as the docs say, joined, and signed in by a cookie.
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { callJson, makeTenant, readAdminToken } from '../process/tenant.js';
import type { Console } from './console.js';

type Role = 'admin' | 'member' | 'viewer';

interface Invited {
  name: string;
  email: string;
  role: Role;
}

/** Invites a new person to the demo workspace. They follow the link, choose a password and are in the console. */
export async function joinDemo(t: Console, page: Page, { name, email, role }: Invited): Promise<void> {
  const { status, body } = await t.api('POST', '/v2/invitations', { email, role });
  expect(status, JSON.stringify(body)).toBe(200);
  await page.goto(body.data.link);
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Choose a password').fill('correct horse battery staple');
  await page.getByRole('button', { name: 'Join' }).click();
  await page.getByRole('button', { name: `Person: ${name}` }).waitFor();
}

/** Creates another workspace and invites the person who is signed in with this browser. */
export async function joinAnother(t: Console, page: Page, workspace: string, { email, role }: Invited) {
  const { tenantId, token } = await makeTenant(t);
  const operator = await readAdminToken(t.dataDir);
  const at = `${t.url}/admin/tenants/${tenantId}`;
  await callJson(at, { token: operator, method: 'PATCH', body: { name: workspace } });
  const { body } = await callJson(`${at}/invitations`, { token: operator, method: 'POST', body: { email, role } });
  await page.goto(body.data.link);
  await page.getByRole('button', { name: 'Join' }).click();
  await page.getByRole('button', { name: `Workspace: ${workspace}` }).waitFor();
  return {
    api: (method: string, path: string, content?: unknown) =>
      callJson(`${t.url}${path}`, { token, method, body: content }),
  };
}
