import type { FastifyReply, FastifyRequest } from 'fastify';

const askedShape = /^[\w\s,-]{1,500}$/;

/**
 * Lets pages of any origin send to /ingest, and nowhere else. There are no cookies here, so a page can do no more than
 * anyone who has its key. Returns whether this was only a browser's preflight.
 */
export function answerCors(request: FastifyRequest, reply: FastifyReply): boolean {
  reply.header('access-control-allow-origin', '*');
  if (request.method !== 'OPTIONS') {
    reply.header('access-control-expose-headers', 'Retry-After, X-Request-Id');
    return false;
  }
  const asked = String(request.headers['access-control-request-headers'] ?? '');
  reply.headers({
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': askedShape.test(asked) ? asked : 'authorization, content-type',
    'access-control-max-age': '86400',
  });
  reply.code(204).send();
  return true;
}
