// The one way to the service: calls that are typed by the contract's route objects.
import type { DataValue, Route, Version } from '@rapport/contract';
import { addressOf } from './address.js';
import { type Clock, systemClock } from './clock.js';
import { readAnswer } from './envelope.js';
import type { ApiFailure } from './failure.js';
import type { Fetch, FetchAnswer } from './fetch.js';
import type { Answer, AnswerData, AnyInput, CallArguments, Page, PagedRoute, RouteAddress } from './input.js';
import { defaultPatience, type Patience } from './retry.js';
import { type Outgoing, type Sender, send } from './send.js';
import { type Transactions, transactions } from './transactions.js';
import { streamOf } from './upload.js';

export interface ClientOptions {
  /** Such as `http://127.0.0.1:8080`. In a browser, '' is where the page came from. */
  baseUrl: string;
  token: string;
  version?: Version;
  /** Whether POSTs get an Idempotency-Key, so that they can be sent again: true unless told. */
  idempotencyKeys?: boolean;
  patience?: Partial<Patience>;
  onUnauthorized?: (failure: ApiFailure) => void;
  fetch?: Fetch;
  clock?: Partial<Clock>;
}

export interface Client {
  call<R extends Route>(route: R, ...input: CallArguments<R>): Promise<Answer<AnswerData<R>>>;
  /** One page of a collection, the first unless the query names another. */
  page<R extends PagedRoute>(route: R, ...input: CallArguments<R>): Promise<Page<DataValue<R>>>;
  /** All pages from there on. Rows that come or go meanwhile may be seen twice, or missed. */
  pages<R extends PagedRoute>(route: R, ...input: CallArguments<R>): AsyncGenerator<Page<DataValue<R>>, void>;
  /** All rows, read page by page as they are asked for. */
  rows<R extends PagedRoute>(route: R, ...input: CallArguments<R>): AsyncGenerator<DataValue<R>, void>;
  /** What is no part of the contract and has no envelope: files below `/exports`. The body is left to be read. */
  download(path: string, options?: { signal?: AbortSignal | undefined }): Promise<FetchAnswer>;
  transactions: Transactions;
}

// The most that the API takes: the fewest requests.
const largestPage = 200;

export function createClient(options: ClientOptions): Client {
  const { token, version = 'v2', idempotencyKeys = true } = options;
  const baseUrl = options.baseUrl.replace(/\/+$/, '');
  const clock = { ...systemClock, ...options.clock };
  const sender: Sender = {
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    clock,
    patience: { ...defaultPatience, ...options.patience },
    onUnauthorized: options.onUnauthorized ?? (() => undefined),
  };

  const outgoing = (route: RouteAddress, input: AnyInput): Outgoing => {
    const key = keyOf(route, input, idempotencyKeys ? clock.newKey : undefined);
    const { body, type, replayable, close } = bodyOf(input);
    return {
      method: route.method,
      url: baseUrl + addressOf(route, version, input.params, input.query),
      headers: {
        authorization: `Bearer ${token}`,
        ...(type === undefined ? {} : { 'content-type': type }),
        ...(key ? { 'idempotency-key': key } : {}),
        ...(input.ifMatch ? { 'if-match': input.ifMatch } : {}),
      },
      ...(body === undefined ? {} : { body }),
      ...(close === undefined ? {} : { close }),
      replayable,
      // No other method is: a second DELETE or PATCH may find 404 or 412 where the first one did its work.
      harmless: route.method === 'GET' || key !== undefined,
      hasTimeout: input.contentType === undefined,
      signal: input.signal,
    };
  };
  const call = async (route: RouteAddress, input: AnyInput = {}) => send(sender, outgoing(route, input), readAnswer);
  const page = async (route: RouteAddress, input: AnyInput = {}): Promise<Page<unknown>> => {
    const { data, pagination } = await call(route, input);
    if (!Array.isArray(data) || !pagination) throw new Error(`${route.id} does not answer pages: use call() for it.`);
    return { rows: data, ...pagination };
  };
  async function* pages(route: RouteAddress, input: AnyInput = {}): AsyncGenerator<Page<unknown>, void> {
    for (let pageNumber = Number(input.query?.pageNumber ?? 1); ; pageNumber++) {
      const query = { pageSize: largestPage, ...input.query, pageNumber };
      const next = await page(route, { ...input, query });
      yield next;
      if (pageNumber >= next.totalPages) return;
    }
  }
  async function* rows(route: RouteAddress, input: AnyInput = {}): AsyncGenerator<unknown, void> {
    for await (const next of pages(route, input)) yield* next.rows;
  }
  const download: Client['download'] = async (path, { signal } = {}) => {
    const headers = { authorization: `Bearer ${token}` };
    const harmless = { harmless: true, replayable: true, hasTimeout: true, leavesBody: true };
    const request = { method: 'GET' as const, url: baseUrl + path, headers, signal, ...harmless };
    return send(sender, request, async (response) => response);
  };

  // The one place where the contract's types meet what came over the wire: each method answers what its route says.
  return { call, page, pages, rows, download, transactions: transactions(call, clock) } as Client;
}

function keyOf({ method, area }: RouteAddress, { idempotencyKey }: AnyInput, newKey: (() => string) | undefined) {
  if (method !== 'POST' || area !== 'api' || idempotencyKey === false) return undefined;
  return idempotencyKey ?? newKey?.();
}

interface Body extends Pick<Outgoing, 'body' | 'replayable' | 'close'> {
  type?: string;
}

function bodyOf({ body, contentType, onSent }: AnyInput): Body {
  if (body === undefined) return { replayable: true };
  if (contentType === undefined) return { body: JSON.stringify(body), type: 'application/json', replayable: true };
  if (body instanceof Blob) return { body, type: contentType, replayable: true };
  if (!isAsyncIterable(body)) throw new Error('A file is sent as a Blob or a stream.');
  const { stream, close } = streamOf(body, onSent);
  return { body: stream, close, type: contentType, replayable: false };
}

function isAsyncIterable(value: unknown): value is AsyncIterable<Uint8Array> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
