import type { FastifyInstance } from 'fastify';
import { onAnswered } from './answered.js';

/** One line per request. The route pattern, not the path: paths and query strings contain emails and ids. */
export function installRequestLog(app: FastifyInstance): void {
  onAnswered(app, (request, reply, status) => {
    request.log.info(
      {
        requestId: request.id,
        method: request.method,
        route: request.routeOptions.config.pattern ?? request.routeOptions.url ?? 'unknown',
        status,
        ms: Math.round(reply.elapsedTime * 100) / 100,
        tenantId: request.caller?.tenantId,
      },
      'request',
    );
  });
}
