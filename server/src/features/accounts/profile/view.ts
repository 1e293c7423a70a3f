// The account page.
import { type Html, html, type Page } from '../../../http/page.js';
import { emailField, nameField, newPasswordField } from '../fields.js';
import { home } from '../next.js';
import type { PersonRow } from '../people/queries.js';
import type { TotpTrial } from '../second-factor/second-factor.js';
import type { BrowserRow } from '../sessions/queries.js';
import type { Session, Workspace } from '../sessions/sessions.js';
import { browserName } from './browser-name.js';
import { qrCode } from './qr-code.js';

export const profilePath = '/oauth/account';

interface ProfileFacts {
  session: Session;
  person: PersonRow;
  browsers: readonly BrowserRow[];
  workspaces: readonly Workspace[];
  /** A second factor that they are trying. */
  trial: TotpTrial | undefined;
  hasSecondFactor: boolean;
  /** They came by an operator's link, and set a password without the old one. */
  isForgotten: boolean;
  codesLeft: number;
  /** The hidden field of forms. */
  form: string;
}

export function profilePage(facts: ProfileFacts): Page {
  const { session, person } = facts;
  const isOwn = session.ssoTenantId === null;
  const own = html`${nameSection(facts)}${passwordSection(facts)}${secondFactorSection(facts)}`;
  const body = html`<p>You are signed in as <strong>${person.email}</strong>. <a href="${home}">Go to Rapport</a></p>
${isOwn ? own : ssoNote}${workspaceSection(facts)}${browserSection(facts)}${leaveSection(facts)}`;
  return { title: 'Your account', body, isWide: true };
}

const ssoNote = html`<p>You signed in with a workspace’s single sign-on, which only works there. To change your name, password or second factor, sign out and sign in with your password.</p>
`;

/** Codes that only this answer shows. */
export function codesPage(codes: readonly string[]): Page {
  const body = html`<p>Keep these recovery codes in a safe place. Each works once instead of a code from your app. You won’t see them again, and earlier codes no longer work.</p>
<ul class="codes">${codes.map((code) => html`<li>${code}</li>`)}</ul>
<p><a href="${profilePath}">I have saved them</a></p>`;
  return { title: 'Your recovery codes', body, good: 'Two-factor authentication is on.', isWide: true };
}

/** A form of this page: what it does, its fields, and its button. */
function formOf(form: string, what: string, fields: Html, button: string, isQuiet = false): Html {
  return html`<form method="post" action="${profilePath}">
<input type="hidden" name="form" value="${form}"><input type="hidden" name="do" value="${what}">
${fields}
<button${isQuiet && html` class="quiet"`}>${button}</button>
</form>
`;
}

function nameSection({ form, person }: ProfileFacts): Html {
  return html`<h2>Name</h2>
${formOf(form, 'name', nameField(person.name), 'Change the name')}`;
}

function currentPassword(id: string, { passwordHash }: PersonRow): Html | false {
  return (
    passwordHash !== null &&
    html`<div class="field"><label for="${id}">Current password</label>
<input id="${id}" name="current" type="password" autocomplete="current-password" required></div>`
  );
}

function passwordSection({ form, person, isForgotten }: ProfileFacts): Html {
  const fields = html`${emailField(person.email)}
${!isForgotten && currentPassword('current', person)}
${newPasswordField('New password')}`;
  return html`<h2>Password</h2>
<p>When it changes, other browsers are signed out.</p>
${formOf(form, 'password', fields, person.passwordHash === null ? 'Set a password' : 'Change the password')}`;
}

function secondFactorSection(facts: ProfileFacts): Html {
  const { form, trial, hasSecondFactor } = facts;
  if (hasSecondFactor) return withSecondFactor(facts);
  if (trial) return trialSection(form, trial);
  return html`<h2>Second factor</h2>
<p>With a code from an app on your phone, no one can sign in as you with your password alone.</p>
${formOf(form, 'add-second-factor', html``, 'Add a second factor')}`;
}

function trialSection(form: string, { secret, uri }: TotpTrial): Html {
  const code = html`<div class="field"><label for="code">Code of the app</label>
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9 ]{6,7}" maxlength="7" required></div>`;
  return html`<h2>Second factor</h2>
<p>Scan this with an authenticator app, or type the key into it. Then enter a code from the app to turn it on.</p>
${qrCode(uri, 'QR code for an authenticator app')}
<p>Key: <code>${secret.replace(/(.{4})(?=.)/g, '$1 ')}</code></p>
${formOf(form, 'confirm-second-factor', code, 'Confirm')}${formOf(form, 'add-second-factor', html``, 'Start over with another key', true)}`;
}

function withSecondFactor({ form, person, codesLeft }: ProfileFacts): Html {
  const left = codesLeft === 1 ? 'one recovery code' : `${codesLeft} recovery codes`;
  return html`<h2>Second factor</h2>
<p>You enter a code from your app when you sign in. You have <strong>${left}</strong> left for when you don’t have it.</p>
<form method="post" action="${profilePath}">
<input type="hidden" name="form" value="${form}">
${currentPassword('current-factor', person)}
<button name="do" value="renew-codes">Create new recovery codes</button>
<button class="quiet" name="do" value="remove-second-factor">Remove the second factor</button>
</form>
`;
}

function workspaceSection({ workspaces, session }: ProfileFacts): Html {
  const rows = workspaces.map(
    ({ tenantId, name, role }) =>
      html`<li><strong>${name}</strong>, ${role}${tenantId === session.tenantId && ' (you are here)'}</li>`,
  );
  return html`<h2>Workspaces</h2>
<ul class="rows">${rows}</ul>
${workspaces.length > 1 && html`<p><a href="/oauth/workspace">Switch workspace</a></p>\n`}`;
}

function browserSection({ browsers, session, form }: ProfileFacts): Html {
  const rows = browsers.map(({ sessionId, agent, address, createdAt, seenAt }) => {
    const isThis = sessionId === session.sessionId;
    const end = formOf(
      form,
      'end-session',
      html`<input type="hidden" name="session" value="${sessionId}">`,
      'Sign out there',
      true,
    );
    return html`<li><strong>${browserName(agent)}</strong>${isThis && ' (this one)'}<br>
${address && html`from ${address}, `}since ${momentOf(createdAt)}, last seen ${momentOf(seenAt)}
${!isThis && end}</li>`;
  });
  return html`<h2>Signed-in browsers</h2>
<ul class="rows">${rows}</ul>
`;
}

function leaveSection({ form }: ProfileFacts): Html {
  const leave = (action: string, button: string) => html`<form method="post" action="${action}">
<input type="hidden" name="form" value="${form}">
<button class="quiet">${button}</button>
</form>
`;
  return html`<h2>Sign out</h2>
${leave('/oauth/sign-out', 'Sign out here')}${leave('/oauth/sign-out-everywhere', 'Sign out everywhere')}`;
}

/** `16 November 2026, 11:50 UTC`. */
function momentOf(instant: string): string {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  return `${format.format(Date.parse(instant)).replace(' at ', ', ')} UTC`;
}
