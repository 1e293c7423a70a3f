// What people see of single sign-on.
import type { FastifyReply } from 'fastify';
import { type Html, html, sendPage } from '../../../http/page.js';
import { withNext } from '../next.js';
import type { Refusal } from './admit.js';
import type { Offer } from './providers.js';

/** A link for each, which says where it leads: several workspaces may share a domain. */
export function offerLinks(offers: readonly Offer[], next: string | undefined): Html | undefined {
  if (offers.length === 0) return undefined;
  const rows = offers.map(
    ({ name, workspace, host, path, isRequired }) => html`
<li><a href="${withNext(path, next)}">Continue with <strong>${name}</strong></a><br>to the workspace ${workspace}, by ${host}${isRequired && html`. This is required for addresses like yours`}.</li>`,
  );
  return html`<ul class="rows">${rows}
</ul>
`;
}

const signInLink = html`<p><a href="/oauth/sign-in">Back to sign-in</a></p>`;

const refusals: Record<Refusal | 'no-attempt', [status: number, title: string, text: string]> = {
  'no-attempt': [
    400,
    'Please sign in again',
    'This sign-in took too long, was already used, or started in another browser. If it happens again, allow cookies for this site.',
  ],
  'no-provider': [
    404,
    'Single sign-on not found',
    'This way to sign in no longer exists. Ask an admin of your workspace.',
  ],
  'no-address': [
    403,
    'Your address is missing',
    'The identity provider did not share your email address. Its administrator needs to allow that.',
  ],
  unverified: [
    403,
    'Your address is not verified',
    'The identity provider says that your email address is not verified yet.',
  ],
  'other-domain': [
    403,
    'Another address is needed',
    'This identity provider can’t be used with an address like yours. Sign in there with your work account.',
  ],
  deactivated: [403, 'You can’t sign in here', 'Your account is not active in this workspace. Ask one of its admins.'],
  taken: [
    403,
    'You can’t sign in here',
    'Another account of the identity provider already uses your email address in this workspace. Ask one of its admins.',
  ],
  unknown: [
    403,
    'You are not in this workspace',
    'No one with your address is in this workspace. Ask one of its admins to invite you.',
  ],
};

export function sendRefusal(reply: FastifyReply, why: Refusal | 'no-attempt'): FastifyReply {
  const [status, title, text] = refusals[why];
  return sendPage(reply, status, { title, body: html`<p>${text}</p>\n${signInLink}` });
}

/** For people whom another site led here: a link that they may follow. */
export function sendCheck(reply: FastifyReply, { name, issuer }: { name: string; issuer: string }, path: string) {
  return sendPage(reply, 200, {
    title: 'Sign in?',
    body: html`<p>Another site sent you here to sign in with <strong>${name}</strong> (${new URL(issuer).host}). This signs out anyone who is signed in on this browser.</p>
<p><a href="${path}">Continue with <strong>${name}</strong></a></p>
${signInLink}`,
  });
}

export function sendFault(reply: FastifyReply, name: string): FastifyReply {
  return sendPage(reply, 502, {
    title: 'That didn’t work',
    body: html`<p><strong>${name}</strong> did not sign you in. Try again in a moment. If it keeps happening, ask an admin of your workspace.</p>
${signInLink}`,
  });
}
