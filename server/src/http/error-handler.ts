import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorItem } from '@rapport/contract';
import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify';
import type { Clock } from '../lib/clock.js';
import { newRequestId } from '../lib/ids.js';
import { ApiError, errorItem, notFound, tooLarge } from './api-error.js';
import { connectionLimits } from './connections.js';
import { failureJson, jsonType } from './envelope.js';

/** Turns every error into an envelope. What the caller must not see goes to the log. */
export function installErrorHandler(
  app: FastifyInstance,
  clock: Clock,
  whyUnavailable: (error: Error) => Unavailability | undefined,
): void {
  app.setErrorHandler((error: Error, request, reply) => {
    if (isGone(error, request.raw)) {
      // The caller is gone; the status, which is common for this, is for the log and the metrics.
      reply.code(499).header('content-type', jsonType).send('');
      return;
    }
    const why = whyUnavailable(error);
    const known = why ? notReady(why, error) : toApiError(error, request.routeOptions.bodyLimit);
    // One line, without a stack: while a database is unavailable there is one for each request.
    if (known.status === 503)
      request.log.warn({ error: error.message, requestId: request.id }, 'request refused for now');
    else if (known.status >= 500) request.log.error({ err: error, requestId: request.id }, 'request failed');
    sendError(reply, known, clock);
  });
  app.setNotFoundHandler((_request, reply) => sendError(reply, notFound('route'), clock));
}

/** A client that disconnects before it has sent everything. Other failures are reported as usual. */
function isGone(error: Error, raw: IncomingMessage): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return raw.destroyed && !raw.complete && (code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE');
}

function sendError(reply: FastifyReply, error: ApiError, clock: Clock): void {
  // Fastify asks to close here; Node would then reset the connection while the client still sends, and the response would be lost.
  if (error.status === 413) reply.removeHeader('connection');
  reply
    .code(error.status)
    .headers(error.headers)
    .header('content-type', jsonType)
    .send(failureJson(error.items, clock.now()));
}

function toApiError(error: Error, bodyLimit: number): ApiError {
  if (error instanceof ApiError) return error;
  const { code, statusCode } = error as FastifyError;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return tooLarge(bodyLimit);
  if (typeof code === 'string' && code.startsWith('FST_') && statusCode !== undefined && statusCode < 500) {
    return new ApiError('VALIDATION_ERROR', { reason: 'The request is malformed.' }, { detail: 'request' });
  }
  return new ApiError('INTERNAL_ERROR');
}

/** Why a request cannot be served now, in words for the caller; and after how many seconds to try again. */
export interface Unavailability {
  reason: string;
  retryAfter: number;
}

export function notReady({ reason, retryAfter }: Unavailability, cause?: unknown): ApiError {
  return new ApiError('NOT_READY', { reason }, { headers: { 'retry-after': String(retryAfter) }, cause });
}

/** Requests so malformed or slow that Node gives up get an envelope too. */
export function onClientError(clock: Clock) {
  return (error: Error & { code?: string; rawPacket?: unknown }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const { status, statusText, item } = refusals[error.code ?? ''] ?? notHttp;
    const body = failureJson([item], clock.now());
    socket.end(
      `HTTP/1.1 ${status} ${statusText}\r\nContent-Type: ${jsonType}\r\nX-Request-Id: ${newRequestId()}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${isHead(error.rawPacket) ? '' : body}`,
    );
  };
}

// A response to HEAD has no body: a client would take one for the start of the next response.
function isHead(packet: unknown): boolean {
  return Buffer.isBuffer(packet) && packet.toString('latin1', 0, 5) === 'HEAD ';
}

interface Refusal {
  status: number;
  statusText: string;
  item: ErrorItem;
}
const notHttp: Refusal = {
  status: 400,
  statusText: 'Bad Request',
  item: errorItem('VALIDATION_ERROR', { reason: 'The request is not valid HTTP.' }, 'request'),
};
const refusals: Record<string, Refusal> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    statusText: 'Request Header Fields Too Large',
    item: errorItem('HEADERS_TOO_LARGE'),
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    statusText: 'Request Timeout',
    item: errorItem('REQUEST_TIMEOUT', { seconds: connectionLimits.headers / 1000 }),
  },
};
