// Bodies that are read as they arrive, for routes that declare what they `consume`.
import type { IncomingMessage } from 'node:http';
import type { Route } from '@rapport/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { invalid, tooLarge } from './api-error.js';
import { letStream } from './connections.js';
import type { BodyStream } from './endpoint.js';
import { isNoOtherCharset } from './json.js';

// A client that is refused early may still be sending. It gets this long to notice the response.
const lingerMs = 30_000;

/**
 * In its own scope, because a Fastify parser applies to all routes of its scope: here the body is left unread. A single file, of which
 * `mostFileBytes` is the limit, gets no more time than any other body.
 */
export function installStreamed(
  app: FastifyInstance,
  install: (scope: FastifyInstance) => void,
  mostFileBytes?: number,
): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    // After the guard: a caller without a token may not take its time.
    scope.addHook('onRequest', (request, _reply, done) => {
      if (mostFileBytes === undefined) letStream(request.raw);
      done();
    });
    scope.addHook('onSend', async (request) => discardRest(request.raw));
    install(scope);
  });
}

// What a form has beside its file: boundaries, headers, and fields that are ignored.
const mostAroundFile = 64 * 1024;

export function streamOf(request: FastifyRequest, { consumes = {}, mostFileBytes }: Route): BodyStream {
  const contentType = request.headers['content-type'] ?? '';
  const [given = '', ...parameters] = contentType.toLowerCase().split(';');
  const mediaType = given.trim();
  if (mostFileBytes !== undefined) {
    if (Number(request.headers['content-length']) > mostFileBytes + mostAroundFile) throw tooLarge(mostFileBytes);
  } else if (!Object.hasOwn(consumes, mediaType) || !parameters.every(isNoOtherCharset)) {
    throw invalid('Content-Type', `must be ${Object.keys(consumes).join(' or ')}, in UTF-8`);
  }
  // A reader that stops early must not destroy the request: that would close the connection before the response is sent.
  return { mediaType, contentType, bytes: request.raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer> };
}

/** Drains the body, so that the response reaches a client that reads it only after it has sent everything. */
function discardRest(raw: IncomingMessage): void {
  if (raw.readableEnded || raw.destroyed) return;
  raw.resume();
  const timer = setTimeout(() => raw.destroy(), lingerMs);
  timer.unref();
  raw.once('close', () => clearTimeout(timer));
}
