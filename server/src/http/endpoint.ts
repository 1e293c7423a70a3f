import type { BodyValue, DataValue, ErrorItem, PathValues, QueryValues, Role, Route } from '@rapport/contract';

/** Who is calling: found from the bearer token. */
export interface Caller {
  tenantId: number;
  accountId: number;
  /** 0 for a token that is not ours. */
  tokenId: number;
  /** Where it came from; `outside`: another issuer made it. No rule depends on it. */
  tokenKind: 'personal' | 'app' | 'session' | 'outside';
  /** Those of the token that the account's role allows. */
  scopes: readonly string[];
  role: Role;
  rateLimit: number;
  /** Of the token: ISO time, or null for never. */
  expiresAt?: string | null | undefined;
  /** Of a token that works from some addresses only. */
  isAllowedFrom?: ((address: string) => boolean) | undefined;
}

export interface Idempotency {
  route: string;
  key: string;
  /** SHA-256 of the path parameters and the body as they came, hex. */
  bodyHash: string;
}

/** One validated request, as a handler sees it. */
export interface Call<R extends Route = Route> {
  caller: Caller;
  /** Where the request came from. */
  address: string;
  params: PathValues<R>;
  query: QueryValues<R>;
  body: BodyValue<R>;
  /** The body as it came: valid JSON of the right outer shape. */
  text(): string;
  /** The body as it comes, on routes that say what they consume. Its hash is then for the handler to add. */
  stream: R['consumes'] extends object ? BodyStream : undefined;
  idempotency: Idempotency | undefined;
  /** Entity tags without their quotes; one of them must be that of the resource. */
  ifMatch: readonly string[] | undefined;
}

export interface BodyStream {
  mediaType: string;
  bytes: AsyncIterable<Buffer>;
}

type Answer<R extends Route> = R['paged'] extends true
  ? { rows: DataValue<R>[]; total: number }
  : R['inParts'] extends true
    ? InParts
    : One<DataValue<R>>;

/** Sections of the data, each read when its turn comes. */
interface InParts {
  parts: readonly Part[];
}
export interface Part {
  name: string;
  rows: AsyncIterable<unknown>;
}

/** What is not a page. `etag` is sent as the ETag, in quotes. */
interface One<T> {
  data: T;
  errors?: ErrorItem[];
  replayed?: boolean;
  etag?: string;
}

export interface Endpoint {
  route: Route;
  handle(call: Call): Promise<{ rows: unknown[]; total: number } | InParts | One<unknown>>;
}

/** Ties a contract route to the use case that serves it. */
export function endpoint<R extends Route>(route: R, handle: (call: Call<R>) => Promise<Answer<R>>): Endpoint {
  return { route, handle: handle as unknown as Endpoint['handle'] };
}

export function pageOf({ pageNumber, pageSize }: { pageNumber: number; pageSize: number }): {
  limit: number;
  offset: number;
} {
  return { limit: pageSize, offset: (pageNumber - 1) * pageSize };
}
