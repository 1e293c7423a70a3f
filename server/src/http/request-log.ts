import type { FastifyInstance } from 'fastify';

/** One line a request. The route pattern, not the path: paths and query strings carry emails and ids. */
export function installRequestLog(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      {
        requestId: request.id,
        method: request.method,
        route: request.routeOptions.config.pattern ?? request.routeOptions.url ?? 'unknown',
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 100) / 100,
        tenantId: request.caller?.tenantId,
      },
      'request',
    );
    done();
  });
}
