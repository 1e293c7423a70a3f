import type { Client } from '@rapport/client';
import { getContact, getEmail, listContacts, listEventNames } from '@rapport/contract';
import { hashKey, matchQuery, QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { about, answerOf, answersOf, around, composedOf, dataOf, foundOf, pageOf, pagesOf, rowsOf } from './ask.ts';

const row = { eventName: 'signed_in', count: 1, lastAt: null };
const page = { rows: [row], pageNumber: 1, pageSize: 20, totalElements: 1, totalPages: 1 };

/** Responds to each method in its own shape, and says what was requested. */
function fakeApi() {
  const asked: unknown[] = [];
  const api = {
    call: async (_: unknown, input: unknown) => {
      asked.push(input);
      return { data: { id: 'x' }, etag: '"1"' };
    },
    page: async (_: unknown, input: unknown) => {
      asked.push(input);
      return page;
    },
    rows: async function* (_: unknown, input: unknown) {
      asked.push(input);
      yield row;
    },
  };
  return { api: api as unknown as Client, asked };
}

const search = { query: { search: '', pageSize: 50 } };

it('keeps each shape of one answer under a key of its own', () => {
  const { api } = fakeApi();
  const input = { params: { id: '7' } };
  const keys = [
    ...[answerOf(api, getEmail, input), dataOf(api, getEmail, input), foundOf(api, getEmail, input)],
    ...[pageOf(api, listEventNames, search), rowsOf(api, listEventNames, search), pagesOf(api, listEventNames, search)],
  ].map(({ queryKey }) => hashKey(queryKey));
  expect(new Set(keys).size).toBe(keys.length);
});

it('finds for one caller what another was answered, in the same shape', async () => {
  const { api, asked } = fakeApi();
  const queries = new QueryClient();
  expect(await queries.fetchQuery(pageOf(api, listEventNames, search))).toEqual(page);
  const again = pageOf(api, listEventNames, { query: { pageSize: 50, search: '' } });
  expect(queries.getQueryData(again.queryKey)).toEqual(page);
  expect(queries.getQueryData(rowsOf(api, listEventNames, search).queryKey)).toBeUndefined();
  expect(asked).toHaveLength(1);
});

it('finds what is cached by subject, thing or route, and nothing else', () => {
  const { api } = fakeApi();
  const queries = new QueryClient();
  const cache = queries.getQueryCache();
  const built = ({ queryKey }: { queryKey: readonly unknown[] }) => cache.build(queries, { queryKey });
  const made = {
    email: built(answerOf(api, getEmail, { params: { id: '7' } })),
    contact: built(dataOf(api, getContact, { params: { id: '7' } })),
    contacts: built(pageOf(api, listContacts, { query: { pageNumber: 2 } })),
  };
  const reached = (filter: Parameters<typeof matchQuery>[0]) =>
    Object.entries(made).flatMap(([name, query]) => (matchQuery(filter, query) ? [name] : []));
  expect(reached(about('emails'))).toEqual(['email']);
  expect(reached(about('contacts'))).toEqual(['contact', 'contacts']);
  expect(reached(about('contacts', '7'))).toEqual(['contact']);
  expect(reached(around('contacts', made.contact))).toEqual(['contacts']);
  expect(reached(answersOf(listContacts))).toEqual(['contacts']);
});

it('remembers a question under the name that it is given', () => {
  const { api } = fakeApi();
  const ask = (startTime: string) => pageOf(api, listContacts, { query: { search: startTime } }, { period: '30' });
  expect(hashKey(ask('a').queryKey)).toBe(hashKey(ask('b').queryKey));
});

it('gives each name of a composed query away once', async () => {
  const { api } = fakeApi();
  const counted = composedOf('a count', async (_, by: number, __, before: number | undefined) => (before ?? 0) + by);
  expect(() => composedOf('a count', async () => 'words')).toThrow('a count');
  const queries = new QueryClient();
  await queries.fetchQuery(counted(api, 2));
  expect(await queries.fetchQuery(counted(api, 2))).toBe(4);
});
