// A route that the console asks about the session of its browser, in JSON. Without the envelope: the API proper is /v2, with the token that is
// issued for a session.
import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import type { Session, Sessions } from './sessions.js';

/** Answers a person who is signed in. Undefined if they no longer are, or the reply is sent already. */
export type SessionHandler = (
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
) => Promise<object | undefined>;
type Otherwise = (request: FastifyRequest, reply: FastifyReply) => Promise<object>;

/** Only for people who are signed in: others get `otherwise`, or 401. Answers with secrets are not cached. */
export function sessionRoute(sessions: Sessions, path: string, answer: SessionHandler, otherwise?: Otherwise) {
  const handler: RouteHandlerMethod = async (request, reply) => {
    reply.header('cache-control', 'no-store');
    // A page on another site must not act for a person who is signed in here.
    if (request.method === 'POST' && !sessions.cookies.isSameOrigin(request)) return reply.code(403).send();
    const session = await sessions.find(request);
    const body = session && (await answer(request, reply, session));
    if (reply.sent) return reply;
    const said = body ?? (await otherwise?.(request, reply));
    return said ? reply.send(said) : reply.code(401).send();
  };
  return { bodyLimit: 16 * 1024, config: { area: 'open', pattern: path } as const, handler };
}
