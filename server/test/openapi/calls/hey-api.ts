// The calls of openapi-fetch.ts, through a client that @hey-api/openapi-ts generated.
import { createClient, createConfig } from './generated/client/index.js';
import * as api from './generated/index.js';

export async function run(baseUrl: string, token: string, emailId: string): Promise<object> {
  const client = createClient(createConfig<api.ClientOptions>({ baseUrl, auth: token }));

  const created = answered(await api.createList({ client, body: { name: 'Beta testers', folder: 'Tests' } }));
  const list: api.StaticList = created.data;
  const path = { id: list.staticListId };
  const { error: taken } = await api.createList({ client, body: { name: list.name } });
  const takenCode = refused<api.CreateListErrors[409]>(taken).errors[0]?.errorCode satisfies api.ErrorCode | undefined;

  const contacts: api.ContactInput[] = [
    { email: 'ada@example.com', properties: { first_name: 'Ada', seats: 12, tags: ['a', 'b'], plan: null } },
    { email: 'nobody' },
  ];
  const headers = { 'Idempotency-Key': 'batch-1' };
  const batch = answered(await api.batchContacts({ client, headers, body: { contacts } }));
  const pending: 'PENDING' = batch.data.status;
  const { transactionId } = batch.data;
  let polled: api.WriteTransaction;
  do {
    polled = answered(await api.getContactTransaction({ client, path: { transactionId } })).data;
  } while (polled.status === 'PENDING');
  const outcomes = polled.data?.results.map((result) => result.status);
  const contactId = polled.data?.results[0]?.contactId ?? '';

  const added = answered(await api.addMembers({ client, path, body: { contactIds: [contactId, 'stranger'] } }));
  const strangers: api.ErrorCode[] = added.errors.map((item) => item.errorCode);

  const events: api.EventInput[] = [
    { eventId: 'e-1', email: 'ada@example.com', eventName: 'signed_up', eventDate: '2026-11-15T09:30:00Z' },
  ];
  const sent = answered(await api.createEvents({ client, body: { events } })).data;
  let stored: api.EventTransaction;
  do {
    stored = answered(await api.getEventTransaction({ client, path: { transactionId: sent.transactionId } })).data;
  } while (stored.status === 'PENDING');
  const query = { startTime: '2026-11-15T00:00:00Z', pageSize: 5 };
  const activity = answered(await api.listProductActivity({ client, path: { id: contactId }, query }));
  const eventNames: string[] = activity.data.map((event) => event.eventName);

  const lists = answered(await api.listLists({ client, query: { type: 'static', search: 'beta' } }));
  const total: number = lists.pagination.totalElements;
  const members: number[] = lists.data.map((row) => (row.type === 'static' ? row.numRecords : -1));

  const versions: api.EmailVersionInput[] = [
    { assetId: emailId, email: 'ada@example.com', html: '<a href="{{unsubscribe_url}}">Leave</a>' },
    { assetId: emailId, email: 'ada@example.com', html: '<p>No way out</p>' },
  ];
  const { results } = answered(await api.storeVersions({ client, body: { versions } })).data;
  const arrivals = answered(
    await api.listEmailActivity({ client, path: { id: emailId }, query: { outcome: ['rejected', 'deleted'] } }),
  );

  const deleted: boolean = answered(await api.deleteList({ client, path })).data.success;
  const { error, response } = await api.getList({ client, path });
  const gone = refused<api.GetListErrors[404]>(error);

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
    gone: [response?.status, gone.errors[0]?.errorCode, gone.meta.status],
  };
}

function answered<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

/** 401, 403 and 429 have no body; because of them this generator types the union of an operation's errors as unknown. */
function refused<E>(error: unknown): E {
  if (!error) throw new Error('not refused');
  return error as E;
}

/** Never called: each of these must not compile. */
export async function mistakes(): Promise<void> {
  // @ts-expect-error a name is required
  await api.createList({ body: {} });
  // @ts-expect-error no such type of list
  await api.listLists({ query: { type: 'both' } });
  // @ts-expect-error a contact of a batch has an email
  await api.batchContacts({ body: { contacts: [{ properties: {} }] } });
  // @ts-expect-error a version is deleted by both keys
  await api.deleteVersion({ query: { assetId: 'x' } });
  // @ts-expect-error no such code
  const code: api.ErrorCode = 'LIST_EXISTS';
  void code;
}
