// Helpers for tests of consent: topics, and what contacts chose.
import { counters } from '../src/db/counters.js';
import { bytes, sql } from '../src/db/sql.js';
import type { TenantClient } from './app.js';
import type { TestDatabase } from './database.js';

/** The id of a new topic. */
export async function makeTopic(
  tenant: TenantClient,
  name: string,
  change: Record<string, unknown> = {},
): Promise<string> {
  const reply = await tenant.post('/v2/topics', { name, byDefault: 'unsubscribed', ...change });
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.body.data.topicId;
}

/** The ids of new contacts. */
export async function makeContacts(tenant: TenantClient, ...emails: string[]): Promise<string[]> {
  const contacts = emails.map((email) => ({ email }));
  const { data } = await tenant.done(await tenant.post('/v2/contacts/batch', { contacts }));
  return data.results.map(({ contactId }: { contactId: string }) => contactId);
}

/** A contact's state for each topic, by key. */
export async function statesOf(tenant: TenantClient, contactId: string): Promise<Record<string, string>> {
  const { data } = (await tenant.get(`/v2/contacts/${contactId}/topics`)).body;
  return Object.fromEntries(data.map((row: { key: string; state: string }) => [row.key, row.state]));
}

/** Oldest first: state and source. */
export async function logOf(tenant: TenantClient, contactId: string): Promise<[string, string][]> {
  const { data } = (await tenant.get(`/v2/contacts/${contactId}/consent-log?pageSize=200`)).body;
  return data.map((row: { state: string; source: string }) => [row.state, row.source]).reverse();
}

/** Subscribed, unsubscribed, pending. */
export async function countsOf(tenant: TenantClient, topicId: string): Promise<number[]> {
  const { data } = (await tenant.get(`/v2/topics/${topicId}`)).body;
  return [data.subscribed, data.unsubscribed, data.pending];
}

/** The topics that a contact has unsubscribed from, according to its marketing activity, newest first. */
export async function leftTopics(tenant: TenantClient, contactId: string): Promise<(string | undefined)[]> {
  const { data } = (await tenant.get(`/v2/contacts/${contactId}/marketing-activity`)).body;
  return data
    .filter(({ eventName }: { eventName: string }) => eventName === 'unsubscribed')
    .map(({ topicId }: { topicId?: string }) => topicId);
}

/** A form asked the contact, who had made no choice before, or had unsubscribed in this way. */
export async function makePending(
  t: TestDatabase,
  { tenantId }: TenantClient,
  contactId: string,
  topicId: string,
  refusedBy: string | null = null,
): Promise<void> {
  await t.db.transaction(async (tx) => {
    await tx.run(sql`
      insert into contact_topic (tenant_id, contact_id, topic_id, state, since, source, refused_by)
      values (${tenantId}, ${contactId}, ${bytes(topicId)}, 'pending', now(), 'form', ${refusedBy})`);
    await tx.run(sql`
      insert into counter_delta (tenant_id, counter, delta) values (${tenantId}, ${counters.topicState(topicId, 'pending')}, 1)`);
  });
}
