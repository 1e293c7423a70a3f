// From a route and what is given for it to what goes over the wire.
import type { Version } from '@rapport/contract';
import { addressOf } from './address.js';
import type { AnyInput, RouteAddress } from './input.js';
import type { Outgoing } from './send.js';
import { streamOf } from './upload.js';

/** What all requests of a client have in common. */
export interface Origin {
  baseUrl: string;
  token: string;
  version: Version;
  /** Of the Idempotency-Key for a POST that has none. */
  newKey: () => string | undefined;
}

export function requestOf(origin: Origin, route: RouteAddress, input: AnyInput): Outgoing {
  const key = keyOf(route, input, origin.newKey);
  const { type, ...body } = bodyOf(input);
  return {
    method: route.method,
    url: origin.baseUrl + addressOf(route, origin.version, input.params, input.query),
    headers: {
      ...authorizationOf(origin),
      ...(type === undefined ? {} : { 'content-type': type }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...(input.ifMatch ? { 'if-match': input.ifMatch } : {}),
    },
    ...body,
    // No other method is: a second DELETE or PATCH may find 404 or 412 where the first one did its work.
    harmless: route.method === 'GET' || key !== undefined,
    hasTimeout: input.contentType === undefined,
    signal: input.signal,
  };
}

export function downloadOf(origin: Origin, path: string, signal: AbortSignal | undefined): Outgoing {
  return {
    method: 'GET',
    url: origin.baseUrl + path,
    headers: authorizationOf(origin),
    harmless: true,
    replayable: true,
    hasTimeout: true,
    leavesBody: true,
    signal,
  };
}

function authorizationOf({ token }: Origin): { authorization: string } {
  // Fetch would refuse it as well, and that would look like a service that cannot be reached.
  if (!/^[\x21-\x7e]+$/.test(token)) throw new Error('This is not a token: it is empty, or has spaces in it.');
  return { authorization: `Bearer ${token}` };
}

function keyOf({ method, area }: RouteAddress, { idempotencyKey }: AnyInput, newKey: Origin['newKey']) {
  if (method !== 'POST' || area !== 'api' || idempotencyKey === false) return undefined;
  if (idempotencyKey === undefined) return newKey();
  if (/^[\x21-\x7e]{1,255}$/.test(idempotencyKey)) return idempotencyKey;
  // Fetch would refuse most of these, and that would look like a service that cannot be reached.
  throw new Error('idempotencyKey must have 1 to 255 visible ASCII characters, or be false for none.');
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
