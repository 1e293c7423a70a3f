import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

// As in nginx: only for the log and the metrics.
const gone = 499;

/** Reports once how each request ended. Fastify does not report a client that disconnects before it has its response. */
export function onAnswered(
  app: FastifyInstance,
  tell: (request: FastifyRequest, reply: FastifyReply, status: number) => void,
): void {
  const told = new WeakSet<FastifyRequest>();
  const once = (request: FastifyRequest, reply: FastifyReply, status: number) => {
    if (told.has(request)) return;
    told.add(request);
    tell(request, reply, status);
  };
  app.addHook('onRequest', (request, reply, done) => {
    reply.raw.once('close', () => once(request, reply, gone));
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    once(request, reply, reply.statusCode);
    done();
  });
}
