import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify';
import type { Clock } from '../lib/clock.js';
import { newRequestId } from '../lib/ids.js';
import { ApiError, errorItem, notFound } from './api-error.js';
import { failureJson, jsonType } from './envelope.js';

/** Turns every error into one envelope. What the caller must not see goes to the log. */
export function installErrorHandler(
  app: FastifyInstance,
  clock: Clock,
  whyUnavailable: (error: Error) => Unavailability | undefined,
): void {
  app.setErrorHandler((error: Error, request, reply) => {
    const why = whyUnavailable(error);
    const known = why ? notReady(why, error) : toApiError(error);
    // One line, without a stack: while a database is away there is one for each request.
    if (why) request.log.warn({ error: error.message, requestId: request.id }, 'request refused for now');
    else if (known.status >= 500) request.log.error({ err: error, requestId: request.id }, 'request failed');
    sendError(reply, known, clock);
  });
  app.setNotFoundHandler((_request, reply) => sendError(reply, notFound('route'), clock));
}

function sendError(reply: FastifyReply, error: ApiError, clock: Clock): void {
  // Fastify asks to close here; Node would then reset the connection while the client still sends, and the answer with it.
  if (error.status === 413) reply.removeHeader('connection');
  reply
    .code(error.status)
    .headers(error.headers)
    .header('content-type', jsonType)
    .send(failureJson(error.items, clock.now()));
}

function toApiError(error: Error): ApiError {
  if (error instanceof ApiError) return error;
  const { code, statusCode } = error as FastifyError;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new ApiError('PAYLOAD_TOO_LARGE', { limit: '10 MiB' });
  if (typeof code === 'string' && code.startsWith('FST_') && statusCode !== undefined && statusCode < 500) {
    return new ApiError('VALIDATION_ERROR', { reason: 'The request is malformed.' }, { detail: 'request' });
  }
  return new ApiError('INTERNAL_ERROR');
}

/** Why a request cannot be served now, in words for the caller; and after how many seconds it may be. */
export interface Unavailability {
  reason: string;
  retryAfter: number;
}

export function notReady({ reason, retryAfter }: Unavailability, cause?: unknown): ApiError {
  return new ApiError('NOT_READY', { reason }, { headers: { 'retry-after': String(retryAfter) }, cause });
}

const statusText: Record<number, string> = { 400: 'Bad Request', 431: 'Request Header Fields Too Large' };

/** Requests so broken that Node's parser gives up get an envelope too. */
export function onClientError(clock: Clock) {
  return (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const tooLarge = error.code === 'HPE_HEADER_OVERFLOW';
    const status = tooLarge ? 431 : 400;
    const item = tooLarge
      ? errorItem('HEADERS_TOO_LARGE')
      : errorItem('VALIDATION_ERROR', { reason: 'The request is not valid HTTP.' }, 'request');
    const body = failureJson([item], clock.now());
    socket.end(
      `HTTP/1.1 ${status} ${statusText[status]}\r\nContent-Type: ${jsonType}\r\nX-Request-Id: ${newRequestId()}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    );
  };
}
