// Which sites' scripts may send a form: those that it names, and no others.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PublicForm } from '../queries.js';

/** No cookies are involved: a site can do no more than anyone who knows the address. */
export function answerOrigin(request: FastifyRequest, reply: FastifyReply, form: PublicForm): void {
  reply.header('vary', 'origin');
  const { origin } = request.headers;
  if (origin === undefined || !form.allowedOrigins.includes(origin)) return;
  reply.headers({
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'Retry-After, X-Request-Id',
  });
}

/** The answer is the same to a browser that may not send, without the headers that let it. */
export function answerPreflight(
  request: FastifyRequest,
  reply: FastifyReply,
  form: PublicForm | undefined,
): FastifyReply {
  reply.header('vary', 'origin');
  if (form) answerOrigin(request, reply, form);
  if (reply.hasHeader('access-control-allow-origin'))
    reply.headers({
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': 'content-type',
      'access-control-max-age': '600',
    });
  return reply.code(204).send();
}
