// Where somebody says whether an app may act for them. Every authorization leads here: nothing is ever allowed in silence.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';
import type { Database } from '../../../db/database.js';
import { html, sendPage } from '../../../http/page.js';
import type { Served } from '../../../http/paths.js';
import type { Clock } from '../../../lib/clock.js';
import type { Session, Sessions } from '../../accounts/index.js';
import type { AuthorizationServer } from '../provider/server.js';
import { writeSubject } from '../subject.js';
import { allow } from './allow.js';
import { type Asked, readAsked } from './asked.js';
import { consentPage } from './page.js';

const path = '/oauth/consent/{uid}';
export const consentPaths: readonly Served[] = [
  { method: 'GET', path },
  { method: 'POST', path },
];

export interface ConsentNeeds {
  db: Database;
  clock: Clock;
  server: AuthorizationServer;
  sessions: Sessions;
}

type WithUid = FastifyRequest<{ Params: { uid: string } }>;

// Three fields.
const bodyLimit = 16 * 1024;

export function installConsent(http: FastifyInstance, needs: ConsentNeeds): void {
  http.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit }, (_request, body, done) => done(null, body));
    const options = { bodyLimit, config: { area: 'open', pattern: path } } as const;
    const url = '/oauth/consent/:uid';
    scope.get(url, options, (request: WithUid, reply) => withAsked(needs, request, reply, ask));
    scope.post(url, options, (request: WithUid, reply) => withAsked(needs, request, reply, decide));
  });
}

interface Open {
  provider: Provider;
  uid: string;
  asked: Asked;
  session: Session;
}

/** Finds what is asked and who is asked. Without either, there is nothing to decide. */
async function withAsked(
  needs: ConsentNeeds,
  request: WithUid,
  reply: FastifyReply,
  go: (needs: ConsentNeeds, open: Open, request: WithUid, reply: FastifyReply) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const { uid } = request.params;
  const provider = await needs.server.get();
  // Found by a cookie: what began in another browser cannot be finished in this one.
  const interaction = await provider.interactionDetails(request.raw, reply.raw).catch(nothingOpen);
  const client =
    interaction?.uid === uid ? await provider.Client.find(String(interaction.params.client_id)) : undefined;
  if (!interaction || !client) return sendOver(reply);
  const session = await needs.sessions.find(request);
  if (!session) return reply.redirect(`/oauth/sign-in?next=${encodeURIComponent(`/oauth/consent/${uid}`)}`, 303);
  return go(needs, { provider, uid, asked: readAsked(interaction, client), session }, request, reply);
}

function nothingOpen(error: Error): undefined {
  if (error.name !== 'SessionNotFound') throw error;
}

async function ask(needs: ConsentNeeds, open: Open, request: WithUid, reply: FastifyReply): Promise<FastifyReply> {
  return show(needs, open, request, reply, 200);
}

async function show(
  { sessions }: ConsentNeeds,
  { uid, asked, session }: Open,
  request: WithUid,
  reply: FastifyReply,
  status: number,
  bad?: string,
): Promise<FastifyReply> {
  const workspaces = await sessions.workspaces(session);
  if (workspaces.length === 0)
    return sendPage(reply, 403, {
      title: 'No workspace',
      body: html`<p>You are signed in as <strong>${session.email}</strong>, and belong to no workspace that this way of signing in opens.
Ask an admin to invite you, or sign in as your workspace wants it.</p>`,
    });
  const form = sessions.cookies.formToken(request, reply);
  return sendPage(reply, status, consentPage({ uid, asked, session, workspaces, form, bad }));
}

async function decide(needs: ConsentNeeds, open: Open, request: WithUid, reply: FastifyReply): Promise<FastifyReply> {
  const { sessions } = needs;
  const { provider, asked, session } = open;
  const fields = new URLSearchParams(String(request.body ?? ''));
  // Bound to the session that was shown the page: whoever signed in since then reads it first.
  if (!sessions.cookies.isOwnForm(request, fields.get('form')))
    return show(
      needs,
      open,
      request,
      reply,
      403,
      'Nothing was decided, because this form was out of date. Read it again.',
    );
  const decision = fields.get('decision');
  if (decision === 'deny') {
    const result = { error: 'access_denied', error_description: 'the person did not allow it' };
    return reply.redirect(await provider.interactionResult(request.raw, reply.raw, result), 303);
  }
  const workspaces = await sessions.workspaces(session);
  const workspace = workspaces.find(({ tenantId }) => String(tenantId) === fields.get('workspace'));
  if (decision !== 'allow' || !workspace)
    return show(needs, open, request, reply, 400, 'Nothing was decided. Choose a workspace, then allow or deny it.');
  const grantId = await allow(needs, asked, workspace, request.ip);
  const login = {
    accountId: writeSubject(workspace),
    remember: false,
    ts: Math.floor(Date.parse(session.createdAt) / 1000),
  };
  return reply.redirect(await provider.interactionResult(request.raw, reply.raw, { login, consent: { grantId } }), 303);
}

function sendOver(reply: FastifyReply): FastifyReply {
  return sendPage(reply, 400, {
    title: 'This request is over',
    body: html`<p>It took too long, was finished before, or began in another browser. Go back to the app and connect it again.</p>`,
  });
}
