// What the client wants of fetch: a part of the platform's own, so that a test or a service can stand in for it.
import type { Method } from '@rapport/contract';

export interface FetchInit {
  method: Method;
  headers: Record<string, string>;
  body?: string | Blob | ReadableStream<Uint8Array>;
  /** Fetch wants it with a stream. */
  duplex?: 'half';
  credentials: 'omit';
  /** Rapport never redirects. If followed, a POST may arrive as a GET, and personal data at a stranger. */
  redirect: 'manual';
  signal: AbortSignal;
}
/** What is read of a Response. */
export interface FetchAnswer {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: ReadableStream<Uint8Array> | null;
  text(): Promise<string>;
}
/** The platform's own, or anything else that takes a request and answers. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchAnswer>;
