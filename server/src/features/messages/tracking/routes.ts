// The public routes of mail: the picture that reports an open, links that redirect to their target, and the pages for people.
// Anyone may call them, so nothing here waits long or holds much; a mail must never look broken, whatever is broken here.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Served } from '../../../http/paths.js';
import { type Clock, systemClock } from '../../../lib/clock.js';
import { answerInPages, installPages, pagePaths, sendUnknown } from '../pages/routes.js';
import { mostAgentLength } from './agents.js';
import { type Engagement, findGenuine, type TrackingNeeds } from './needs.js';
import { Recorder } from './recorder.js';

export type { Engagement, TrackingNeeds } from './needs.js';

/** For 405: see the manifest. */
export const trackingPaths: readonly Served[] = [
  { method: 'GET', path: '/t/o/{token}' },
  { method: 'GET', path: '/t/c/{token}' },
  ...pagePaths,
];

type WithToken = FastifyRequest<{ Params: { token: string } }>;

export function installTracking(http: FastifyInstance, needs: TrackingNeeds, clock: Clock = systemClock): void {
  const recorder = new Recorder(http.log);
  installOpens(http, needs, recorder, clock);
  installClicks(http, needs, recorder, clock);
  installPages(http, needs);
}

// 1 by 1 pixel, transparent.
const pixel = Buffer.from('R0lGODlhAQABAIAAAP///wAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');

function installOpens(http: FastifyInstance, needs: TrackingNeeds, recorder: Recorder, clock: Clock): void {
  const config = { area: 'open', pattern: '/t/o/{token}' } as const;
  http.register(async (scope) => {
    // Sent even if the token is refused: a reader never sees why a picture is missing.
    scope.setErrorHandler((_error, _request, reply) => sendPixel(reply));
    scope.get('/t/o/:token', { config }, async (request: WithToken, reply) => {
      const at = clock.now().toISOString();
      if (isLookedAt(request))
        await recorder.attempt(async () => {
          const said = await findGenuine(needs, 'open', request.params.token);
          if (!said) return;
          const { tenantId, messageId } = said;
          await needs.record(tenantId, { messageId, what: 'opened', at, agent: agentOf(request) });
        });
      return sendPixel(reply);
    });
  });
}

function sendPixel(reply: FastifyReply): FastifyReply {
  return reply
    .code(200)
    .headers({ 'content-type': 'image/gif', ...always })
    .send(pixel);
}

function installClicks(http: FastifyInstance, needs: TrackingNeeds, recorder: Recorder, clock: Clock): void {
  const config = { area: 'open', pattern: '/t/c/{token}' } as const;
  http.register(async (scope) => {
    answerInPages(scope);
    scope.get('/t/c/:token', { config }, async (request: WithToken, reply) => {
      const at = clock.now().toISOString();
      const said = await findGenuine(needs, 'click', request.params.token);
      if (said?.url === undefined || said.linkNo === undefined) return sendUnknown(request, reply);
      const { tenantId, messageId, linkNo, url } = said;
      const target = locationOf(url);
      if (target === undefined) return sendUnknown(request, reply);
      const click: Engagement = { messageId, what: 'clicked', at, agent: agentOf(request), linkNo, url };
      if (isLookedAt(request)) await recorder.attempt(() => needs.record(tenantId, click));
      // The target site must not learn which mailbox the reader uses.
      return reply.headers({ ...always, 'referrer-policy': 'no-referrer' }).redirect(target, 302);
    });
  });
}

const always = { 'cache-control': 'no-store', 'x-robots-tag': 'noindex', 'x-content-type-options': 'nosniff' };

/** As it was in the mail, if it is valid in a header; else as browsers write it. Only http and https. */
function locationOf(url: string): string | undefined {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined;
  return /^[\x21-\x7e]+$/.test(url) ? url : new URL(url).href;
}

/** By a reader: not a prefetch by a browser, and not a HEAD request. */
function isLookedAt({ method, headers }: FastifyRequest): boolean {
  if (method === 'HEAD') return false;
  const purposes = [headers['sec-purpose'], headers.purpose, headers['x-purpose'], headers['x-moz']];
  return !purposes.some((purpose) => /\b(prefetch|prerender|preview)\b/i.test(String(purpose ?? '')));
}

function agentOf({ headers }: FastifyRequest): string | null {
  return headers['user-agent']?.slice(0, mostAgentLength) ?? null;
}
