// Leaving, and choosing among several workspaces.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { html, sendPage } from '../../../http/page.js';
import { recordAudit } from '../../audit/index.js';
import { selectMemberships } from '../../tenants/index.js';
import { type FormFields, pagesOf, queryOf, refuseForm } from '../forms.js';
import { home, leadOn, safeNext, withNext } from '../next.js';
import { type BrowserNeeds, switchWorkspace } from './browser.js';
import { selectWorkspaces } from './queries.js';
import type { Session, Workspace } from './sessions.js';

const signInPath = '/oauth/sign-in';
const choosePath = '/oauth/workspace';

export function sessionPages(needs: BrowserNeeds) {
  return pagesOf({
    'POST /oauth/sign-out': (...asked) => leave(needs, ...asked, signOut),
    'POST /oauth/sign-out-everywhere': (...asked) => leave(needs, ...asked, signOutEverywhere),
    'GET /oauth/workspace': async (request, reply) => {
      const next = safeNext(queryOf(request).get('next'));
      const session = await needs.sessions.find(request);
      if (!session) return reply.redirect(withNext(signInPath, withNext(choosePath, next)), 303);
      return showChoices(needs, request, reply, session, next);
    },
    'POST /oauth/workspace': (...asked) => choose(needs, ...asked),
  });
}

type Leave = (needs: BrowserNeeds, session: Session, address: string) => Promise<void>;

/** A form leads to the sign-in page; the console, which sends none, gets an empty answer. */
async function leave(
  needs: BrowserNeeds,
  request: FastifyRequest,
  reply: FastifyReply,
  fields: FormFields,
  how: Leave,
): Promise<FastifyReply> {
  const { cookies } = needs.sessions;
  const isForm = request.headers['content-type'] !== undefined;
  if (isForm && !cookies.isOwnForm(request, fields.form)) return refuseForm(reply);
  if (!isForm && !cookies.isSameOrigin(request)) return reply.code(403).send();
  const session = await needs.sessions.find(request);
  if (session) await how(needs, session, request.ip);
  cookies.clear(reply, 'session');
  return isForm ? reply.redirect(`${signInPath}?out=1`, 303) : reply.code(204).send();
}

const signOut: Leave = ({ db, sessions }, session, address) =>
  db.transaction(async (tx) => {
    await sessions.endIn(tx, session.personId, { only: session.sessionId });
    const { tenantId } = session;
    const [account] = (await selectMemberships(tx, session.personId)).filter((each) => each.tenantId === tenantId);
    if (account) await recordAudit(tx, { ...account, address }, 'sign-out');
  });

/** For a session through an identity provider: only in the workspace that it speaks for. */
const signOutEverywhere: Leave = ({ db, sessions }, { personId, ssoTenantId }, address) =>
  db.transaction(async (tx) => {
    await sessions.endIn(tx, personId, { bySsoOf: ssoTenantId ?? undefined });
    // In the order of their numbers: appending locks a log until the end.
    for (const account of await selectMemberships(tx, personId))
      if (ssoTenantId === null || account.tenantId === ssoTenantId)
        await recordAudit(tx, { ...account, address }, 'sign-out.everywhere');
  });

async function showChoices(
  { db, sessions }: BrowserNeeds,
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
  next: string | undefined,
): Promise<FastifyReply> {
  const [mayEnter, all] = await Promise.all([sessions.workspaces(session), selectWorkspaces(db, session.personId)]);
  // An identity provider belongs to the admins of its workspace, who must not learn of others.
  const isOwn = session.ssoTenantId === null;
  const others = isOwn ? all.filter(({ tenantId }) => !mayEnter.some((each) => each.tenantId === tenantId)) : [];
  const form = sessions.cookies.formToken(request, reply);
  const hidden = html`<input type="hidden" name="form" value="${form}">${next && html`<input type="hidden" name="next" value="${next}">`}`;
  return sendPage(reply, 200, {
    title: 'Choose a workspace',
    body: html`<p>You are signed in as <strong>${session.email}</strong>.</p>
${(isOwn ? all : mayEnter).length === 0 && html`<p>You are no longer in any workspace. Ask an admin to let you back in.</p>`}
${mayEnter.length > 0 && html`<form method="post" action="${choosePath}">${hidden}${mayEnter.map(buttonOf)}\n</form>`}
${others.length > 0 && html`<h2>After another sign-in</h2>\n<ul class="rows">${others.map((each) => wayInto(each, next))}\n</ul>`}
${!isOwn && html`<p>You signed in with single sign-on. Other workspaces need your password: <a href="${withNext('/oauth/sign-in?again=1', next)}">sign in again</a></p>`}
<form method="post" action="/oauth/sign-out">${hidden}<button type="submit" class="quiet">Sign out</button></form>`,
  });
}

const buttonOf = ({ tenantId, name }: Workspace) => html`
<button type="submit" name="tenantId" value="${tenantId}">${name}</button>`;

/** How to get into a workspace that does not accept the current sign-in: through its identity provider, or else by password. */
function wayInto({ tenantId, name, requiresSso, ssoProviderId }: Workspace, next: string | undefined) {
  const again = withNext('/oauth/sign-in?again=1', next);
  if (requiresSso && ssoProviderId === null)
    return html`
<li><strong>${name}</strong> needs to verify your address: <a href="/oauth/forgot">reset your password by email</a></li>`;
  return requiresSso
    ? html`
<li><strong>${name}</strong> uses single sign-on: <a href="${withNext(`/oauth/sso/${tenantId}/${ssoProviderId}`, next)}">go there</a></li>`
    : html`
<li><strong>${name}</strong> needs your password: <a href="${again}">sign in again</a></li>`;
}

async function choose(
  needs: BrowserNeeds,
  request: FastifyRequest,
  reply: FastifyReply,
  fields: FormFields,
): Promise<FastifyReply> {
  if (!needs.sessions.cookies.isOwnForm(request, fields.form)) return refuseForm(reply);
  const next = safeNext(fields.next);
  const session = await needs.sessions.find(request);
  if (!session) return reply.redirect(withNext(signInPath, withNext(choosePath, next)), 303);
  const mayEnter = await needs.sessions.workspaces(session);
  const wanted = mayEnter.find(({ tenantId }) => String(tenantId) === fields.tenantId);
  // They lost access while they looked at the page.
  if (!wanted) return reply.redirect(withNext(choosePath, next), 303);
  await switchWorkspace(needs, session, wanted.tenantId, request.ip);
  return leadOn(reply, next ?? home);
}
