// Broadcasts of a tenant with a domain and an email, for tests.
import type { TenantClient, TestApp } from './app.js';
import { seedContacts } from './dynamic-lists.js';
import { makeEmail, tenantWithDomain } from './emails.js';
import { until } from './enrolments.js';

export const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
export const later = () => ({ kind: 'at', at: inAnHour() });

export interface Sender {
  tenant: TenantClient;
  emailId: string;
  /** A new static list of new contacts: its id, theirs, and their addresses. */
  listOf(people: number, properties?: Record<string, unknown>): Promise<[string, string[], string[]]>;
  create(body?: Record<string, unknown>): Promise<string>;
  // biome-ignore lint/suspicious/noExplicitAny: as the API answers it.
  read(id: string): Promise<any>;
  move(id: string, what: string): ReturnType<TenantClient['post']>;
  ended(id: string, status?: string): ReturnType<Sender['read']>;
}

let made = 0;

export async function makeSender(t: TestApp): Promise<Sender> {
  const tenant = await tenantWithDomain(t);
  const emailId = await makeEmail(tenant);
  const read: Sender['read'] = async (id) => (await tenant.get(`/v2/broadcasts/${id}`)).body.data;
  return {
    tenant,
    emailId,
    listOf: async (people, properties = {}) => {
      const emails = Array.from({ length: people }, () => `b${++made}@x.io`);
      const ids = await seedContacts(
        t,
        tenant,
        emails.map((email) => ({ email, properties })),
      );
      const { body } = await tenant.post('/v2/lists', { name: `Broadcast ${++made}` });
      await tenant.post(`/v2/lists/${body.data.staticListId}/members`, { contactIds: ids });
      return [body.data.staticListId, ids, emails];
    },
    create: async (body = {}) => {
      const { body: answer, status, text } = await tenant.post('/v2/broadcasts', { name: 'News', emailId, ...body });
      if (status !== 200) throw new Error(text);
      return answer.data.broadcastId;
    },
    read,
    move: (id, what) => tenant.post(`/v2/broadcasts/${id}/${what}`),
    ended: (id, status = 'sent') =>
      until(
        () => read(id),
        (found) => found.status === status,
      ),
  };
}
