import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { onAnswered } from './answered.js';

export interface Metrics {
  /** Features add their own metrics. */
  registry: Registry;
  install(app: FastifyInstance): void;
  processMetrics(): void;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  return {
    registry,
    install: (app) => installMetrics(app, registry),
    processMetrics: () => collectDefaultMetrics({ register: registry }),
  };
}

/** Counts and times every request by route pattern, never by path: ids and emails stay out of the metrics. */
function installMetrics(app: FastifyInstance, registry: Registry): void {
  const duration = new Histogram({
    name: 'rapport_http_request_duration_seconds',
    help: 'Time from the request line to the last byte of the response.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  const refused = new Counter({
    name: 'rapport_http_refused_total',
    help: 'Requests refused before a handler, by status.',
    labelNames: ['status'],
    registers: [registry],
  });
  // Looking up a timer by its labels costs more than the observation, and there is a bounded number of them.
  const timers = new Map<string, { observe(seconds: number): void }>();
  const timerOf = (method: string, route: string, status: number) => {
    const key = `${method} ${route} ${status}`;
    let timer = timers.get(key);
    if (!timer) {
      timer = duration.labels(method, route, String(status));
      timers.set(key, timer);
    }
    return timer;
  };
  onAnswered(app, (request, reply, status) => {
    const route =
      request.routeOptions.config.pattern ?? (request.is404 ? 'unknown' : (request.routeOptions.url ?? 'unknown'));
    timerOf(request.method, route, status).observe(reply.elapsedTime / 1000);
    if (status === 401 || status === 403 || status === 429) refused.labels(String(status)).inc();
  });
  app.get('/metrics', { config: { area: 'admin' } }, async (_request, reply) => {
    reply.header('content-type', registry.contentType);
    return registry.metrics();
  });
}
