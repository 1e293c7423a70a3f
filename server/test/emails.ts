import { insertSendingDomain } from '../src/features/sending/index.js';
import type { TenantClient, TestApp } from './app.js';

let made = 0;

/** A tenant that may send from example.com, with contacts: each an email and its properties. */
export async function tenantWithDomain(
  t: TestApp,
  contacts: { email: string; properties?: Record<string, unknown> }[] = [],
): Promise<TenantClient> {
  const tenant = await t.tenant();
  // Without a DKIM key, which takes a moment to make and which no email needs.
  await insertSendingDomain(t.db, tenant.tenantId, 'example.com');
  if (contacts.length > 0) await tenant.done(await tenant.post('/v2/contacts/batch', { contacts }));
  return tenant;
}

/** The body of a valid email with a unique name. */
export function emailBody(change: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    name: `Email ${++made}`,
    html: '<p>Hello</p><a href="{{unsubscribe_url}}">Unsubscribe</a>',
    subject: 'Hello',
    fromEmail: { email: 'hello@example.com', name: 'Rapport' },
    ...change,
  };
}

/** The id of a new email. */
export async function makeEmail(tenant: TenantClient, change: Record<string, unknown> = {}): Promise<string> {
  const { status, body, text } = await tenant.post('/v1/emails', emailBody(change));
  if (status !== 200) throw new Error(text);
  return body.data.emailId;
}
