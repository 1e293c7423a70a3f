// One attempt at a call: resolves the address, checks it, calls exactly that, follows few redirects, and limits response size and time.
import { Agent, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps, Agent as TlsAgent } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { Guard } from './address.js';
import { readBytes, readJson, readStart } from './answer.js';
import { explainFailure } from './explain.js';
import { type Address, addressesOf, type Resolve } from './resolve.js';
import { BadTarget, readTarget, type Target } from './target.js';

export interface Call {
  method: string;
  url: string;
  /** The signature and our own headers. They are sent after redirects too. */
  headers: Readonly<Record<string, string>>;
  /** The step's own headers for this address: no other host may see them. */
  ownHeaders: Readonly<Record<string, string>>;
  body: string;
  timeoutMs: number;
  /** What is needed of the body of the response: its JSON, its beginning as text, or nothing. */
  wants: 'json' | 'start' | 'nothing';
}

export type Attempted =
  /** `body` is its JSON, `start` its first bytes. `retryAfter` as it came. */
  | { kind: 'answered'; status: number; retryAfter: string | undefined; body?: unknown; start?: string }
  | { kind: 'failed'; why: string }
  /** Every further attempt would fail the same way. */
  | { kind: 'refused'; why: string };

interface CallerNeeds {
  resolve: Resolve;
  allows: Guard;
}

const mostRedirects = 3;
const redirects = new Set([301, 302, 303, 307, 308]);
// Milliseconds. An unneeded body is read for a moment, so that the connection can be reused.
const drainMs = 1000;
// For idle connections. Many servers close theirs after 5 s.
const idleMs = 4000;

export class Caller {
  private readonly agents = {
    'http:': new Agent({ keepAlive: true, timeout: idleMs, maxFreeSockets: 16 }),
    'https:': new TlsAgent({ keepAlive: true, timeout: idleMs, maxFreeSockets: 16 }),
  };

  constructor(private readonly needs: CallerNeeds) {}

  async attempt(call: Call): Promise<Attempted> {
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), call.timeoutMs);
    try {
      return await this.follow(call, deadline.signal);
    } catch (error) {
      if (error instanceof BadTarget) return { kind: 'refused', why: `The address ${error.message}.` };
      if (deadline.signal.aborted)
        return { kind: 'failed', why: `It did not answer within ${call.timeoutMs / 1000} seconds.` };
      return { kind: 'failed', why: explainFailure(error) };
    } finally {
      clearTimeout(timer);
      // Closes whatever is still open.
      deadline.abort();
    }
  }

  close(): void {
    for (const agent of Object.values(this.agents)) agent.destroy();
  }

  private async follow(call: Call, signal: AbortSignal): Promise<Attempted> {
    const { resolve, allows } = this.needs;
    let { url, ownHeaders } = call;
    for (let hops = 0; ; hops++) {
      const target = readTarget(url, allows);
      const addresses = await orAborted(addressesOf(target, resolve, allows), signal);
      const response = await this.request(call, ownHeaders, target, addresses, signal);
      const next = redirectOf(call.method, response, target);
      if (next === undefined) return await answerOf(call, response);
      response.destroy();
      if (hops === mostRedirects) return { kind: 'failed', why: `It redirected more than ${mostRedirects} times.` };
      if (next.origin !== target.url.origin) ownHeaders = {};
      url = next.href;
    }
  }

  private async request(
    call: Call,
    ownHeaders: Call['ownHeaders'],
    target: Target,
    addresses: Address[],
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    try {
      return await this.requestOnce(call, ownHeaders, target, addresses, signal);
    } catch (error) {
      // A keep-alive connection that the other side has just closed says nothing about the call.
      if (!(error instanceof StaleConnection)) throw error;
      return await this.requestOnce(call, { ...ownHeaders, connection: 'close' }, target, addresses, signal);
    }
  }

  private requestOnce(
    { method, headers, body }: Call,
    ownHeaders: Call['ownHeaders'],
    { url }: Target,
    addresses: Address[],
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    const protocol = url.protocol as 'http:' | 'https:';
    const length = body === '' && method === 'GET' ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const options = {
      ...{ method, signal, agent: this.agents[protocol], lookup: pinnedTo(addresses) },
      headers: { ...ownHeaders, ...headers, ...length },
    };
    return new Promise((resolve, reject) => {
      const request = protocol === 'https:' ? requestHttps(url, options) : requestHttp(url, options);
      const fail = (error: Error) => reject(request.reusedSocket && !signal.aborted ? new StaleConnection() : error);
      request.on('response', (response) => {
        // An error that nothing awaits does not matter.
        response.on('error', () => undefined);
        resolve(response);
      });
      request.on('error', fail);
      request.on('close', () => fail(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
      request.end(body);
    });
  }
}

class StaleConnection extends Error {}

/** A lookup for connections that returns the checked addresses, whatever the name resolves to by now. */
export function pinnedTo(addresses: readonly Address[]): LookupFunction {
  return (_host, options, done) => {
    if (options.all) return done(null, [...addresses]);
    const first = addresses.find(({ family }) => !options.family || family === options.family) ?? addresses[0];
    if (first) done(null, first.address, first.family);
    else done(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), '', 0);
  };
}

/** Where a redirect leads, if it may be followed: a POST that became a GET would carry no data. */
function redirectOf(method: string, { statusCode = 0, headers }: IncomingMessage, { url }: Target): URL | undefined {
  const isFollowed = method === 'GET' ? redirects.has(statusCode) : statusCode === 307 || statusCode === 308;
  if (!isFollowed || headers.location === undefined || !URL.canParse(headers.location, url.href)) return undefined;
  const next = new URL(headers.location, url.href);
  if (url.protocol === 'https:' && next.protocol === 'http:')
    throw new BadTarget('must not lead from https to http; it redirects there');
  return next;
}

async function answerOf({ wants, timeoutMs }: Call, response: IncomingMessage): Promise<Attempted> {
  const { statusCode: status = 0, headers } = response;
  if (wants === 'start')
    return {
      ...{ kind: 'answered', status, retryAfter: headers['retry-after'] },
      start: await readStart(response, drainMs),
    };
  const isWanted = wants === 'json' && status >= 200 && status < 300;
  const bytes = await readBytes(response, isWanted ? timeoutMs : drainMs);
  const body = isWanted && bytes ? readJson(bytes, headers['content-encoding']) : undefined;
  return { kind: 'answered', status, retryAfter: headers['retry-after'], ...(body === undefined ? {} : { body }) };
}

async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    if (stop) signal.removeEventListener('abort', stop);
  }
}
