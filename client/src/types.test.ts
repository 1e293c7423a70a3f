// What the compiler must refuse. `npm run check` reads this file; running it only shows that it is read.
import * as contract from '@rapport/contract';
import { expect, expectTypeOf, it } from 'vitest';
import type { Client } from './index.js';

declare const client: Client;
const signal = new AbortController().signal;

async function params() {
  await client.call(contract.getContact, { params: { id: 'c1' } });
  await client.call(contract.revokeToken, { params: { tenantId: 1, tokenId: '2' } });
  // @ts-expect-error the path has a name
  await client.call(contract.getContact);
  // @ts-expect-error the path has a name
  await client.call(contract.getContact, {});
  // @ts-expect-error its name is another
  await client.call(contract.getContact, { params: { contactId: 'c1' } });
  // @ts-expect-error one of two is missing
  await client.call(contract.revokeToken, { params: { tenantId: 1 } });
  // @ts-expect-error the path has no names
  await client.call(contract.listContacts, { params: { id: 'c1' } });
}

async function query() {
  await client.call(contract.listLists, { query: { type: 'static', search: undefined, pageSize: 5 } });
  await client.call(contract.listEmailActivity, { params: { id: 'e1' }, query: { outcome: ['stored', 'deleted'] } });
  await client.call(contract.listLists, { signal });
  // @ts-expect-error not one of its words
  await client.call(contract.listLists, { query: { type: 'other' } });
  // @ts-expect-error not a parameter of this route
  await client.call(contract.listLists, { query: { folder: 'x' } });
  // @ts-expect-error a number
  await client.call(contract.listLists, { query: { pageNumber: '1' } });
  // @ts-expect-error repeatable: a list of them
  await client.call(contract.listEmailActivity, { params: { id: 'e1' }, query: { outcome: 'stored' } });
  // @ts-expect-error the route takes no query
  await client.call(contract.getContact, { params: { id: 'c1' }, query: { search: 'x' } });
}

async function body() {
  await client.call(contract.createContact, { body: { email: 'a@example.com', properties: undefined } });
  await client.call(contract.previewEmail, { params: { id: 'e1' } });
  await client.call(contract.previewEmail, {
    params: { id: 'e1' },
    body: { draft: { html: 'x', subject: undefined } },
  });
  await client.call(contract.batchContacts, { body: { contacts: [{ email: 'a@example.com' }] as const } });
  // @ts-expect-error the body has a required field
  await client.call(contract.createContact, {});
  // @ts-expect-error the required field is missing
  await client.call(contract.createContact, { body: { properties: {} } });
  // @ts-expect-error required is not undefined
  await client.call(contract.createContact, { body: { email: undefined } });
  // @ts-expect-error not a field
  await client.call(contract.createContact, { body: { email: 'a@example.com', name: 'A' } });
  // @ts-expect-error the route takes no body
  await client.call(contract.deleteContact, { params: { id: 'c1' }, body: {} });
}

async function files() {
  await client.call(contract.importContacts, { body: new Blob(['email\n']), contentType: 'text/csv' });
  // @ts-expect-error a type that the route does not take
  await client.call(contract.importContacts, { body: new Blob(['email\n']), contentType: 'text/plain' });
  // @ts-expect-error the type must be said
  await client.call(contract.importContacts, { body: new Blob(['email\n']) });
}

async function keys() {
  await client.call(contract.createContact, { body: { email: 'a@example.com' }, idempotencyKey: 'k' });
  // @ts-expect-error only a POST has one
  await client.call(contract.deleteContact, { params: { id: 'c1' }, idempotencyKey: 'k' });
  // @ts-expect-error the administration knows none
  await client.call(contract.createTenant, { body: { name: 'Acme' }, idempotencyKey: 'k' });
}

async function answers() {
  const { data } = await client.call(contract.getContact, { params: { id: 'c1' } });
  expectTypeOf(data.email).toEqualTypeOf<string>();
  const { data: folders } = await client.call(contract.listFolders);
  expectTypeOf(folders[0]?.directoryName).toEqualTypeOf<string | undefined>();
  const page = await client.page(contract.listFolders);
  expectTypeOf(page.rows[0]?.directoryId).toEqualTypeOf<string | undefined>();
  for await (const row of client.rows(contract.listContacts)) expectTypeOf(row.email).toEqualTypeOf<string>();
  // @ts-expect-error one contact is no page
  await client.page(contract.getContact, { params: { id: 'c1' } });
}

async function waiting() {
  const contacts = await client.transactions.wait('1-x');
  expectTypeOf(contacts.status).toEqualTypeOf<'DONE'>();
  expectTypeOf(contacts.data?.results[0]?.contactId).toEqualTypeOf<string | undefined>();
  const events = await client.transactions.wait('1-x', { kind: 'events' });
  expectTypeOf(events.results?.[0]?.eventId).toEqualTypeOf<string | null | undefined>();
  // @ts-expect-error no such kind
  await client.transactions.wait('1-x', { kind: 'lists' });
}

it('is checked by the compiler', () => expect([params, query, body, files, keys, answers, waiting]).toHaveLength(7));
