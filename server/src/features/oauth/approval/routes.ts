// Where a person decides whether an app may act for them. Every authorization leads here: nothing is ever allowed silently.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { InteractionResults, Provider } from 'oidc-provider';
import type { Database } from '../../../db/database.js';
import { html, sendPage } from '../../../http/page.js';
import type { Clock } from '../../../lib/clock.js';
import { type FormFields, pagesOf, type Session, type Sessions, withNext } from '../../accounts/index.js';
import type { AuthorizationServer } from '../provider/server.js';
import { findHeldScopes } from '../queries.js';
import { writeSubject } from '../subject.js';
import { allow } from './allow.js';
import { type AskedAccess, isTooOld, readAsked } from './asked.js';
import { consentPage } from './page.js';

interface ConsentNeeds {
  db: Database;
  clock: Clock;
  server: AuthorizationServer;
  sessions: Sessions;
}

export function consentPages(needs: ConsentNeeds) {
  return pagesOf({
    'GET /oauth/consent/{uid}': (...asked) => withAsked(needs, ...asked, (open) => show(open, 200)),
    'POST /oauth/consent/{uid}': (...asked) => withAsked(needs, ...asked, decide),
  });
}

/** What is asked, who is asked, and by which request they answer. */
interface Open {
  needs: ConsentNeeds;
  provider: Provider;
  path: string;
  asked: AskedAccess;
  session: Session;
  request: FastifyRequest;
  reply: FastifyReply;
  fields: FormFields;
}

/** Finds what is asked and who is asked. Without either, there is nothing to decide. */
async function withAsked(
  needs: ConsentNeeds,
  request: FastifyRequest,
  reply: FastifyReply,
  fields: FormFields,
  go: (open: Open) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const { uid } = request.params as { uid: string };
  const provider = await needs.server.get();
  // Found by a cookie: an authorization that began in another browser cannot be finished in this one.
  const interaction = await provider.interactionDetails(request.raw, reply.raw).catch(nothingOpen);
  const isIt = interaction?.uid === uid;
  const client = isIt ? await findApp(needs, String(interaction.params.client_id), request.ip) : undefined;
  if (!interaction || !client) return sendOver(reply);
  const path = `/oauth/consent/${uid}`;
  const session = await needs.sessions.find(request);
  if (!session) return reply.redirect(withNext('/oauth/sign-in', path), 303);
  if (isTooOld(interaction, session.createdAt))
    return reply.redirect(`${withNext('/oauth/sign-in', path)}&again=1`, 303);
  return go({
    needs,
    provider,
    path,
    asked: readAsked(interaction, client, needs.server.mcpResource),
    session,
    request,
    reply,
    fields,
  });
}

/** Undefined if its document is gone or no longer valid: that is the app's fault, and not worth logging. */
async function findApp({ server }: ConsentNeeds, clientId: string, address: string) {
  try {
    return await server.findClient(clientId, address);
  } catch (error) {
    if (!(error instanceof Error && /^InvalidClient(Metadata)?$|^InvalidRedirectUri$/.test(error.name))) throw error;
    return undefined;
  }
}

function nothingOpen(error: Error): undefined {
  if (error.name !== 'SessionNotFound') throw error;
}

async function show(open: Open, status: number, bad?: string): Promise<FastifyReply> {
  const { path, asked, session, request, reply } = open;
  const { sessions } = open.needs;
  const workspaces = await sessions.workspaces(session);
  // That page says what else they can do.
  if (workspaces.length === 0) return reply.redirect(withNext('/oauth/workspace', path), 303);
  const form = sessions.cookies.formToken(request, reply);
  const current = workspaces.find(({ tenantId }) => tenantId === session.tenantId) ?? workspaces[0];
  const held = current && asked.agentScopes.length > 0 ? await findHeldScopes(open.needs.db, current, asked.app) : [];
  return sendPage(reply, status, consentPage({ path, asked, session, workspaces, form, bad, held }));
}

async function decide(open: Open): Promise<FastifyReply> {
  const { needs, asked, session, request, fields } = open;
  const { sessions } = needs;
  // Bound to the session that was shown the page: a person who signed in since then reads it first.
  if (!sessions.cookies.isOwnForm(request, fields.form))
    return show(open, 403, 'Nothing was decided, because this form was out of date. Read it again.');
  if (fields.decision === 'deny')
    return leadBack(open, { error: 'access_denied', error_description: 'the person did not allow it' });
  const workspaces = await sessions.workspaces(session);
  const workspace = workspaces.find(({ tenantId }) => String(tenantId) === fields.workspace);
  if (fields.decision !== 'allow' || !workspace)
    return show(open, 400, 'Nothing was decided. Choose a workspace, then allow or deny it.');
  const { agentScopes } = asked;
  const isTicked = (scope: string) => !isAmong(agentScopes, scope) || fields[`may-${scope}`] !== undefined;
  if (agentScopes.length > 0 && !agentScopes.some(isTicked))
    return show(open, 400, 'Nothing was decided. Tick what the app may do, or deny it.');
  const grantId = await allow(needs, asked, workspace, request.ip, isTicked);
  const ts = Math.floor(Date.parse(session.createdAt) / 1000);
  return leadBack(open, {
    login: { accountId: writeSubject(workspace), remember: false, ts },
    consent: { grantId },
  });
}

const isAmong = (scopes: readonly string[], scope: string) => scopes.includes(scope);

/** The authorization server goes on from here, and leads to the app. */
async function leadBack({ provider, request, reply }: Open, result: InteractionResults): Promise<FastifyReply> {
  return reply.redirect(await provider.interactionResult(request.raw, reply.raw, result), 303);
}

function sendOver(reply: FastifyReply): FastifyReply {
  return sendPage(reply, 400, {
    title: 'This request has expired',
    body: html`<p>It took too long, was already finished, or started in another browser. Go back to the app and connect it again.</p>`,
  });
}
