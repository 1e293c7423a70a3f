import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type RequestSpan, requestSpan } from '../lib/tracing.js';
import { onAnswered } from './answered.js';

/** One span per request, named by the route pattern: paths contain emails and ids. It continues the caller's trace. */
export function installRequestTrace(app: FastifyInstance): void {
  const spans = new WeakMap<FastifyRequest, RequestSpan>();
  app.addHook('onRequest', (request, _reply, done) => {
    const span = requestSpan(request.headers);
    if (span) spans.set(request, span);
    done();
  });
  // Not earlier: what runs after the body was read belongs to the socket, not to the request.
  app.addHook('preHandler', (request, _reply, done) => {
    const span = spans.get(request);
    if (span) span.within(done);
    else done();
  });
  onAnswered(app, (request, _reply, status) => {
    const route = request.routeOptions.config.pattern ?? request.routeOptions.url ?? 'unknown';
    const tenantId = request.caller?.tenantId;
    spans.get(request)?.end(
      `${request.method} ${route}`,
      {
        'http.request.method': request.method,
        'http.route': route,
        'http.response.status_code': status,
        'rapport.request_id': request.id,
        ...(tenantId === undefined ? {} : { 'rapport.tenant_id': tenantId }),
      },
      status >= 500,
    );
  });
}
