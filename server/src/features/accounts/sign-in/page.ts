// The pages of signing in: how they look.
import type { FastifyReply } from 'fastify';
import { type Html, html, sendPage } from '../../../http/page.js';
import { home, withNext } from '../next.js';
import type { Offer } from '../sso/providers.js';
import { offerLinks } from '../sso/view.js';

interface SignInForm {
  form: string;
  next: string | undefined;
  email?: string | undefined;
  /** The identity providers of the address's domain. */
  offers?: readonly Offer[] | undefined;
  /** How to make the first person, while there is none. */
  firstAdmin?: readonly string[] | undefined;
  /** They have just signed out, or the session of their browser is over. */
  why?: 'out' | 'ended' | undefined;
}

const hidden = (name: string, value: string | undefined): Html | undefined =>
  value === undefined ? undefined : html`<input type="hidden" name="${name}" value="${value}">\n`;

const howToBegin = (
  lines: readonly string[],
): Html => html`<p>No one can sign in yet. The operator creates a workspace and invites its first admin:</p>
<pre tabindex="0" aria-label="Commands for a terminal"><code>${lines.join('\n')}</code></pre>
<p>They sign in with the link in the last response. The number before <code>/invitations</code> is the <code>tenantId</code> of the workspace. Unless <code>ADMIN_TOKEN</code> is set, the admin token is in the file <code>admin-token</code> in <code>DATA_DIR</code>.</p>
`;

export function sendSignInPage(
  reply: FastifyReply,
  status: number,
  { form, next, email, offers = [], firstAdmin, why }: SignInForm,
  bad?: string,
): FastifyReply {
  return sendPage(reply, status, {
    title: 'Sign in',
    bad,
    good: why === 'out' ? 'You are signed out.' : undefined,
    note: why === 'ended' ? 'Your session has ended. Sign in to continue.' : undefined,
    body: html`${firstAdmin && howToBegin(firstAdmin)}${offerLinks(offers, next)}<form method="post" action="/oauth/sign-in">
${hidden('form', form)}${hidden('next', next)}<div class="field"><label for="email">Email address</label>
<input id="email" name="email" type="email" autocomplete="username" required maxlength="254"${email && html` value="${email}"`}></div>
<div class="field"><label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required maxlength="256"></div>
<button type="submit">Sign in</button>
</form>
<p class="ways"><a href="/oauth/forgot">Forgot your password?</a> <a href="${withNext('/oauth/sso', next)}">Use single sign-on</a> <a href="${withToken(next)}">Use an access token</a></p>`,
  });
}

/** Where the console asks for a token: on the page that they wanted, if that is one of the console. */
function withToken(next: string | undefined): string {
  const isConsole = next !== undefined && /^\/console([/?]|$)/.test(next) && !next.includes('#');
  return `${isConsole ? next : home}#token`;
}

/** The second step. A phone shows digits for one field and letters for the other. */
export function sendCodePage(
  reply: FastifyReply,
  status: 200 | 400,
  { form, pending }: { form: string; pending: string },
): FastifyReply {
  const carried = html`${hidden('form', form)}${hidden('pending', pending)}`;
  return sendPage(reply, status, {
    title: 'Enter your code',
    ...(status === 400 && { bad: 'That code is wrong or was already used. Wait for the next one.' }),
    body: html`<form method="post" action="/oauth/sign-in">
${carried}<div class="field"><label for="code">Code from your authenticator app</label>
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" required pattern="[0-9 ]{6,8}" maxlength="8" aria-describedby="code-hint">
<p class="hint" id="code-hint">Six digits, new every 30 seconds.</p></div>
<button type="submit">Sign in</button>
</form>
<details>
<summary>Use a recovery code instead</summary>
<form method="post" action="/oauth/sign-in">
${carried}<div class="field"><label for="recovery-code">Recovery code</label>
<input id="recovery-code" name="recoveryCode" autocomplete="off" autocapitalize="none" spellcheck="false" required maxlength="40"></div>
<button type="submit">Sign in</button>
</form>
</details>`,
  });
}

export function tooMany(wait: number): string {
  const minutes = Math.ceil(wait / 60);
  return `Too many attempts. Wait ${minutes === 1 ? 'a minute' : `${minutes} minutes`}, then try again.`;
}

export function sendTooMany(reply: FastifyReply, wait: number): FastifyReply {
  const body = html`<p><a href="/oauth/sign-in">Back to sign-in</a></p>`;
  return sendPage(reply.header('retry-after', String(wait)), 429, {
    ...{ title: 'Too many attempts', bad: tooMany(wait), body },
  });
}
