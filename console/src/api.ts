// The one way to the service: the public API, with the token of the person who signed in.
import type { DataValue, ErrorItem, Route } from '@rapport/contract';
import { retryDelayMs } from './retry-after.ts';

/** A refusal of the API, or (status 0) no answer at all. */
export class ApiFailure extends Error {
  constructor(
    readonly status: number,
    readonly items: readonly Pick<ErrorItem, 'errorCode' | 'message' | 'detail'>[],
    readonly requestId: string | null = null,
  ) {
    super(items.map((item) => item.message).join(' '));
  }

  get errorCode(): string {
    return this.items[0]?.errorCode ?? 'UNKNOWN';
  }
}

export interface Page<Row> {
  rows: Row[];
  pageNumber: number;
  pageSize: number;
  totalElements: number;
  totalPages: number;
}

export interface Answer<Data> {
  data: Data;
  etag: string | null;
}

type QueryValue = string | number | undefined | readonly string[];
export interface CallOptions {
  query?: Record<string, QueryValue>;
  body?: unknown;
  ifMatch?: string | null;
  signal?: AbortSignal | undefined;
}
type Method = Route['method'];
type PagedRoute = Route & { paged: true };

export interface Api {
  /** `call<typeof getEmail>('GET', '/emails/…')` answers what the contract says it does. */
  call<R extends Route>(method: R['method'], path: string, options?: CallOptions): Promise<Answer<DataValue<R>>>;
  page<R extends PagedRoute>(path: string, options?: CallOptions): Promise<Page<DataValue<R>>>;
  /** Every row of a collection that is small by nature: folders, variables. */
  all<R extends PagedRoute>(path: string, options?: CallOptions): Promise<DataValue<R>[]>;
}

// 2,000 rows: more than a person looks through in a list of choices.
const atMostPages = 10;
const pageSize = 200;

export function createApi(token: string, onSignedOut: () => void): Api {
  const send = async (method: Method, path: string, options: CallOptions = {}) => {
    const response = await fetchPatiently(token, method, path, options);
    if (response.status === 401) onSignedOut();
    const text = await response.text();
    const envelope = text && parse(text);
    if (response.ok && envelope) return { envelope, etag: response.headers.get('etag') };
    const requestId = response.headers.get('x-request-id');
    throw new ApiFailure(response.status, envelope?.errors ?? [emptyRefusal(response.status)], requestId);
  };
  const page: Api['page'] = async (path, options) => {
    const { envelope } = await send('GET', path, options);
    return { rows: envelope.data, ...envelope.pagination };
  };
  return {
    call: async (method, path, options) => {
      const { envelope, etag } = await send(method, path, options);
      return { data: envelope.data, etag };
    },
    page,
    all: async <R extends PagedRoute>(path: string, options?: CallOptions) => {
      const rows: DataValue<R>[] = [];
      for (let pageNumber = 1; pageNumber <= atMostPages; pageNumber++) {
        const next = await page<R>(path, { ...options, query: { ...options?.query, pageNumber, pageSize } });
        rows.push(...next.rows);
        if (pageNumber >= next.totalPages) break;
      }
      return rows;
    },
  };
}

async function fetchPatiently(token: string, method: Method, path: string, options: CallOptions): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(`/v2${path}${queryString(options.query)}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(options.ifMatch ? { 'if-match': options.ifMatch } : {}),
      },
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
      signal: options.signal ?? null,
      credentials: 'omit',
    }).catch((cause: Error) => {
      if (cause.name === 'AbortError') throw cause;
      throw new ApiFailure(0, [{ errorCode: 'NOT_READY', message: 'The service cannot be reached. Try again.' }]);
    });
    const delay = response.status === 429 ? retryDelayMs(response.headers.get('retry-after'), attempt) : undefined;
    if (delay === undefined) return response;
    await new Promise((resolve) => setTimeout(resolve, delay));
    options.signal?.throwIfAborted();
  }
}

function queryString(query: CallOptions['query']): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const each of Array.isArray(value) ? value : [value])
      if (each !== undefined && each !== '') params.append(name, String(each));
  }
  return params.size > 0 ? `?${params}` : '';
}

// biome-ignore lint/suspicious/noExplicitAny: the contract says what is in it; the caller names the route
function parse(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What the API says without a body. */
function emptyRefusal(status: number): { errorCode: ErrorItem['errorCode']; message: string } {
  const message =
    {
      401: 'The token is not accepted. It may have expired or been revoked.',
      403: 'Your token does not allow this. Reading needs the READ scope; previews and changes need WRITE.',
      429: 'Too many requests for this workspace at the moment. Try again in a minute.',
    }[status] ?? `The service answered ${status} without an explanation.`;
  return { errorCode: 'INTERNAL_ERROR', message };
}
