// The page behind a sign-in link: a button, because programs that look at mail and chats follow every link before people do.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { html, sendPage } from '../../../http/page.js';
import { type FormFields, pagesOf, queryOf, refuseForm } from '../forms.js';
import { safeNext } from '../next.js';
import { findPerson } from '../people/queries.js';
import { sendTooMany } from '../sign-in/page.js';
import type { SignIn } from '../sign-in/sign-in.js';
import { networkOf, takeTry } from '../throttle/throttle.js';
import { findLink, takeLink } from './links.js';

export function linkPages(signIn: SignIn) {
  return pagesOf({
    'GET /oauth/link': (request, reply) => show(signIn, request, reply),
    'POST /oauth/link': (...asked) => use(signIn, ...asked),
  });
}

async function show({ needs }: SignIn, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const query = queryOf(request);
  const token = query.get('token');
  const personId = await findLink(needs.db, 'sign-in', token);
  const person = personId === undefined ? undefined : await findPerson(needs.db, personId);
  if (!person) return sendUsed(reply);
  const next = safeNext(query.get('next'));
  return sendPage(reply, 200, {
    title: 'Sign in',
    body: html`<p>Sign in as <strong>${person.name}</strong> (${person.email}). This link works once.</p>
<form method="post" action="/oauth/link">
<input type="hidden" name="form" value="${needs.sessions.cookies.formToken(request, reply)}">
<input type="hidden" name="token" value="${token}">
${next && html`<input type="hidden" name="next" value="${next}">\n`}<button type="submit">Sign in</button>
</form>`,
  });
}

async function use(
  signIn: SignIn,
  request: FastifyRequest,
  reply: FastifyReply,
  fields: FormFields,
): Promise<FastifyReply> {
  const { db, sessions } = signIn.needs;
  if (!sessions.cookies.isOwnForm(request, fields.form)) return refuseForm(reply);
  const wait = await takeTry(db, [{ key: `link-from:${networkOf(request.ip)}`, most: 100, seconds: 3600 }]);
  if (wait > 0) return sendTooMany(reply, wait);
  const { token = '' } = fields;
  const personId = await findLink(db, 'sign-in', token);
  const person = personId === undefined ? undefined : await findPerson(db, personId);
  const arrived =
    person &&
    (await signIn.arrive(request, reply, person, {
      ...{ by: 'link', next: safeNext(fields.next), form: fields.form ?? '' },
      also: (tx) => takeLink(tx, 'sign-in', token),
    }));
  return arrived ? reply : sendUsed(reply);
}

function sendUsed(reply: FastifyReply): FastifyReply {
  return sendPage(reply, 410, {
    title: 'This link no longer works',
    body: html`<p>It was already used or has expired. Ask the person who sent it for a new one, or <a href="/oauth/sign-in">sign in with your password</a>.</p>`,
  });
}
