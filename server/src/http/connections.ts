// What one connection may hold, whatever the client does: one unread response, a few waiting requests, and limited time.
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../lib/clock.js';
import { ApiError, invalid } from './api-error.js';
import { fewest, gatherPieces } from './pieces.js';

/** Milliseconds, unless the name says otherwise. */
export interface ConnectionLimits {
  /** For the request line and the headers; also from connecting to the first byte. */
  headers: number;
  /** For the whole body. Streams are exempt while they make progress. */
  body: number;
  /** Without a byte in either direction while a request is in flight. */
  idle: number;
  /** From the end of a response until the client has read all of it. */
  answer: number;
  /** Between two requests. Longer than the 60 s of common load balancers, which must be the ones to close. */
  keepAlive: number;
  /** How many requests may wait behind the one being answered. If there are more, the connection is closed. */
  pipelined: number;
  /** Bytes of unread responses on all connections. Beyond that, the connections that have waited longest are closed. */
  unread: number;
  /** For reading the response to a request that was refused halfway. */
  goodbye: number;
  /** How often the limits above are checked. */
  look: number;
}

export const connectionLimits: ConnectionLimits = {
  headers: 20_000,
  body: 60_000,
  idle: 60_000,
  answer: 120_000,
  keepAlive: 72_000,
  pipelined: 100,
  unread: 128 * 1024 * 1024,
  goodbye: 1000,
  look: 2000,
};

const streams = new WeakSet<IncomingMessage>();

/** This body may take any time as long as it makes progress. */
export function letStream(request: IncomingMessage): void {
  streams.add(request);
}

/** A server with bounded connections; `serve` sees one request of a connection at a time. */
export function boundedServer(serve: RequestListener, limits: ConnectionLimits, clock: Clock): Server {
  const server = createServer({
    // Refused in the envelope: see server.ts.
    requireHostHeader: false,
    // A filter of 16 KiB in a query string is three times as long if every character is percent-encoded. Below the 64 KiB of one
    // socket read: the response to a refused request then depends on how it began, see isHead().
    maxHeaderSize: 56 * 1024,
    headersTimeout: limits.headers,
    // Our own timeout knows which bodies are streams.
    requestTimeout: 0,
    keepAliveTimeout: limits.keepAlive,
    connectionsCheckingInterval: limits.look,
  });
  server.timeout = limits.idle;
  const connections = new Map<Socket, Connection>();
  server.on('connection', (socket: Socket) => {
    connections.set(socket, new Connection(socket, serve, limits, clock));
    socket.once('close', () => connections.delete(socket));
  });
  const take: RequestListener = (request, response) => connections.get(request.socket)?.take(request, response);
  server.on('request', take);
  server.on('checkExpectation', take);
  const timer = setInterval(() => {
    for (const connection of connections.values()) connection.look(clock.elapsed());
    relieve([...connections.values()], limits.unread);
  }, limits.look);
  timer.unref();
  server.once('close', () => clearInterval(timer));
  return server;
}

/** One token can open a thousand connections, so what they hold together is bounded too. */
function relieve(connections: readonly Connection[], most: number): void {
  const holding = connections.filter(({ unread }) => unread > 0).sort((a, b) => a.waitsSince - b.waitsSince);
  let excess = holding.reduce((sum, { unread }) => sum + unread, -most);
  for (const connection of holding) {
    if (excess <= 0) return;
    excess -= connection.unread;
    connection.close();
  }
}

/** The parser that Node attaches to every HTTP connection. `1` skips the body. */
interface Parser {
  onIncoming?: (request: IncomingMessage, keepAlive: boolean) => number;
}

/**
 * Serves the requests of a connection one after the other. Node would start all requests of one socket read, up to two thousand,
 * and keep their responses for a client that reads none. This costs nothing, because no common client pipelines.
 */
