// GET and POST /oauth/sign-in: the two steps of signing in with a password.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FirstAdmin } from '../first-admin.js';
import { type FormFields, pagesOf, queryOf, refuseForm } from '../forms.js';
import { home, safeNext, withNext } from '../next.js';
import { providersFor } from '../sso/providers.js';
import { sendSignInPage, sendTooMany, tooMany } from './page.js';
import type { SignIn } from './sign-in.js';

export function signInPages(signIn: SignIn, firstAdmin: FirstAdmin) {
  return pagesOf({
    'GET /oauth/sign-in': (request, reply) => show(signIn, firstAdmin, request, reply),
    'POST /oauth/sign-in': async (request, reply, fields) => {
      if (!signIn.needs.sessions.cookies.isOwnForm(request, fields.form)) return refuseForm(reply);
      return fields.pending === undefined
        ? takePassword(signIn, request, reply, fields)
        : takeCode(signIn, request, reply, fields);
    },
  });
}

/** People who are signed in are sent on; `again` asks them anyway. */
async function show(
  { needs }: SignIn,
  firstAdmin: FirstAdmin,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { sessions } = needs;
  const query = queryOf(request);
  const next = safeNext(query.get('next'));
  const session = query.has('again') ? undefined : await sessions.find(request);
  if (session) {
    const isInside = (await sessions.workspaces(session)).some(({ tenantId }) => tenantId === session.tenantId);
    return reply.redirect(isInside ? (next ?? home) : withNext('/oauth/workspace', next), 303);
  }
  const form = sessions.cookies.formToken(request, reply);
  const why = query.has('out') ? 'out' : !query.has('again') && sessions.hasEnded(request) ? 'ended' : undefined;
  return sendSignInPage(reply, 200, { form, next, firstAdmin: await firstAdmin.lines(), why });
}

async function takePassword(
  signIn: SignIn,
  request: FastifyRequest,
  reply: FastifyReply,
  { form = '', next: wanted, email = '', password = '' }: FormFields,
): Promise<FastifyReply> {
  const next = safeNext(wanted);
  const tried = await signIn.checkPassword(email, password, request);
  const again = async (status: number, bad: string) => {
    const offers = await providersFor(signIn.needs.db, email);
    return sendSignInPage(reply, status, { form, next, email, offers }, bad);
  };
  if (!('found' in tried)) {
    reply.header('retry-after', String(tried.wait));
    return again(429, tooMany(tried.wait));
  }
  const person = tried.found;
  const arrived = person && (await signIn.arrive(request, reply, person, { by: 'password', next, form }));
  return arrived ? reply : again(400, 'Incorrect email address or password.');
}

async function takeCode(
  signIn: SignIn,
  request: FastifyRequest,
  reply: FastifyReply,
  { form = '', pending = '', code, recoveryCode }: FormFields,
): Promise<FastifyReply> {
  const tried = await signIn.takeCode(request, reply, { form, pending, code, recoveryCode });
  if (!('found' in tried)) return sendTooMany(reply, tried.wait);
  if (tried.found) return reply;
  return sendSignInPage(reply, 400, { form, next: undefined }, 'That took too long. Please sign in again.');
}
