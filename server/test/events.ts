import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '../src/db/sql.js';
import { addToMonths, type MonthTally, marketingEvents } from '../src/features/events/index.js';
import { monthOf } from '../src/lib/month.js';
import type { Reply, TenantClient, TestApp } from './app.js';

interface EventPoll {
  transactionId: string;
  status: string;
  createdAt: string;
  results: { eventId: string | null; status: string; error?: string }[];
}

/** Polls a batch of events until it is DONE. Needs `work: true`. */
export async function eventsDone(tenant: TenantClient, acknowledged: Reply): Promise<EventPoll> {
  if (acknowledged.status !== 200) throw new Error(`Not acknowledged: ${acknowledged.text}`);
  const { transactionId } = acknowledged.body.data;
  for (let tries = 0; tries < 2000; tries++) {
    const { body } = await tenant.get(`/v2/events/transactions/${transactionId}`);
    if (body.data.status === 'DONE') return body.data;
    await sleep(5);
  }
  throw new Error(`${transactionId} is not done`);
}

/** Sends events and waits for their outcome. */
export async function sendEvents(tenant: TenantClient, events: unknown[] | string): Promise<EventPoll> {
  const body = typeof events === 'string' ? events : { events };
  return eventsDone(tenant, await tenant.post('/v2/events', body));
}

export const statusesOf = ({ results }: EventPoll) => results.map((row) => row.status);

/** A new contact; returns its id. */
export async function makeContact(tenant: TenantClient, email: string): Promise<string> {
  const done = await tenant.done(await tenant.post('/v1/contacts', { email }));
  return done.data.results[0].contactId;
}

/** A new product user under a contact, which is created if it does not exist; returns the contact's id. */
export async function makeUser(tenant: TenantClient, email: string, userId: string): Promise<string> {
  const done = await tenant.done(await tenant.post('/v2/users', { email, userId }));
  return done.data.results[0].contactId;
}

/** All product events of a contact, newest first, read in pages of 200. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
export async function readEvents(tenant: TenantClient, contactId: string, query = ''): Promise<any[]> {
  const rows = [];
  for (let page = 1; ; page++) {
    const path = `/v2/contacts/${contactId}/product-activity?pageSize=200&pageNumber=${page}${query}`;
    const { data, pagination } = (await tenant.get(path)).body;
    rows.push(...data);
    if (page >= pagination.totalPages) return rows;
  }
}

export interface MarketingRow {
  eventName: string;
  eventDate: string;
  journeyId?: string | null;
  journeyRunId?: string | null;
  emailId?: string | null;
  emailSubject?: string | null;
  linkUrl?: string | null;
  isMachine?: boolean;
}

/** Stores marketing activity as the mail feature does: rows, and their counts. In the order of arrival. */
export async function storeMarketing(
  t: TestApp,
  tenantId: number,
  contactId: string,
  rows: readonly MarketingRow[],
): Promise<void> {
  await t.db.transaction(async (tx) => {
    const tallies = new Map<number, MonthTally>();
    for (const row of rows) {
      const [journey, email] = [row.journeyId, row.emailId].map((id) => (id ? `\\x${id}` : null));
      await tx.run(sql`
        insert into marketing_activity (tenant_id, contact_id, event_date, event_name, journey_id, journey_run_id, email_id,
          email_subject, link_url, is_machine)
        values (${tenantId}, ${contactId}, ${row.eventDate}, ${row.eventName}, ${journey}, ${row.journeyRunId ?? null},
          ${email}, ${row.emailSubject ?? null}, ${row.linkUrl ?? null}, ${row.isMachine ?? false})`);
      const month = monthOf(row.eventDate);
      tallies.set(month, { contactId, month, events: (tallies.get(month)?.events ?? 0) + 1 });
    }
    await addToMonths(tx, marketingEvents, tenantId, [...tallies.values()]);
  });
}
