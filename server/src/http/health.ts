import type { FastifyInstance } from 'fastify';
import type { Clock } from '../lib/clock.js';
import { jsonType, successJson } from './envelope.js';
import { notReady } from './error-handler.js';

/** `/healthz`: the process answers. `/readyz`: it can serve. */
export function installHealth(
  http: FastifyInstance,
  { ping, clock, isDraining }: { ping: () => Promise<void>; clock: Clock; isDraining: () => boolean },
): void {
  const config = { area: 'open', isUncounted: true } as const;
  http.get('/healthz', { config }, async (_request, reply) => {
    reply.header('content-type', jsonType);
    return successJson('{"status":"ok"}', clock.now());
  });
  http.get('/readyz', { config }, async (_request, reply) => {
    if (isDraining()) throw notReady({ reason: 'it is stopping', retryAfter: 5 });
    await ping().catch((cause: Error) => {
      throw notReady({ reason: 'the database does not answer', retryAfter: 1 }, cause);
    });
    reply.header('content-type', jsonType);
    return successJson('{"status":"ready"}', clock.now());
  });
}
