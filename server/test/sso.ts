// Signing in through an identity provider.

import { expect } from 'vitest';
import { sql } from '../src/db/sql.js';
import { browser } from './accounts.js';
import type { Client, TenantClient, TestApp } from './app.js';
import type { useProvider } from './identity-provider.js';

let people = 0;

export const id = (tenant: TenantClient | undefined) => (tenant as TenantClient).tenantId;

export function ssoThrough(
  elsewhere: ReturnType<typeof useProvider>,
  t: TestApp,
  admin: () => Client,
  provider: () => { providerId: number; signInUrl: string },
) {
  const body = (change: object = {}) => ({
    ...{ name: 'Acme directory', issuer: elsewhere.url, clientId: elsewhere.clientId },
    ...{ clientSecret: elsewhere.clientSecret, domains: ['acme.example'], ...change },
  });
  const change = (fields: object, of = provider()) => admin().patch(`/v2/identity-providers/${of.providerId}`, fields);
  const startPath = (of = provider()) => new URL(of.signInUrl).pathname;

  /** A person at the provider, with an address of the domain by default. */
  function somebody(claims: object = {}): { sub: string; email: string } {
    const [sub, email] = [`sub-${++people}`, `person-${people}@acme.example`];
    elsewhere.people.set(sub, { email, email_verified: true, name: 'Some Body', ...claims });
    return { sub, email };
  }

  /** Goes there and signs in; returns the browser and the path that it is redirected to. */
  async function goThere(sub: string, { next = '', of = provider() } = {}) {
    const b = browser(t);
    const start = await b.get(startPath(of) + (next && `?next=${encodeURIComponent(next)}`));
    expect(start.status).toBe(303);
    const back = await elsewhere.signIn(start.headers.location ?? '', sub);
    return { b, back, path: back.pathname + back.search };
  }

  async function comeBack(sub: string, options = {}) {
    const { b, path } = await goThere(sub, options);
    return { b, reply: await b.get(path) };
  }

  const lastAudit = (tenantId: number) =>
    t.db.rows(sql<{ action: string; accountId: number | null; detail: string }>`
      select action, account_id as "accountId", detail from audit_entry where tenant_id = ${tenantId} order by entry_no desc limit 2`);

  return { body, change, startPath, somebody, goThere, comeBack, lastAudit };
}
