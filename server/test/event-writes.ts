// Event writes, and an app without a worker whose writes are applied manually.

import { contactApplier } from '../src/features/contacts/index.js';
import { eventApplier } from '../src/features/events/apply-events.js';
import { Appliers, serveTenant } from '../src/features/transactions/index.js';
import { userApplier } from '../src/features/users/apply-writes.js';
import type { Reply, TenantClient, TestApp } from './app.js';
import { makeContact } from './events.js';

const appliers = new Appliers();
appliers.onApply(contactApplier([]));
appliers.onApply(userApplier);
appliers.onApply(eventApplier(() => undefined));
export const poll = async (tenant: TenantClient, { body }: Reply) =>
  (await tenant.get(`/v2/events/transactions/${body.data.transactionId}`)).body.data;
export const good = { email: 'ada@x.io', eventName: 'login' };

export function eventWrites(t: TestApp, idle: TestApp) {
  const serve = (tenant: TenantClient) => serveTenant(idle.db, appliers, tenant.tenantId);

  /** A tenant with the contact that `good` names; returns the contact's id too. */
  async function tenantWithAda(): Promise<{ tenant: TenantClient; ada: string }> {
    const tenant = await t.tenant();
    return { tenant, ada: await makeContact(tenant, 'ada@x.io') };
  }

  async function idleTenantWithAda(): Promise<TenantClient> {
    const tenant = await idle.tenant();
    await tenant.post('/v1/contacts', { email: 'ada@x.io' });
    await serve(tenant);
    return tenant;
  }

  return { serve, tenantWithAda, idleTenantWithAda };
}
