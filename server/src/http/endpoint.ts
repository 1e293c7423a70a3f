import type { BodyValue, DataValue, ErrorItem, PathValues, QueryValues, Role, Route } from '@rapport/contract';

/** The caller, found by the bearer token. */
export interface Caller {
  tenantId: number;
  accountId: number;
  /** 0 for a token that we did not issue. */
  tokenId: number;
  /** Its origin; `outside`: from another issuer. No rule depends on it. */
  tokenKind: 'personal' | 'app' | 'session' | 'outside';
  /** The token is for /mcp, and works nowhere else. */
  isForMcp?: boolean | undefined;
  /** The app that an `app` token was issued to. */
  clientId?: string | null | undefined;
  /** The scopes of the token that the account's role allows. */
  scopes: readonly string[];
  role: Role;
  rateLimit: number;
  /** When the token expires: ISO time, or null for never. */
  expiresAt?: string | null | undefined;
  /** For a token that works only from some addresses. */
  isAllowedFrom?: ((address: string) => boolean) | undefined;
}

export interface Idempotency {
  route: string;
  key: string;
  /** SHA-256 of the path parameters and the raw body, hex. */
  bodyHash: string;
}

/** One validated request, as a handler sees it. */
export interface Call<R extends Route = Route> {
  caller: Caller;
  /** The client's address. */
  address: string;
  params: PathValues<R>;
  query: QueryValues<R>;
  body: BodyValue<R>;
  /** The raw body: valid JSON of the right outer shape. */
  text(): string;
  /** The body as a stream, on routes that declare what they consume. The handler must then add its hash. */
  stream: R['consumes'] extends object ? BodyStream : undefined;
  idempotency: Idempotency | undefined;
  /** Entity tags without their quotes; one of them must match the resource. */
  ifMatch: readonly string[] | undefined;
}

export interface BodyStream {
  mediaType: string;
  /** The whole header, with its parameters. */
  contentType: string;
  bytes: AsyncIterable<Buffer>;
}

type Answer<R extends Route> = R['paged'] extends true
  ? { rows: DataValue<R>[]; total: number }
  : R['inParts'] extends true
    ? InParts
    : One<DataValue<R>>;

/** Sections of the data, each read in turn. */
interface InParts {
  parts: readonly Part[];
}
export interface Part {
  name: string;
  rows: AsyncIterable<unknown>;
}

/** A response without pages. `etag` is sent as the ETag, in quotes. */
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

/** Binds a contract route to the use case that serves it. */
export function endpoint<R extends Route>(route: R, handle: (call: Call<R>) => Promise<Answer<R>>): Endpoint {
  return { route, handle: handle as unknown as Endpoint['handle'] };
}

export function pageOf({ pageNumber, pageSize }: { pageNumber: number; pageSize: number }): {
  limit: number;
  offset: number;
} {
  return { limit: pageSize, offset: (pageNumber - 1) * pageSize };
}
