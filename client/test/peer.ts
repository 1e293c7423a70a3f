// The other end of a call: a real HTTP server that answers from a script, and time that passes at once.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type Client, type ClientOptions, createClient } from '../src/index.js';

interface Received {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}
interface Scripted {
  status?: number;
  headers?: Record<string, string>;
  /** JSON unless it is text. */
  body?: unknown;
  /**
   * Instead of an answer: 'cut' ends the connection before one, 'half' in the middle of it, 'stall' leaves it open there,
   * 'hang' says nothing.
   */
  fault?: 'cut' | 'half' | 'stall' | 'hang';
}

export function envelope(data: unknown, more: object = {}): Scripted {
  return { body: { data, errors: [], meta: { status: 'SUCCESS' }, ...more } };
}

export function refusal(
  status: number,
  errorCode: string,
  message = 'No.',
  headers: Record<string, string> = {},
): Scripted {
  return { status, headers, body: { data: null, errors: [{ errorCode, message }], meta: { status: 'FAILURE' } } };
}

interface Peer {
  received: Received[];
  /** Milliseconds of every pause that the client made. */
  pauses: number[];
  /** What is answered next, in order. The last one stays. */
  answers(...script: Scripted[]): void;
  client(options?: Partial<ClientOptions>): Client;
  readonly url: string;
}

/** For `describe` or a whole file. */
export function usePeer(): Peer {
  const received: Received[] = [];
  const pauses: number[] = [];
  let script: Scripted[] = [];
  let url = '';
  let now = Date.parse('2026-11-15T09:30:00Z');
  const server = createServer(async (request, response) => {
    let body = '';
    try {
      for await (const piece of request) body += piece;
    } catch {
      // A client that broke off wants no answer.
      return;
    }
    received.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
    const next = script.length > 1 ? script.shift() : script[0];
    answer(response, next ?? { status: 500, body: 'No answer was scripted.' });
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    received.length = 0;
    pauses.length = 0;
    script = [];
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const clock = {
    now: () => now,
    random: () => 0.5,
    newKey: () => 'made-key',
    sleep: async (ms: number, signal: AbortSignal | undefined) => {
      signal?.throwIfAborted();
      pauses.push(ms);
      now += ms;
    },
  };
  return {
    received,
    pauses,
    answers: (...next) => {
      script = next;
    },
    client: (options = {}) => createClient({ baseUrl: url, token: 'rpt_pat_x', clock, ...options }),
    get url() {
      return url;
    },
  };
}

function answer(response: ServerResponse, { status = 200, headers = {}, body = '', fault }: Scripted): void {
  if (fault === 'hang') return;
  if (fault === 'cut') {
    response.socket?.destroy();
    return;
  }
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, { 'content-length': Buffer.byteLength(text), 'x-request-id': 'req-1', ...headers });
  if (fault === 'stall') response.write(text.slice(0, text.length / 2));
  else if (fault !== 'half') response.end(text);
  else response.write(text.slice(0, text.length / 2), () => response.socket?.destroy());
}
