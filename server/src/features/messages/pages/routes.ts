// Unsubscribing, preferences, and the view in a browser. The link is the only credential: anyone who has the mail may use it.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../../http/api-error.js';
import type { Served } from '../../../http/paths.js';
import { findGenuine, type Preferences, type Said, type TrackingNeeds } from '../tracking/needs.js';
import { sendPage, sendPreferences } from './page.js';
import { forOneWindow, viewHeaders } from './view.js';

export const pagePaths: readonly Served[] = [
  { method: 'GET', path: '/t/u/{token}' },
  { method: 'POST', path: '/t/u/{token}' },
  { method: 'GET', path: '/t/p/{token}' },
  { method: 'POST', path: '/t/p/{token}' },
  { method: 'GET', path: '/t/v/{token}' },
];

type WithToken = FastifyRequest<{ Params: { token: string } }>;

// A one-click body has 26 bytes.
const bodyLimit = 16 * 1024;
// Preferences take 60 bytes for each topic: this is enough for 4,000.
const preferencesLimit = 256 * 1024;

export function installPages(http: FastifyInstance, needs: TrackingNeeds): void {
  http.register(async (scope) => {
    answerInPages(scope);
    takeAnyBody(scope);
    const asked = { config: { area: 'open', pattern: '/t/u/{token}' } } as const;
    scope.get('/t/u/:token', asked, (request: WithToken, reply) => ask(needs, request, reply));
    scope.post('/t/u/:token', { ...asked, bodyLimit }, (request: WithToken, reply) => decide(needs, request, reply));
    const chosen = { config: { area: 'open', pattern: '/t/p/{token}' } } as const;
    scope.get('/t/p/:token', chosen, (request: WithToken, reply) => showPreferences(needs, request, reply));
    scope.post('/t/p/:token', { ...chosen, bodyLimit: preferencesLimit }, (request: WithToken, reply) =>
      choose(needs, request, reply),
    );
    const viewed = { config: { area: 'open', pattern: '/t/v/{token}' } } as const;
    scope.get('/t/v/:token', viewed, (request: WithToken, reply) => view(needs, request, reply));
  });
}

/** People follow these links, so errors are shown as a page, not as an envelope. */
export function answerInPages(scope: FastifyInstance): void {
  scope.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    const known = error instanceof ApiError ? error : undefined;
    // Errors caused by the client, not the person, are explained in the envelope.
    const status = known?.status ?? error.statusCode ?? 500;
    if (status < 500) throw error;
    if (!known) request.log.error({ err: error, requestId: request.id }, 'a page for people failed');
    return sendPage(request, reply.headers({ 'retry-after': '60', ...known?.headers }), 503, 'unavailable');
  });
}

/** One-click requests come as forms of both kinds; some have no type or body, or an invalid type. */
function takeAnyBody(scope: FastifyInstance): void {
  scope.addHook('onRequest', async ({ headers }) => {
    if (headers['content-type'] !== undefined) headers['content-type'] = 'application/x-www-form-urlencoded';
  });
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
}

export function sendUnknown(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendPage(request, reply, 404, 'unknown');
}

/** Changes nothing: scanners and previews follow every link. */
async function ask(needs: TrackingNeeds, request: WithToken, reply: FastifyReply): Promise<FastifyReply> {
  const said = await findGenuine(needs, 'unsubscribe', request.params.token);
  if (!said) return sendUnknown(request, reply);
  const subscription = await needs.subscriptionOf(said.tenantId, said.messageId);
  if (!subscription) return sendPage(request, reply, 410, 'gone');
  const { email, isUnsubscribed, topic, branding } = subscription;
  const about = { email, branding };
  if (!topic) return sendPage(request, reply, 200, isUnsubscribed ? 'unsubscribed' : 'unsubscribe', about);
  // A person who unsubscribed from everything is shown that, whatever the topics say.
  if (isUnsubscribed) return sendPage(request, reply, 200, 'unsubscribed', { ...about, all: true });
  const page = topic.isLeft ? 'unsubscribedTopic' : 'unsubscribeTopic';
  return sendPage(request, reply, 200, page, { ...about, topic: topic.name });
}

