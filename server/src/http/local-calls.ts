// Calls routes from inside the process. A call is read, checked and answered as a request would be, in the same words.
import { type BodyValue, type DataValue, type ErrorItem, paramsIn, type Route } from '@rapport/contract';
import { parseJson } from '../lib/parse-json.js';
import { bodyReaderOf } from './body.js';
import type { Call, Caller, Endpoint, Idempotency } from './endpoint.js';
import { queryReader } from './query.js';
import { serializerOf } from './serialize.js';

type QueryText = string | number | undefined;

export interface LocalRequest {
  params?: Record<string, string>;
  query?: Record<string, QueryText | readonly QueryText[]>;
  body?: unknown;
  ifMatch?: string | undefined;
  /** Doing it again with the same key answers what was done the first time. */
  idempotency?: Omit<Idempotency, 'route'>;
}

/** Who calls, and from where. */
interface LocalCaller {
  caller: Caller;
  address: string;
}

type PagedAnswer<R extends Route> = { rows: DataValue<R>[]; total: number };
type OneAnswer<R extends Route> = { data: DataValue<R>; errors: ErrorItem[]; etag: string | undefined };
export type LocalAnswer<R extends Route> = R['paged'] extends true ? PagedAnswer<R> : OneAnswer<R>;

interface Reader {
  endpoint: Endpoint;
  read(request: LocalRequest): { query: Record<string, unknown>; body: unknown };
  serialize(value: unknown): string;
}

export class LocalCalls {
  private readonly readers = new Map<string, Reader>();

  constructor(private readonly endpoints: () => readonly Endpoint[]) {}

  async call<R extends Route>(route: R, { caller, address }: LocalCaller, request: LocalRequest = {}) {
    const { endpoint, read, serialize } = this.readerOf(route);
    const { query, body } = read(request);
    const { params = {}, ifMatch, idempotency } = request;
    const answer = await endpoint.handle({
      ...{ caller, address, params: sound(params), query, body },
      text: () => JSON.stringify(request.body ?? {}),
      stream: undefined,
      idempotency: idempotency && { route: route.id, ...idempotency },
      ifMatch: ifMatch === undefined ? undefined : [ifMatch],
    } as unknown as Call);
    if ('parts' in answer) throw new TypeError(`${route.id} answers in parts`);
    // Through the serializer: what the schema does not name stays inside.
    const written = (value: unknown) => parseJson(serialize(value));
    const shown =
      'rows' in answer
        ? { rows: written(answer.rows), total: answer.total }
        : { data: written(answer.data), errors: answer.errors ?? [], etag: answer.etag };
    return shown as LocalAnswer<R>;
  }

  /** Reads the body of a request as a call would, and refuses what a call would refuse before it begins. */
  check<R extends Route>(route: R, request: LocalRequest): BodyValue<R> {
    return this.readerOf(route).read(request).body as BodyValue<R>;
  }

  private readerOf(route: Route): Reader {
    const known = this.readers.get(route.id);
    if (known) return known;
    const endpoint = this.endpoints().find((each) => each.route.id === route.id);
    if (!endpoint) throw new TypeError(`Nothing serves ${route.id}`);
    const readBody = bodyReaderOf(route);
    const readQuery = route.query && queryReader(paramsIn('v2', route.query), route.snakeCase ?? false);
    const reader: Reader = {
      endpoint,
      read: ({ query = {}, body }) => ({
        query: readQuery?.(queryText(query)) ?? {},
        body: readBody?.(body) ?? {},
      }),
      serialize: serializerOf(route),
    };
    this.readers.set(route.id, reader);
    return reader;
  }
}

function queryText(query: NonNullable<LocalRequest['query']>): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const each of [value].flat()) if (each !== undefined) pairs.append(name, String(each));
  return pairs.toString();
}

function sound(params: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, value.replaceAll('\0', '\ufffd')]));
}
