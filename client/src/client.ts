// The one way to the service: calls that are typed by the contract's route objects.
import type { DataValue, Route, Version } from '@rapport/contract';
import { type Clock, systemClock } from './clock.js';
import { watchBody } from './download.js';
import { readAnswer } from './envelope.js';
import type { ApiFailure } from './failure.js';
import type { Fetch, FetchAnswer } from './fetch.js';
import type { Answer, AnswerData, AnyInput, CallArguments, Page, PagedRoute, RouteAddress } from './input.js';
import { type Call, readPage, readPages, readRows } from './paging.js';
import { downloadOf, type Origin, requestOf } from './request.js';
import { defaultPatience, type Patience } from './retry.js';
import { type Sender, send } from './send.js';
import { type Transactions, transactions } from './transactions.js';

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
  /** What is no part of the contract and has no envelope: files below `/exports`. The body is left to be read: it may take long, but not stop for `timeoutMs`. */
  download(path: string, options?: { signal?: AbortSignal | undefined }): Promise<FetchAnswer>;
  transactions: Transactions;
}

export function createClient(options: ClientOptions): Client {
  const { token, version = 'v2', idempotencyKeys = true } = options;
  const clock = { ...systemClock, ...options.clock };
  const newKey = idempotencyKeys ? clock.newKey : () => undefined;
  const origin: Origin = { baseUrl: baseOf(options.baseUrl), token, version, newKey };
  const sender: Sender = {
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    clock,
    patience: { ...defaultPatience, ...options.patience },
    onUnauthorized: options.onUnauthorized ?? (() => undefined),
  };
  const call: Call = async (route, input = {}) => send(sender, requestOf(origin, route, input), readAnswer);
  // The one place where the contract's types meet what came over the wire: each method answers what its route says.
  return {
    call,
    page: (route: RouteAddress, input?: AnyInput) => readPage(call, route, input),
    pages: (route: RouteAddress, input?: AnyInput) => readPages(call, route, input),
    rows: (route: RouteAddress, input?: AnyInput) => readRows(call, route, input),
    download: async (path, { signal } = {}) =>
      send(sender, downloadOf(origin, path, signal), async (answer, stopper) =>
        watchBody(answer, stopper, sender.patience.timeoutMs),
      ),
    transactions: transactions(call, clock),
  } as Client;
}

function baseOf(baseUrl: string): string {
  // Fetch takes "localhost:" for a scheme, and would only say that there is no answer.
  if (!/^(https?:\/\/.|\/|$)/i.test(baseUrl))
    throw new Error(`baseUrl is "${baseUrl}": it must be an address such as http://127.0.0.1:8080.`);
  return baseUrl.replace(/\/+$/, '');
}
