// /oauth/account: for people who are signed in.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendPage } from '../../../http/page.js';
import { type FormFields, pagesOf, refuseForm } from '../forms.js';
import { withNext } from '../next.js';
import { findPerson } from '../people/queries.js';
import { countRecoveryCodes } from '../second-factor/queries.js';
import { findTrial, hasSecondFactor } from '../second-factor/second-factor.js';
import { selectSessions } from '../sessions/queries.js';
import type { Session } from '../sessions/sessions.js';
import { sendTooMany } from '../sign-in/page.js';
import { changes, forgotPassword, type ProfileNeeds } from './profile.js';
import { codesPage, profilePage, profilePath } from './view.js';

export function profilePages(needs: ProfileNeeds) {
  return pagesOf({
    'GET /oauth/account': async (request, reply) => {
      const session = await needs.sessions.find(request);
      return session ? show(needs, request, reply, session) : signInFirst(reply);
    },
    'POST /oauth/account': (request, reply, fields) => change(needs, request, reply, fields),
  });
}

function signInFirst(reply: FastifyReply): FastifyReply {
  return reply.redirect(withNext('/oauth/sign-in', profilePath), 303);
}

async function change(
  needs: ProfileNeeds,
  request: FastifyRequest,
  reply: FastifyReply,
  fields: FormFields,
): Promise<FastifyReply> {
  const { db, sessions } = needs;
  if (!sessions.cookies.isOwnForm(request, fields.form)) return refuseForm(reply);
  const session = await sessions.find(request);
  const person = session && (await findPerson(db, session.personId));
  if (!session || !person) return signInFirst(reply);
  const work = Object.hasOwn(changes, fields.do ?? '') ? changes[fields.do ?? ''] : undefined;
  if (!work) return refuseForm(reply);
  // The identity provider of one workspace belongs to its admins: it must not open the others.
  if (session.ssoTenantId !== null)
    return show(needs, request, reply, session, { bad: 'Sign in with your password to change this.' }, 403);
  const outcome = await work(needs, { session, person, fields, address: request.ip });
  if ('wait' in outcome) return sendTooMany(reply, outcome.wait);
  if ('codes' in outcome) return sendPage(reply, 200, codesPage(outcome.codes));
  return show(needs, request, reply, session, outcome, 'bad' in outcome ? 400 : 200);
}

async function show(
  needs: ProfileNeeds,
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
  said: { good?: string; bad?: string } = {},
  status = 200,
): Promise<FastifyReply> {
  const { db, box, clock, sessions } = needs;
  const [person, browsers, workspaces, codesLeft, isForgotten] = await Promise.all([
    findPerson(db, session.personId),
    selectSessions(db, session.personId, clock.now().toISOString()),
    sessions.workspaces(session),
    countRecoveryCodes(db, session.personId),
    forgotPassword(needs, session),
  ]);
  if (!person) return signInFirst(reply);
  const isOwn = session.ssoTenantId === null;
  const page = profilePage({
    ...{ session, person, workspaces, codesLeft, isForgotten, hasSecondFactor: hasSecondFactor(person) },
    browsers: browsers.filter(({ sessionId }) => isOwn || sessionId === session.sessionId),
    trial: findTrial(box, person),
    form: sessions.cookies.formToken(request, reply),
  });
  return sendPage(reply, status, { ...page, ...said });
}
