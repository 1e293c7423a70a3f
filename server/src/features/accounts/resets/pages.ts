// /oauth/forgot and /oauth/reset. What they say does not depend on whether an address is known.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Html, html, type Page, sendPage } from '../../../http/page.js';
import { emailField, newPasswordField, wordsAbout } from '../fields.js';
import { type FormFields, pagesOf, queryOf, refuseForm } from '../forms.js';
import { faultOfPassword } from '../passwords.js';
import { sendTooMany } from '../sign-in/page.js';
import { type Limit, networkOf, takeTry } from '../throttle/throttle.js';
import { findReset, mailsAnHour, type ResetNeeds, requestReset, resetPassword } from './resets.js';

const perHour = (what: string, address: string, most: number): Limit => ({
  ...{ key: `${what}-from:${networkOf(address)}`, most, seconds: 3600 },
});

export function resetPages(needs: ResetNeeds) {
  return pagesOf({
    'GET /oauth/forgot': async (request, reply) => sendPage(reply, 200, forgotPage(needs, request, reply)),
    'POST /oauth/forgot': (request, reply, fields) => forgot(needs, request, reply, fields),
    'GET /oauth/reset': (request, reply) => ask(needs, request, reply, queryOf(request).get('token') ?? ''),
    'POST /oauth/reset': (request, reply, fields) => reset(needs, request, reply, fields),
  });
}

const back = html`<p><a href="/oauth/sign-in">Back to sign-in</a></p>`;

function forgotPage({ mail, sessions }: ResetNeeds, request: FastifyRequest, reply: FastifyReply, bad?: string): Page {
  const title = 'Set a new password';
  if (!mail.isOn) {
    const body = html`<p>No mail server is set up, so we can’t email you a link. Ask the operator of this server for a sign-in link.</p>
<p>They run <code>npm run rapport -- sign-in-link</code> with your email address.</p>
${back}`;
    return { title, body };
  }
  const body = html`<p>Enter the email address you sign in with. We’ll send you a link.</p>
<form method="post" action="/oauth/forgot">
${formField(sessions.cookies.formToken(request, reply))}
<div class="field"><label for="email">Email address</label>
<input id="email" name="email" type="email" autocomplete="username" maxlength="254" required></div>
<button>Send the link</button>
</form>
${back}`;
  return { title, body, bad };
}

function formField(form: string): Html {
  return html`<input type="hidden" name="form" value="${form}">`;
}

async function forgot(
  needs: ResetNeeds,
  request: FastifyRequest,
  reply: FastifyReply,
  fields: FormFields,
): Promise<FastifyReply> {
  const { db, sessions, mail } = needs;
  if (!sessions.cookies.isOwnForm(request, fields.form)) return refuseForm(reply);
  if (!mail.isOn) return sendPage(reply, 200, forgotPage(needs, request, reply));
  const email = (fields.email ?? '').trim();
  if (!/^[^\s@]+@[^\s@]+$/.test(email) || email.length > 254)
    return sendPage(reply, 400, forgotPage(needs, request, reply, 'Enter your full email address.'));
  const wait = await takeTry(db, [perHour('forgot', request.ip, 30)]);
  if (wait > 0) return sendTooMany(reply, wait);
  await requestReset(needs, email);
  return sendPage(reply, 200, {
    title: 'Check your email',
    body: html`<p>If this address has an account, an email with a link is on its way. The link works once, for one hour.</p>
<p>Nothing after a few minutes? Check your spam folder and the address. We send at most ${mailsAnHour} emails an hour to one address.</p>
${back}`,
  });
}

async function ask(
  needs: ResetNeeds,
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
): Promise<FastifyReply> {
  const person = await findReset(needs, token);
  if (!person) return sendDead(reply);
  const form = needs.sessions.cookies.formToken(request, reply);
  return sendPage(reply, 200, newPasswordPage(person.email, token, form));
}

function newPasswordPage(email: string, token: string, form: string, bad?: string): Page {
  const body = html`<p>Setting a new password signs you out everywhere.</p>
<form method="post" action="/oauth/reset">
${formField(form)}<input type="hidden" name="token" value="${token}">
${emailField(email)}
${newPasswordField('New password')}
<button>Set the password</button>
</form>`;
  return { title: 'Set a new password', body, bad };
}

async function reset(
  needs: ResetNeeds,
  request: FastifyRequest,
  reply: FastifyReply,
  fields: FormFields,
): Promise<FastifyReply> {
  const { db, sessions } = needs;
  if (!sessions.cookies.isOwnForm(request, fields.form)) return refuseForm(reply);
  const wait = await takeTry(db, [perHour('reset', request.ip, 60)]);
  if (wait > 0) return sendTooMany(reply, wait);
  const { token = '', password = '' } = fields;
  const person = await findReset(needs, token);
  if (!person) return sendDead(reply);
  const bad = faultOfPassword(password, wordsAbout(person));
  if (bad !== undefined) {
    const form = sessions.cookies.formToken(request, reply);
    return sendPage(reply, 400, newPasswordPage(person.email, token, form, bad));
  }
  if (!(await resetPassword(needs, person, token, password, request.ip))) return sendDead(reply);
  return sendPage(reply, 200, {
    title: 'Your new password is set',
    good: 'You are signed out everywhere.',
    body: html`<p>Sign in with it now.</p>
<p><a href="/oauth/sign-in">Sign in</a></p>`,
  });
}

/** Unknown, used or expired: what to do is the same. */
function sendDead(reply: FastifyReply): FastifyReply {
  return sendPage(reply, 410, {
    title: 'This link doesn’t work',
    body: html`<p>A password link works once, for one hour. Make sure you opened the full link.</p>
<p><a href="/oauth/forgot">Ask for a new one</a></p>`,
  });
}
