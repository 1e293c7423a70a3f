// A dozen calls through a client that openapi-typescript generated. clients.test.ts copies it beside that client, type-checks and runs
// it; everything it reads has a declared type, so that a field that became optional or unknown does not compile.
import createClient from 'openapi-fetch';
import type { components, paths } from './schema.js';

type Schemas = components['schemas'];

export async function run(baseUrl: string, token: string, emailId: string): Promise<object> {
  const api = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${token}` } });

  const created = answered(await api.POST('/v2/lists', { body: { name: 'Beta testers', folder: 'Tests' } }));
  const list: Schemas['StaticList'] = created.data;
  const path = { id: list.staticListId };
  const { error: taken } = await api.POST('/v2/lists', { body: { name: list.name } });
  const takenCode: Schemas['ErrorCode'] | undefined = taken?.errors[0]?.errorCode;

  const contacts: Schemas['ContactInput'][] = [
    { email: 'ada@example.com', properties: { first_name: 'Ada', seats: 12, tags: ['a', 'b'], plan: null } },
    { email: 'nobody' },
  ];
  const header = { 'Idempotency-Key': 'batch-1' };
  const batch = answered(await api.POST('/v2/contacts/batch', { params: { header }, body: { contacts } }));
  const pending: 'PENDING' = batch.data.status;
  const { transactionId } = batch.data;
  let polled: Schemas['WriteTransaction'];
  do {
    const params = { path: { transactionId } };
    polled = answered(await api.GET('/v2/contacts/transactions/{transactionId}', { params })).data;
  } while (polled.status === 'PENDING');
  const outcomes = polled.data?.results.map((result) => result.status);
  const contactId = polled.data?.results[0]?.contactId ?? '';

  const added = answered(
    await api.POST('/v2/lists/{id}/members', { params: { path }, body: { contactIds: [contactId, 'stranger'] } }),
  );
  const strangers: Schemas['ErrorCode'][] = added.errors.map((item) => item.errorCode);

  const events: Schemas['EventInput'][] = [
    { eventId: 'e-1', email: 'ada@example.com', eventName: 'signed_up', eventDate: '2026-11-15T09:30:00Z' },
  ];
  const sent = answered(await api.POST('/v2/events', { body: { events } })).data;
  let stored: Schemas['EventTransaction'];
  do {
    const params = { path: { transactionId: sent.transactionId } };
    stored = answered(await api.GET('/v2/events/transactions/{transactionId}', { params })).data;
  } while (stored.status === 'PENDING');
  const activity = answered(
    await api.GET('/v2/contacts/{id}/product-activity', {
      params: { path: { id: contactId }, query: { startTime: '2026-11-15T00:00:00Z', pageSize: 5 } },
    }),
  );
  const eventNames: string[] = activity.data.map((event) => event.eventName);

  const lists = answered(await api.GET('/v2/lists', { params: { query: { type: 'static', search: 'beta' } } }));
  const total: number = lists.pagination.totalElements;
  const members: number[] = lists.data.map((row) => (row.type === 'static' ? row.numRecords : -1));

  const versions: Schemas['EmailVersionInput'][] = [
    { assetId: emailId, email: 'ada@example.com', html: '<a href="{{unsubscribe_url}}">Leave</a>' },
    { assetId: emailId, email: 'ada@example.com', html: '<p>No way out</p>' },
  ];
  const results = answered(await api.POST('/v2/email-versions/batch', { body: { versions } })).data.results;
  const arrivals = answered(
    await api.GET('/v2/emails/{id}/activity', {
      params: { path: { id: emailId }, query: { outcome: ['rejected', 'deleted'] } },
    }),
  );

  const deleted: boolean = answered(await api.DELETE('/v2/lists/{id}', { params: { path } })).data.success;
  const { error: gone, response } = await api.GET('/v2/lists/{id}', { params: { path } });

  return {
    list: [list.name, list.type, list.numRecords, created.meta.status],
    taken: takenCode,
    batch: [pending, outcomes],
    added: [added.data, strangers],
    events: [stored.results, eventNames, activity.pagination.pageSize],
    lists: [total, members],
    versions: results.map(({ status }) => status),
    arrivals: arrivals.data.map(({ outcome }) => outcome),
    deleted,
    gone: [response.status, gone?.errors[0]?.errorCode, gone?.meta.status],
  };
}

function answered<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

/** Never called: each of these must not compile. */
export async function mistakes(): Promise<void> {
  const api = createClient<paths>();
  // @ts-expect-error a name is required
  await api.POST('/v2/lists', { body: {} });
  // @ts-expect-error no such type of list
  await api.GET('/v2/lists', { params: { query: { type: 'both' } } });
  // @ts-expect-error a contact of a batch has an email
  await api.POST('/v2/contacts/batch', { body: { contacts: [{ properties: {} }] } });
  // @ts-expect-error a version is deleted by both keys
  await api.DELETE('/v2/email-versions', { params: { query: { assetId: 'x' } } });
  const { error } = await api.GET('/v2/lists/{id}', { params: { path: { id: 'x' } } });
  // @ts-expect-error no such code
  if (error?.errors[0]?.errorCode === 'LIST_EXISTS') return;
}
