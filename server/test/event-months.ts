// Events that are stored and applied manually, month by month.
import { setTimeout as sleep } from 'node:timers/promises';
import { isLockTimeout } from '../src/db/connect.js';
import type { Database } from '../src/db/database.js';
import { sql } from '../src/db/sql.js';
import { contactApplier } from '../src/features/contacts/index.js';
import { eventApplier } from '../src/features/events/apply-events.js';
import { MonthKeeper } from '../src/features/events/months/index.js';
import { Appliers, serveTenant } from '../src/features/transactions/index.js';
import { monthStart } from '../src/lib/month.js';
import type { TenantClient, TestApp } from './app.js';

const appliers = new Appliers();
appliers.onApply(contactApplier([]));
appliers.onApply(eventApplier(() => undefined));

export async function personIn(t: TestApp, email = 'ada@x.io'): Promise<{ tenant: TenantClient; id: string }> {
  const tenant = await t.tenant();
  const reply = await tenant.post('/v1/contacts', { email });
  await serveTenant(t.db, appliers, tenant.tenantId);
  const { body } = await tenant.get(`/v1/contacts/transactions/${reply.body.data.transactionId}`);
  return { tenant, id: body.data.data.results[0].contactId };
}

/** Sends events with these dates and applies them; returns their outcomes. */
export async function store(t: TestApp, tenant: TenantClient, dates: readonly string[]) {
  const events = dates.map((eventDate) => ({ email: 'ada@x.io', eventName: eventDate, eventDate }));
  const reply = await tenant.post('/v2/events', { events });
  await serveTenant(t.db, appliers, tenant.tenantId);
  const { body } = await tenant.get(`/v2/events/transactions/${reply.body.data.transactionId}`);
  return body.data.results as { status: string; error?: string }[];
}

export async function thisMonth(db: Database): Promise<number> {
  return (await db.row(sql<{ month: number }>`select month_of(now()) as month`))?.month as number;
}

/** The tables that hold a tenant's events, each with how many. */
export async function whereEvents(db: Database, tenant: TenantClient): Promise<Record<string, number>> {
  const rows = await db.rows(sql<{ name: string; n: number }>`
    select tableoid::regclass::text as name, count(*) as n from event where tenant_id = ${tenant.tenantId} group by 1`);
  return Object.fromEntries(rows.map(({ name, n }) => [name, n]));
}

export const nameOf = (month: number) => `event_${monthStart(month).slice(0, 7).replace('-', '_')}`;
export const keeperOf = (t: TestApp, onGap: () => void = () => undefined) => new MonthKeeper(t.db, onGap);
export const datesOf = (rows: { eventDate: string }[]) => rows.map((row) => row.eventDate);
export const noon = (month: string, n = 0) => `${month}-15T12:00:00.${String(n).padStart(3, '0')}Z`;

export async function eventually(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 1000; tries++) {
    if (await isSo()) return;
    await sleep(10);
  }
  throw new Error(`Never happened: ${what}`);
}

/** As the service does it: waits for what is in the way. */
export async function patiently(job: () => Promise<void>): Promise<void> {
  await job().catch((error) => {
    if (!isLockTimeout(error)) throw error;
    return patiently(job);
  });
}
