// A `fetch` for addresses chosen by strangers, such as an issuer or a client's metadata: guarded like webhooks, without redirects.
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Guard } from './address.js';
import { readBytes } from './answer.js';
import { pinnedTo } from './caller.js';
import { addressesOf, type Resolve } from './resolve.js';
import { readTarget } from './target.js';

export type GuardedFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

// Milliseconds, from the first DNS query to the last byte.
const patience = 5000;

/** Throws if the address must not be called, does not respond in time, or sends more than 64 KB. */
export function guardedFetch(resolve: Resolve, allows: Guard): GuardedFetch {
  return async (url, init = {}) => {
    const deadline = AbortSignal.timeout(patience);
    const signal = init.signal ? AbortSignal.any([init.signal, deadline]) : deadline;
    const target = readTarget(String(url), allows);
    const addresses = await addressesOf(target, resolve, allows);
    signal.throwIfAborted();
    const body = init.body === undefined || init.body === null ? '' : await new Response(init.body).text();
    const response = await send(target.url, { ...init, signal }, body, pinnedTo(addresses));
    const bytes = await readBytes(response, patience);
    if (!bytes) throw new Error(`${target.url.host} answered with more than fits, or did not end its answer in time.`);
    const { statusCode: status = 502 } = response;
    const isEmpty = [204, 205, 304].includes(status);
    const answered = new Response(isEmpty ? null : new Uint8Array(bytes), { status, headers: headersOf(response) });
    Object.defineProperty(answered, 'url', { value: target.url.href });
    return answered;
  };
}

function send(
  url: URL,
  { method = 'GET', headers, signal }: RequestInit,
  body: string,
  lookup: ReturnType<typeof pinnedTo>,
): Promise<IncomingMessage> {
  const length = method === 'GET' || method === 'HEAD' ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const options = {
    ...{ method, lookup, signal: signal ?? undefined, agent: false as const },
    // A compressed response would have to be decompressed before it is counted.
    headers: { ...Object.fromEntries(new Headers(headers)), 'accept-encoding': 'identity', ...length },
  };
  return new Promise((resolve, reject) => {
    const request = url.protocol === 'https:' ? requestHttps(url, options) : requestHttp(url, options);
    request.on('response', (response) => {
      response.on('error', () => undefined);
      resolve(response);
    });
    request.on('error', reject);
    request.end(body);
  });
}

function headersOf({ headers }: IncomingMessage): Headers {
  const kept = new Headers();
  for (const [name, value] of Object.entries(headers))
    for (const each of Array.isArray(value) ? value : [value]) if (each !== undefined) kept.append(name, each);
  return kept;
}
