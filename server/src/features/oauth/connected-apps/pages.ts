// /oauth/apps: the apps that a person allowed, in all their workspaces. Viewers have no other way: their tokens cannot change anything.
import { type AgentScope, agentScopes } from '@rapport/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../../http/api-error.js';
import { html, sendPage } from '../../../http/page.js';
import { type FormFields, pagesOf, refuseForm, type Session, type Sessions, withNext } from '../../accounts/index.js';
import { type AppNeeds, disconnect } from './disconnect.js';
import { selectApps } from './queries.js';

const appsPath = '/oauth/apps';
// A person would not read more.
const mostShown = 200;

interface PageNeeds extends AppNeeds {
  sessions: Sessions;
}

export function connectedAppPages(needs: PageNeeds) {
  return pagesOf({
    'GET /oauth/apps': async (request, reply) => {
      const session = await needs.sessions.find(request);
      return session ? show(needs, session, request, reply) : toSignIn(reply);
    },
    'POST /oauth/apps': (...asked) => take(needs, ...asked),
  });
}

const toSignIn = (reply: FastifyReply) => reply.redirect(withNext('/oauth/sign-in', appsPath), 303);

async function show(
  { db, sessions }: PageNeeds,
  session: Session,
  request: FastifyRequest,
  reply: FastifyReply,
  good?: string,
): Promise<FastifyReply> {
  const form = sessions.cookies.formToken(request, reply);
  const shown = [];
  for (const { tenantId, accountId, name: workspace } of await sessions.workspaces(session)) {
    const { rows } = await selectApps(db, tenantId, accountId, { limit: mostShown, offset: 0 });
    for (const { appId, name, backTo, scopes, createdAt } of rows)
      shown.push(html`<li><strong>${name}</strong> (${backTo}) may ${mayDo(scopes)} in
<strong>${workspace}</strong>${isAgent(scopes) && ' (as an agent)'}, since ${day.format(new Date(createdAt))}.
<form method="post" action="${appsPath}"><input type="hidden" name="form" value="${form}">
<input type="hidden" name="workspace" value="${tenantId}"><input type="hidden" name="app" value="${appId}">
<button type="submit" class="quiet" aria-label="Disconnect ${name} from ${workspace}">Disconnect</button></form></li>
`);
  }
  return sendPage(reply, 200, {
    ...{ title: 'Connected apps', good },
    body: html`<p>You are signed in as <strong>${session.name}</strong> (${session.email}).</p>
${shown.length === 0 ? html`<p>You have no connected apps.</p>` : html`<ul class="rows">${shown}</ul>`}`,
  });
}

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
const listed = new Intl.ListFormat('en-GB');

const agentMay: Readonly<Record<AgentScope, string>> = {
  ...{ read: 'read', people: 'see people', write: 'draft', send: 'reach people' },
};

const rightsIn = (scopes: readonly string[]) => agentScopes.filter((scope) => scopes.includes(scope));
const isAgent = (scopes: readonly string[]) => rightsIn(scopes).length > 0;

function mayDo(scopes: readonly string[]): string {
  if (isAgent(scopes)) return listed.format(rightsIn(scopes).map((scope) => agentMay[scope]));
  return scopes.includes('WRITE') ? 'read and change things' : 'read';
}

async function take(
  needs: PageNeeds,
  request: FastifyRequest,
  reply: FastifyReply,
  { form, workspace: wanted, app = '' }: FormFields,
): Promise<FastifyReply> {
  const { sessions } = needs;
  const session = await sessions.find(request);
  if (!session) return toSignIn(reply);
  if (!sessions.cookies.isOwnForm(request, form)) return refuseForm(reply);
  const workspace = (await sessions.workspaces(session)).find(({ tenantId }) => String(tenantId) === wanted);
  // It may be gone already, which is fine.
  if (workspace) await disconnect(needs, { ...workspace, address: request.ip }, app).catch(unlessUnknown);
  return show(needs, session, request, reply, 'The app is disconnected, and its tokens no longer work.');
}

function unlessUnknown(error: Error): void {
  if (!(error instanceof ApiError && error.status === 404)) throw error;
}