class Connection {
  private readonly waiting: [IncomingMessage, ServerResponse][] = [];
  private serving: ServerResponse | undefined;
  private answeredAt: number | undefined;
  /** Only the latest request can still be arriving. */
  private latest: IncomingMessage | undefined;
  private latestAt = 0;

  constructor(
    private readonly socket: Socket,
    private readonly serve: RequestListener,
    private readonly limits: ConnectionLimits,
    private readonly clock: Clock,
  ) {
    this.boundReads();
  }

  /**
   * One read of 64 KiB may bring two thousand requests. Node makes a response for each, and an error for each when the connection ends,
   * even if it is already closed: excess requests stop here. Node has no public API for this; without it they are
   * dropped in `take`, which costs more.
   */
  private boundReads(): void {
    const { parser } = this.socket as Socket & { parser?: Parser | null };
    const parse = parser?.onIncoming;
    if (!parser || !parse) return;
    parser.onIncoming = (request, keepAlive) => {
      if (this.waiting.length < this.limits.pipelined) return parse(request, keepAlive);
      this.socket.destroy();
      return 1;
    };
  }

  take(request: IncomingMessage, response: ServerResponse<IncomingMessage> & { req: IncomingMessage }): void {
    if (this.socket.destroyed) return;
    this.latest = request;
    this.latestAt = this.clock.elapsed();
    if (hasBody(request)) gatherPieces(request, response, () => this.refuseDust(request, response));
    if (!this.serving) this.begin(request, response);
    else if (this.waiting.length >= this.limits.pipelined) this.socket.destroy();
    else {
      this.waiting.push([request, response]);
      this.socket.pause();
    }
  }

  get unread(): number {
    return this.socket.writableLength;
  }

  /** In checks; a response newer than the last check has waited the shortest. */
  get waitsSince(): number {
    return this.answeredAt ?? Number.POSITIVE_INFINITY;
  }

  close(): void {
    this.socket.destroy();
  }

  /** Ends what has taken too long. */
  look(now: number): void {
    const { latest, serving, limits } = this;
    if (latest?.complete) this.latest = undefined;
    else if (latest && !streams.has(latest) && now - this.latestAt > limits.body) this.giveUp(latest);
    if (!serving?.writableEnded) return;
    this.answeredAt ??= now;
    if (now - this.answeredAt > limits.answer) this.socket.destroy();
  }

  private begin(request: IncomingMessage, response: ServerResponse): void {
    this.serving = response;
    this.answeredAt = undefined;
    response.on('close', this.next);
    this.serve(request, response as Parameters<RequestListener>[1]);
  }

  private readonly next = (): void => {
    this.serving = undefined;
    if (this.socket.destroyed) this.waiting.length = 0;
    const following = this.waiting.shift();
    if (following) this.begin(...following);
    else if (this.socket.isPaused()) this.socket.resume();
  };

  /** It is answered, if it was not yet, and nothing more is read from the connection. */
  private refuseDust(request: IncomingMessage, response: ServerResponse): void {
    this.latest = undefined;
    this.socket.pause();
    const isHeard = !response.writableEnded && request.listenerCount('error') > 0;
    if (!isHeard) {
      this.hangUp();
      return;
    }
    response.once('finish', () => this.hangUp());
    request.emit('error', invalid('body', `must come in larger pieces than ${fewest.bytes} bytes`));
  }

  /** Closing a connection with unread data discards the response, so the client gets a moment to read it. */
  private hangUp(): void {
    const timer = setTimeout(() => this.socket.destroy(), this.limits.goodbye).unref();
    this.socket.once('close', () => clearTimeout(timer));
    this.socket.end();
  }

  /** The reader of the body gets the error and responds; without a reader there is nothing to do. */
  private giveUp(request: IncomingMessage): void {
    this.latest = undefined;
    if (request.listenerCount('error') === 0) this.socket.destroy();
    else request.emit('error', new ApiError('REQUEST_TIMEOUT', { seconds: this.limits.body / 1000 }));
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0;
}
