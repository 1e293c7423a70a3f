import type { FastifyInstance } from 'fastify';
import type { Clock } from '../lib/clock.js';
import { jsonType, successJson } from './envelope.js';
import { notReady } from './error-handler.js';

// Milliseconds, from the request on. Load balancers wait for 5 s, and other requests may be ahead of it on the connection.
const longestPing = 3500;

async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms / 1000} s`)), ms);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** `/healthz`: the process responds. `/readyz`: it can serve. */
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
    await within(longestPing, ping()).catch((cause: Error) => {
      throw notReady({ reason: 'the database does not answer', retryAfter: 1 }, cause);
    });
    reply.header('content-type', jsonType);
    return successJson('{"status":"ready"}', clock.now());
  });
}
