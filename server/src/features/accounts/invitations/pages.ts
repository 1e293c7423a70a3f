// /oauth/invitation: a person with the link sees what it is about, and joins.
import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendPage } from '../../../http/page.js';
import { nameFault, readName, wordsAbout } from '../fields.js';
import { type FormFields, pagesOf, queryOf, refuseForm } from '../forms.js';
import { home } from '../next.js';
import { faultOfPassword, hashPassword } from '../passwords.js';
import { type BrowserNeeds, switchWorkspace } from '../sessions/browser.js';
import type { Session, Sessions } from '../sessions/sessions.js';
import { sendTooMany } from '../sign-in/page.js';
import { type Limit, networkOf, takeTry } from '../throttle/throttle.js';
import { acceptAs, acceptAsNew, InvitationRefused, isFor, mayEnter } from './accept.js';
import { findInvitation, type ShownInvitation } from './queries.js';
import {
  newPersonPage,
  otherPersonPage,
  otherProviderPage,
  sendRefusal,
  signedInPage,
  singleSignOnPage,
} from './view.js';

interface InvitationPageNeeds extends BrowserNeeds {
  /** An account changed hands, and with it what its tokens may do. */
  forgetTokens(): void;
}

/** 256 bits cannot be guessed. This limit keeps guessers from making us hash passwords. */
const limitOf = (address: string): Limit => ({
  ...{ key: `invitation-from:${networkOf(address)}`, most: 60, seconds: 3600 },
});

export function invitationPages(needs: InvitationPageNeeds) {
  return pagesOf({
    'GET /oauth/invitation': (request, reply) => show(needs, request, reply, queryOf(request).get('token') ?? ''),
    'POST /oauth/invitation': (request, reply, fields) => accept(needs, request, reply, fields),
  });
}

async function show(
  { db, sessions }: InvitationPageNeeds,
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
): Promise<FastifyReply> {
  const invitation = await findInvitation(db, hash('sha256', token));
  if (!invitation) return sendRefusal(reply, 'unknown');
  const session = await sessions.find(request);
  if (invitation.status !== 'open') {
    if (session && (await cameBy(sessions, session, invitation))) return reply.redirect(home, 303);
    return sendRefusal(reply, invitation.status);
  }
  const carried = { token, form: sessions.cookies.formToken(request, reply) };
  if (session && !isFor(invitation, session))
    return sendPage(reply, 200, otherPersonPage(invitation, session.email, carried));
  if (session && mayEnter(invitation, session)) return sendPage(reply, 200, signedInPage(invitation, carried));
  if (invitation.requiredProvider) return sendPage(reply, 200, singleSignOnPage(invitation, token));
  if (session) return sendPage(reply, 200, otherProviderPage(invitation, carried));
  return sendPage(reply, 200, newPersonPage(invitation, carried));
}

/** Said only once everything else is right: otherwise the inviter could open the link to learn whether the address has an account. */
async function sendKnown(
  { db, sessions }: InvitationPageNeeds,
  request: FastifyRequest,
  reply: FastifyReply,
  fields: FormFields,
  token: string,
): Promise<FastifyReply> {
  const invitation = await findInvitation(db, hash('sha256', token));
  if (!invitation) return sendRefusal(reply, 'unknown');
  const carried = { token, form: sessions.cookies.formToken(request, reply) };
  const bad = 'This address already has an account. Sign in with its password to join.';
  return sendPage(reply, 400, newPersonPage(invitation, carried, fields.name, bad));
}

/** Whether they have joined with it: people who come back from single sign-on have, before they see this page. */
async function cameBy(
  sessions: Sessions,
  session: Session,
  { tenantId, accountId }: ShownInvitation,
): Promise<boolean> {
  const workspaces = await sessions.workspaces(session);
  return workspaces.some((each) => each.tenantId === tenantId && each.accountId === accountId);
}

async function accept(
  needs: InvitationPageNeeds,
  request: FastifyRequest,
  reply: FastifyReply,
  fields: FormFields,
): Promise<FastifyReply> {
  const { db, sessions } = needs;
  if (!sessions.cookies.isOwnForm(request, fields.form)) return refuseForm(reply);
  const wait = await takeTry(db, [limitOf(request.ip)]);
  if (wait > 0) return sendTooMany(reply, wait);
  const token = fields.token ?? '';
  const session = await sessions.find(request);
  try {
    if (session) return await joinSignedIn(needs, request, reply, session, token);
    return await joinAsNew(needs, request, reply, fields, token);
  } catch (error) {
    if (!(error instanceof InvitationRefused)) throw error;
    const { why } = error;
    if (why === 'known-person') return sendKnown(needs, request, reply, fields, token);
    // The page itself says what they have to do first; and a person who pressed the button twice is in.
    if (why === 'other-person' || why === 'needs-sso' || why === 'accepted') return show(needs, request, reply, token);
    return sendRefusal(reply, why);
  }
}

async function joinSignedIn(
  needs: InvitationPageNeeds,
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
  token: string,
): Promise<FastifyReply> {
  const { db, forgetTokens } = needs;
  const { tenantId } = await db.transaction((tx) => {
    tx.afterCommit(forgetTokens);
    return acceptAs(tx, hash('sha256', token), session, request.ip);
  });
  await switchWorkspace(needs, session, tenantId, request.ip);
  return reply.redirect(home, 303);
}

async function joinAsNew(
  { db, sessions, forgetTokens }: InvitationPageNeeds,
  request: FastifyRequest,
  reply: FastifyReply,
  fields: FormFields,
  token: string,
): Promise<FastifyReply> {
  const secretHash = hash('sha256', token);
  const invitation = await findInvitation(db, secretHash);
  if (!invitation) throw new InvitationRefused('unknown');
  if (invitation.status !== 'open') throw new InvitationRefused(invitation.status);
  const name = readName(fields.name);
  const password = fields.password ?? '';
  const bad = name === undefined ? nameFault : faultOfPassword(password, wordsAbout({ email: invitation.email, name }));
  if (name === undefined || bad !== undefined) {
    const carried = { token, form: sessions.cookies.formToken(request, reply) };
    return sendPage(reply, 400, newPersonPage(invitation, carried, fields.name, bad));
  }
  if (invitation.personId !== null) throw new InvitationRefused('known-person');
  const passwordHash = await hashPassword(password);
  const { personId, tenantId } = await db.transaction((tx) => {
    tx.afterCommit(forgetTokens);
    return acceptAsNew(tx, secretHash, { name, passwordHash, address: request.ip });
  });
  const arrival = { personId, by: 'invitation', isStrong: false, tenantId } as const;
  return reply.redirect((await sessions.enter(request, reply, arrival, undefined)) ?? '/oauth/sign-in', 303);
}
