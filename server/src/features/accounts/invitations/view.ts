// The pages of invitations.
import type { FastifyReply } from 'fastify';
import { html, type Page, sendPage } from '../../../http/page.js';
import { emailField, nameField, newPasswordField } from '../fields.js';
import { roleWords } from '../mail/letters.js';
import { home, withNext } from '../next.js';
import type { Refusal } from './accept.js';
import { invitationPath } from './invitations.js';
import type { ShownInvitation } from './queries.js';

const pathOf = (token: string) => `${invitationPath}?token=${token}`;

/** What a form of these pages carries. */
interface Carried {
  token: string;
  /** Shows that the form came from one of our pages. */
  form: string;
}

function hidden({ token, form }: Carried) {
  return html`<input type="hidden" name="form" value="${form}"><input type="hidden" name="token" value="${token}">`;
}

function intro({ workspace, inviter, role }: ShownInvitation) {
  const who = inviter === null ? html`You are invited` : html`<strong>${inviter}</strong> invites you`;
  return html`<p>${who} to the workspace <strong>${workspace}</strong>, as ${roleWords[role]}.</p>`;
}

function introFor(invitation: ShownInvitation) {
  return html`${intro(invitation)}
<p>The invitation is for <strong>${invitation.email}</strong>.</p>`;
}

const titleOf = ({ workspace }: ShownInvitation) => `Join ${workspace}`;

/** For a new person or one with an account: the page does not reveal which. */
export function newPersonPage(invitation: ShownInvitation, carried: Carried, name = '', bad?: string): Page {
  const body = html`${intro(invitation)}
<form method="post" action="${invitationPath}">
${hidden(carried)}
${emailField(invitation.email)}
${nameField(name)}
${newPasswordField('Choose a password')}
<button>Join</button>
</form>
<p class="hint">Already have an account with this address? <a href="${withNext('/oauth/sign-in', pathOf(carried.token))}">Sign in</a> to join.</p>`;
  return { title: titleOf(invitation), body, bad };
}

export function signedInPage(invitation: ShownInvitation, carried: Carried): Page {
  const body = html`${introFor(invitation)}
<form method="post" action="${invitationPath}">
${hidden(carried)}
<button>Join</button>
</form>`;
  return { title: titleOf(invitation), body };
}

function signOutForm({ form }: Carried) {
  return html`<form method="post" action="/oauth/sign-out">
<input type="hidden" name="form" value="${form}">
<button>Sign out</button>
</form>`;
}

export function otherPersonPage(invitation: ShownInvitation, signedInAs: string, carried: Carried): Page {
  const body = html`${introFor(invitation)}
<p>You are signed in as <strong>${signedInAs}</strong>. Sign out, then open the link again.</p>
${signOutForm(carried)}`;
  return { title: titleOf(invitation), body };
}

export function singleSignOnPage(invitation: ShownInvitation, token: string): Page {
  const { tenantId, requiredProvider: provider } = invitation;
  const path = `/oauth/sso/${tenantId}/${provider?.providerId}`;
  const body = html`${introFor(invitation)}
<p>This workspace uses single sign-on.</p>
<p><a href="${withNext(path, pathOf(token))}">Continue with ${provider?.name}</a></p>`;
  return { title: titleOf(invitation), body };
}

/** They are signed in through the identity provider of another workspace, which does not count here. */
export function otherProviderPage(invitation: ShownInvitation, carried: Carried): Page {
  const body = html`${introFor(invitation)}
<p>You signed in with another workspace’s single sign-on, which only works there. Sign out, open the link again, and sign in with your password.</p>
<p>If you have none, <a href="/oauth/forgot">set one</a> first.</p>
${signOutForm(carried)}`;
  return { title: titleOf(invitation), body };
}

const askAgain = 'Ask the person who invited you for a new invitation.';
const refusals: Readonly<
  Record<Exclude<Refusal, 'other-person' | 'needs-sso' | 'known-person'>, [number, string, string]>
> = {
  unknown: [404, 'Invitation not found', `Open the full link from the latest invitation email. ${askAgain}`],
  accepted: [
    410,
    'This invitation was already used',
    `Each invitation works once. If you used it, sign in. If not, ask the person who invited you for a new invitation.`,
  ],
  expired: [410, 'This invitation has expired', `Invitations work for a week. ${askAgain}`],
  revoked: [410, 'This invitation was revoked', `It no longer works. ${askAgain}`],
  deactivated: [
    409,
    'Your account is deactivated',
    'Your account in this workspace was deactivated. Ask an admin of the workspace to reactivate it.',
  ],
};

/** Says nothing about whether an address is known. */
export function sendRefusal(reply: FastifyReply, why: keyof typeof refusals): FastifyReply {
  const [status, title, words] = refusals[why];
  const body = html`<p>${words}</p>
<p><a href="${home}">Go to Rapport</a></p>`;
  return sendPage(reply, status, { title, body });
}
