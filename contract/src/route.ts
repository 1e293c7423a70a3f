// One route object says everything about an operation: the server validates, serializes and documents from it.
import type { Static, TObject, TSchema } from 'typebox';
import type { ErrorCode } from './errors.js';
import type { Params, ParamValues } from './params.js';

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
export type Version = 'v1' | 'v2';
export type Scope = 'READ' | 'WRITE';

export interface RouteExample {
  path?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  data: unknown;
  /** Error items beside the data, where partial success is possible. */
  errors?: unknown[];
}

export interface Route {
  /** OpenAPI operation id, unique. */
  id: string;
  tag: string;
  method: Method;
  /** Below the version prefix for `api` routes (`/lists/{id}`), whole for `admin` routes (`/admin/tenants`). */
  path: string;
  area: 'api' | 'admin';
  versions: readonly Version[];
  summary: string;
  description?: string;
  /** What the path parameters are, for the reference. */
  pathParams?: Readonly<Record<string, string>>;
  query?: Params;
  /** Whether `page_number` is accepted for `pageNumber`. */
  snakeCase?: boolean;
  body?: TObject;
  /** The feature checks the body itself, because it must remember what it refused. Here only: a JSON object. */
  checksItself?: boolean;
  /** Instead of `body`: media types that are taken as a stream of any size, each with an example. */
  consumes?: Readonly<Record<string, string>>;
  /** The stream is one file of at most this many bytes, of any media type: its content says what it is. */
  mostFileBytes?: number;
  /** Where the method says WRITE, but nothing is stored except what callers choose for themselves. */
  scope?: Scope;
  /** For accounts with the role `admin`: others get 403. */
  adminOnly?: boolean;
  /** Answers with an `ETag`; a write that may answer EDIT_CONFLICT takes it back as `If-Match`. */
  hasEtag?: boolean;
  data: TSchema;
  /** `data` has sections, each an array or one object, that are written while they are read: it may be of any size. */
  inParts?: boolean;
  /** A paged read: `data` is the schema of one row. */
  paged: boolean;
  /** Codes beyond VALIDATION_ERROR, INTERNAL_ERROR and the empty-bodied statuses. */
  errors: readonly ErrorCode[];
  example: RouteExample;
}

type Names<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
export type PathValues<R extends Route> = { [K in Names<R['path']>]: string };
export type QueryValues<R extends Route> = R['query'] extends Params ? ParamValues<R['query']> : Record<never, never>;
export type BodyValue<R extends Route> = R['body'] extends TSchema ? Static<R['body']> : Record<never, never>;
export type DataValue<R extends Route> = Static<R['data']>;

export const both = ['v1', 'v2'] as const;
export const onlyV2 = ['v2'] as const;

/** READ for GET, WRITE for everything else, unless the route says otherwise. */
export function scopeOf({ method, scope }: { method: string; scope?: Scope | undefined }): Scope {
  return scope ?? (method === 'GET' || method === 'HEAD' || method === 'OPTIONS' ? 'READ' : 'WRITE');
}

export function route<const R extends Omit<Route, 'area'>>(definition: R): R & { area: 'api' } {
  return { area: 'api', ...definition };
}

export function adminRoute<const R extends Omit<Route, 'area' | 'versions'>>(
  definition: R,
): R & { area: 'admin'; versions: readonly [] } {
  return { area: 'admin', versions: [], ...definition };
}

/** The full paths under which a route is served. */
export function pathsOf(definition: Route): string[] {
  return definition.area === 'admin' ? [definition.path] : definition.versions.map((v) => `/${v}${definition.path}`);
}
