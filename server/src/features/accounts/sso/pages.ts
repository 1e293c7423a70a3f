// Signing in through a workspace's identity provider: choosing one, going there, coming back.
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import { html, sendPage } from '../../../http/page.js';
import type { Clock } from '../../../lib/clock.js';
import { randomToken } from '../../../lib/random.js';
import { pagesOf, queryOf } from '../forms.js';
import { safeNext, withNext } from '../next.js';
import { sendTooMany } from '../sign-in/page.js';
import { networkOf, takeTry } from '../throttle/throttle.js';
import { admit } from './admit.js';
import { beginAttempt, takeAttempt } from './attempts.js';
import { ProviderFault } from './client.js';
import { addressOf, callbackUrlOf, type ProviderNeeds, providersFor, signInPathOf } from './providers.js';
import { findProvider, type ProviderRow } from './queries.js';
import { offerLinks, sendCheck, sendFault, sendRefusal } from './view.js';

interface SsoNeeds extends ProviderNeeds {
  clock: Clock;
  log: FastifyBaseLogger;
}
type With<Names extends string> = FastifyRequest<{ Params: Record<Names, string> }>;

export function ssoPages(needs: SsoNeeds) {
  return pagesOf({
    'GET /oauth/sso': (request, reply) => choose(needs, request, reply),
    'GET /oauth/sso/{tenantId}/{providerId}': (request, reply) =>
      goThere(needs, request as With<'tenantId' | 'providerId'>, reply),
    'GET /oauth/sso/{tenantId}/callback': (request, reply) => comeBack(needs, request as With<'tenantId'>, reply),
  });
}

/** Asks for an address and offers the providers of its domain. */
async function choose({ db }: SsoNeeds, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const query = queryOf(request);
  const [email, next] = [query.get('email') ?? '', safeNext(query.get('next'))];
  const offers = await providersFor(db, email);
  const isInVain = email !== '' && offers.length === 0;
  return sendPage(reply, 200, {
    title: 'Single sign-on',
    ...(isInVain && { bad: 'No workspace uses single sign-on for this address.' }),
    body: html`${offerLinks(offers, next)}<form method="get" action="/oauth/sso">
${next && html`<input type="hidden" name="next" value="${next}">`}<div class="field"><label for="email">Work email address</label>
<input id="email" name="email" type="email" autocomplete="username" required maxlength="254" value="${email}"></div>
<button type="submit">Continue</button>
</form>
<p class="hint"><a href="${withNext('/oauth/sign-in', next)}">Sign in with a password instead</a></p>`,
  });
}

async function goThere(
  needs: SsoNeeds,
  request: With<'tenantId' | 'providerId'>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { db, sessions } = needs;
  const found = await providerAt(needs, request.params.tenantId, request.params.providerId);
  if (!found) return sendRefusal(reply, 'no-provider');
  const next = safeNext(queryOf(request).get('next'));
  if (isLedHere(request)) return sendCheck(reply, found.provider, withNext(pathOf(request), next));
  const limit = { key: `sso-from:${networkOf(request.ip)}`, most: 300, seconds: 900 };
  const wait = await takeTry(db, [limit]);
  if (wait > 0) return sendTooMany(reply, wait);
  const { tenantId, provider } = found;
  const secrets = { nonce: randomToken(''), verifier: randomToken('') };
  const attempt = { tenantId, providerId: provider.providerId, next, ...secrets };
  const state = await beginAttempt({ ...needs, cookies: sessions.cookies }, request, reply, attempt);
  return telling(needs, reply, provider, async () => {
    const exchange = { ...secrets, state, redirectUri: callbackUrlOf(needs.baseUrl(), tenantId) };
    const url = await needs.clients.startUrl(addressOf(needs.box, tenantId, provider), exchange);
    return reply.redirect(url, 303);
  });
}

/**
 * Whether another site led here. It may lead to a provider of its own, which asks nothing and sends back any person it likes: people would be
 * signed out, and go on working as another person in another workspace.
 */
function isLedHere({ headers }: FastifyRequest): boolean {
  return !['same-origin', 'none', undefined].includes(headers['sec-fetch-site'] as string | undefined);
}

const pathOf = ({ params }: With<'tenantId' | 'providerId'>) =>
  signInPathOf(Number(params.tenantId), Number(params.providerId));

async function comeBack(needs: SsoNeeds, request: With<'tenantId'>, reply: FastifyReply): Promise<FastifyReply> {
  const { db, sessions, box, clients } = needs;
  const query = queryOf(request);
  const tenantId = numberOf(request.params.tenantId) ?? 0;
  const state = query.get('state') ?? '';
  const attempt = await takeAttempt({ ...needs, cookies: sessions.cookies }, request, tenantId, state);
  if (!attempt) return sendRefusal(reply, 'no-attempt');
  const { providerId, next } = attempt;
  const provider = await findProvider(db, tenantId, providerId);
  if (!provider) return sendRefusal(reply, 'no-provider');
  return telling(needs, reply, provider, async () => {
    const exchange = { ...attempt, state, redirectUri: callbackUrlOf(needs.baseUrl(), tenantId) };
    const claims = await clients.finish(addressOf(box, tenantId, provider), exchange, query.toString());
    const admitted = await admit(db, { tenantId, providerId, address: request.ip }, claims);
    if (typeof admitted === 'string') return sendRefusal(reply, admitted);
    const arrival = { ...admitted, by: 'sso' as const, isStrong: false, tenantId, sso: { tenantId, providerId } };
    const to = await sessions.enter(request, reply, arrival, next);
    return to === undefined ? sendRefusal(reply, 'deactivated') : reply.redirect(to, 303);
  });
}

/** Shows what went wrong with a provider, and logs it for those who can fix it. */
async function telling(
  { log }: SsoNeeds,
  reply: FastifyReply,
  provider: ProviderRow,
  act: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof ProviderFault)) throw error;
    log.warn({ providerId: provider.providerId, why: error.message }, 'single sign-on failed');
    return sendFault(reply, provider.name);
  }
}

async function providerAt({ db }: SsoNeeds, tenant: string, provider: string) {
  const [tenantId, providerId] = [numberOf(tenant), numberOf(provider)];
  if (tenantId === undefined || providerId === undefined) return undefined;
  const row = await findProvider(db, tenantId, providerId);
  return row && { tenantId, provider: row };
}

function numberOf(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
