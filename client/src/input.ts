// What a call takes and answers, told by the route object.
import type { BodyValue, DataValue, ErrorItem, PathValues, QueryValues, Route } from '@rapport/contract';
import type { Upload } from './upload.js';

/** All that is read of a route at run time; its schemas are for the compiler only. */
export type RouteAddress = Pick<Route, 'id' | 'method' | 'path' | 'area' | 'versions'>;
export type PagedRoute = Route & { paged: true };

type Nothing = Record<never, never>;
type IsOptional<T> = Nothing extends T ? true : false;

/** What may be given for `T`: it is only read, and JSON leaves out what is undefined. */
type Given<T> = T extends readonly (infer Item)[]
  ? readonly Given<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: IsOptional<Pick<T, K>> extends true ? Given<T[K]> | undefined : Given<T[K]> }
    : T;

type ParamsOf<R extends Route> = keyof PathValues<R> extends never
  ? { readonly params?: undefined }
  : { readonly params: { readonly [K in keyof PathValues<R>]: string | number } };

type QueryOf<R extends Route> = keyof QueryValues<R> extends never
  ? { readonly query?: undefined }
  : { readonly query?: { readonly [K in keyof QueryValues<R>]?: Given<QueryValues<R>[K]> | undefined } | undefined };

type BodyOf<R extends Route> = R extends { consumes: infer Types }
  ? {
      readonly body: Upload;
      readonly contentType: keyof Types;
      /** Called with all bytes that were sent so far. Not for a Blob, which the platform reads by itself. */
      readonly onSent?: ((bytes: number) => void) | undefined;
    }
  : R extends { body: object }
    ? IsOptional<BodyValue<R>> extends true
      ? { readonly body?: Given<BodyValue<R>> | undefined }
      : { readonly body: Given<BodyValue<R>> }
    : { readonly body?: undefined };

type KeyOf<R extends Route> = R extends { method: 'POST'; area: 'api' }
  ? {
      /** Your own, of 1 to 255 visible characters; false for none. Without either the client makes one. */
      readonly idempotencyKey?: string | false | undefined;
    }
  : { readonly idempotencyKey?: undefined };

interface CallOptions {
  /** The `etag` of an earlier answer: refused with 412 when somebody else made a change since. */
  readonly ifMatch?: string | null | undefined;
  /** Stops at any time, also between two attempts. */
  readonly signal?: AbortSignal | undefined;
}

export type CallInput<R extends Route> = CallOptions & ParamsOf<R> & QueryOf<R> & BodyOf<R> & KeyOf<R>;

/** The second argument may be left out where nothing in it is needed. */
export type CallArguments<R extends Route> =
  IsOptional<CallInput<R>> extends true ? [input?: CallInput<R>] : [input: CallInput<R>];

/** The same for every route, as the code inside sees it. */
export interface AnyInput extends CallOptions {
  readonly params?: Readonly<Record<string, string | number>> | undefined;
  readonly query?: QueryGiven | undefined;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly onSent?: ((bytes: number) => void) | undefined;
  readonly idempotencyKey?: string | false | undefined;
}
export type QueryGiven = Readonly<Record<string, string | number | readonly (string | number)[] | undefined>>;

export interface Answer<Data> {
  data: Data;
  /** Items beside the data, where a part of what was asked for could not be done. */
  errors: readonly ErrorItem[];
  etag: string | null;
  /** The answer is that of an earlier request with the same Idempotency-Key. */
  replayed: boolean;
  requestId: string | null;
}
export type AnswerData<R extends Route> = R extends { paged: true } ? DataValue<R>[] : DataValue<R>;

export interface Pagination {
  pageNumber: number;
  pageSize: number;
  totalElements: number;
  totalPages: number;
}
export interface Page<Row> extends Pagination {
  rows: Row[];
}