/**
 * Unsubscribes whatever the body is, as RFC 8058 requires: at once, and without a redirect. Only our own pages can ask to undo it, or to
 * unsubscribe from everything instead of only the message's topic.
 */
async function decide(needs: TrackingNeeds, request: WithToken, reply: FastifyReply): Promise<FastifyReply> {
  const genuine = await findGenuine(needs, 'unsubscribe', request.params.token);
  if (!genuine) return sendUnknown(request, reply);
  const { tenantId, messageId } = genuine;
  const body = String(request.body ?? '');
  const fields = new URLSearchParams(body);
  const isUndo = fields.get('undo') === '1';
  // Read first: once it is done, nothing may fail any more.
  const subscription = await needs.subscriptionOf(tenantId, messageId);
  const topic = fields.get('all') === '1' ? undefined : subscription?.topic;
  const said: Said = { source: isOneClick(body) ? 'oneClick' : 'page', topicId: topic?.topicId };
  const act = () =>
    isUndo ? needs.resubscribe(tenantId, messageId, said) : needs.unsubscribe(tenantId, messageId, said);
  if (!subscription || !(await act())) return sendPage(request, reply, 410, 'gone');
  const { email, branding } = subscription;
  if (topic) {
    const page = isUndo ? 'resubscribedTopic' : 'unsubscribedTopic';
    return sendPage(request, reply, 200, page, { email, branding, topic: topic.name });
  }
  const all = subscription.topic !== undefined;
  return sendPage(request, reply, 200, isUndo ? 'resubscribed' : 'unsubscribed', { email, branding, all });
}

/** Reads a form of either kind. */
function isOneClick(body: string): boolean {
  return /List-Unsubscribe(?:=|"\s+)One-Click/i.test(body);
}

async function showPreferences(needs: TrackingNeeds, request: WithToken, reply: FastifyReply): Promise<FastifyReply> {
  const said = await findGenuine(needs, 'preferences', request.params.token);
  if (!said) return sendUnknown(request, reply);
  const preferences = await needs.preferencesOf(said.tenantId, said.messageId);
  if (!preferences) return sendPage(request, reply, 410, 'gone');
  return sendPreferences(request, reply, preferences, false);
}

/** Saves only what the person changed: the form contains what the page showed, beside what is ticked now. */
async function choose(needs: TrackingNeeds, request: WithToken, reply: FastifyReply): Promise<FastifyReply> {
  const said = await findGenuine(needs, 'preferences', request.params.token);
  if (!said) return sendUnknown(request, reply);
  const { tenantId, messageId } = said;
  const choice = readChoice(new URLSearchParams(String(request.body ?? '')));
  const saved: Preferences | undefined = await needs.savePreferences(tenantId, messageId, choice);
  if (!saved) return sendPage(request, reply, 410, 'gone');
  return sendPreferences(request, reply, saved, true);
}

function readChoice(fields: URLSearchParams): Map<string, boolean> {
  const ticked = new Set(fields.getAll('on'));
  const touched = new Map<string, boolean>();
  for (const shown of fields.getAll('was')) {
    const [name = '', was = ''] = shown.split(':');
    if (ticked.has(name) !== (was === '1')) touched.set(name, ticked.has(name));
  }
  return touched;
}

async function view(needs: TrackingNeeds, request: WithToken, reply: FastifyReply): Promise<FastifyReply> {
  const said = await findGenuine(needs, 'view', request.params.token);
  if (!said) return sendUnknown(request, reply);
  const shown = await needs.renderView(said.tenantId, said.messageId);
  if (!shown) return sendPage(request, reply, 410, 'gone');
  return reply.headers(viewHeaders).send(forOneWindow(shown.html));
}
