// What the console caches from the API, and under which key. Keys are made only here (tools/biome/keys-only-in-api.grit), from the route
// and its input; the value under a key is what that route returns. So one key never holds two shapes: to get another shape, use `select`.
import type { Answer, AnswerData, CallArguments, Client, Page, PagedRoute } from '@rapport/client';
import { ApiFailure } from '@rapport/client';
import type * as contract from '@rapport/contract';
import type { DataValue, Route } from '@rapport/contract';
import { hashKey, infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { allOf } from './api.ts';

type Contract = typeof contract;
type Paths = {
  [Name in keyof Contract]: Contract[Name] extends Route ? Contract[Name]['path'] : never;
}[keyof Contract];
type FirstPart<Path> = Path extends `/${infer First}/${string}`
  ? First
  : Path extends `/${infer First}`
    ? First
    : never;
/** The first part of an address: `emails` of `/emails/{id}/history`. */
export type Subject = FirstPart<Paths>;

/** Everything cached about a subject, or about one of its things: `invalidateQueries(about('emails'))`. */
export function about(subject: Subject, id?: string) {
  return { queryKey: id === undefined ? [subject] : [subject, id] };
}

/** What is cached about a subject, except this one: what a user is editing must not change under their hands. */
export function around(subject: Subject, edited: { queryKey: readonly unknown[] }) {
  const kept = hashKey(edited.queryKey);
  return { ...about(subject), predicate: ({ queryHash }: { queryHash: string }) => queryHash !== kept };
}

/** Everything that a route has returned, whatever its input. */
export function answersOf(route: Route) {
  return { predicate: ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[3] === route.id };
}

// In place of an id; no id is empty.
const none = '';

interface Asked {
  params?: Readonly<Record<string, string | number>>;
  query?: object;
  body?: unknown;
}
type Shape = 'answer' | 'data' | 'found' | 'page' | 'pages' | 'parts' | 'rows';

/**
 * The input, and sometimes another key to cache it under: for a request that differs each time, such as one whose period ends now.
 * Each shape has its own keys, and each function below one shape.
 */
type Question<R extends Route> = [...input: CallArguments<R>, as?: unknown];

function keyOf<R extends Route>(shape: Shape, route: R, [input, as]: Question<R>): readonly unknown[] {
  const { params, query, body } = (input ?? {}) as Asked;
  const [, subject, second] = route.path.split('/');
  const [id = none] = second?.startsWith('{') ? Object.values(params ?? {}) : [];
  return [subject, String(id), shape, route.id, { params, ...(as === undefined ? { query, body } : { as }) }];
}

/** Aborted together with its caller. */
function until<R extends Route>([input]: Question<R>, signal: AbortSignal, query?: object): CallArguments<R> {
  const asked = (input ?? {}) as Asked;
  return [{ ...asked, ...(query && { query: { ...asked.query, ...query } }), signal }] as unknown as CallArguments<R>;
}

/** With its ETag, for editing. */
export function answerOf<R extends Route>(api: Client, route: R, ...question: Question<R>) {
  return queryOptions({
    queryKey: keyOf('answer', route, question),
    queryFn: ({ signal }): Promise<Answer<AnswerData<R>>> => api.call(route, ...until(question, signal)),
  });
}

export function dataOf<R extends Route>(api: Client, route: R, ...question: Question<R>) {
  return queryOptions({
    queryKey: keyOf('data', route, question),
    queryFn: async ({ signal }): Promise<AnswerData<R>> => (await api.call(route, ...until(question, signal))).data,
  });
}

/** The cached value, if there is one. */
export function rememberedData<R extends Route>(queries: QueryClient, route: R, ...question: Question<R>) {
  return queries.getQueryData<AnswerData<R>>(keyOf('data', route, question));
}

/** Null if there is none. */
export function foundOf<R extends Route>(api: Client, route: R, ...question: Question<R>) {
  return queryOptions({
    queryKey: keyOf('found', route, question),
    queryFn: async ({ signal }): Promise<AnswerData<R> | null> => {
      try {
        return (await api.call(route, ...until(question, signal))).data;
      } catch (error) {
        if (error instanceof ApiFailure && error.status === 404) return null;
        throw error;
      }
    },
  });
}

export function pageOf<R extends PagedRoute>(api: Client, route: R, ...question: Question<R>) {
  return queryOptions({
    queryKey: keyOf('page', route, question),
    queryFn: ({ signal }): Promise<Page<DataValue<R>>> => api.page(route, ...until(question, signal)),
  });
}

/** Every row of a collection that is small by nature. */
export function rowsOf<R extends PagedRoute>(api: Client, route: R, ...question: Question<R>) {
  return queryOptions({
    queryKey: keyOf('rows', route, question),
    queryFn: ({ signal }): Promise<DataValue<R>[]> => allOf(api.rows(route, ...until(question, signal))),
  });
}

/** Page after page, as they are needed. */
export function pagesOf<R extends PagedRoute>(api: Client, route: R, ...question: Question<R>) {
  return infiniteQueryOptions({
    queryKey: keyOf('pages', route, question),
    queryFn: ({ pageParam, signal }): Promise<Page<DataValue<R>>> =>
      api.page(route, ...until(question, signal, { pageNumber: pageParam })),
    initialPageParam: 1,
    getNextPageParam: ({ pageNumber, totalPages }) => (pageNumber < totalPages ? pageNumber + 1 : undefined),
  });
}

/** Of a read that gives a cursor: part after part, as they are needed. */
export function partsOf<R extends Route>(api: Client, route: R, ...question: Question<R>) {
  return infiniteQueryOptions({
    queryKey: keyOf('parts', route, question),
    queryFn: async ({ pageParam, signal }): Promise<AnswerData<R> & { cursor: string | null }> =>
      (await api.call(route, ...until(question, signal, { after: pageParam }))).data as AnswerData<R> & {
        cursor: string | null;
      },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursor }) => cursor ?? undefined,
  });
}

/** For a key as long as a design: without this, every render hashes it again. Memoize what it returns. */
export function hashed<Options extends { queryKey: readonly unknown[] }>(options: Options) {
  return { ...options, queryHash: hashKey(options.queryKey) };
}

const composed = new Set<string>();

/** For results from several routes or requests. Created once, at the top of a file: the name belongs to its fetcher. */
export function composedOf<Question, Told>(
  name: string,
  fetch: (api: Client, question: Question, signal: AbortSignal, before: Told | undefined) => Promise<Told>,
) {
  if (composed.has(name)) throw new Error(`Two things are remembered as ${name}.`);
  composed.add(name);
  return (api: Client, question: Question) =>
    queryOptions({
      queryKey: ['composed', name, question] as readonly unknown[],
      queryFn: ({ signal, client, queryKey }) => fetch(api, question, signal, client.getQueryData<Told>(queryKey)),
    });
}
