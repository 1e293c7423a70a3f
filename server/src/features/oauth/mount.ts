// The endpoints of the authorization server. Requests are handed on to it, under our configured address.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';
import type { Database } from '../../db/database.js';
import { html, sendPage } from '../../http/page.js';
import type { Served } from '../../http/paths.js';
import { type Limit, networkOf, takeTry } from '../accounts/index.js';
import type { AuthorizationServer } from './provider/server.js';

interface Endpoint extends Served {
  method: 'GET' | 'POST';
  /** As the library knows it. */
  inner: string;
  /** Pages of other origins ask whether they may call it. The library answers these preflights, except for endpoints that it does not know. */
  cors?: 'library' | 'open';
}

const discovery = ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'];

const endpoints: readonly Endpoint[] = [
  { method: 'GET', path: '/oauth/authorize', inner: '/authorize' },
  { method: 'GET', path: '/oauth/authorize/{uid}', inner: '/authorize/{uid}' },
  { method: 'POST', path: '/oauth/token', inner: '/token', cors: 'library' },
  { method: 'POST', path: '/oauth/revoke', inner: '/revoke', cors: 'library' },
  { method: 'POST', path: '/oauth/introspect', inner: '/introspect' },
  { method: 'GET', path: '/oauth/userinfo', inner: '/userinfo', cors: 'library' },
  { method: 'POST', path: '/oauth/userinfo', inner: '/userinfo' },
  { method: 'GET', path: '/oauth/jwks', inner: '/jwks', cors: 'library' },
  { method: 'POST', path: '/oauth/register', inner: '/register', cors: 'open' },
  // Where OpenID Connect looks, and where RFC 8414 does.
  ...discovery.flatMap((inner): Endpoint[] => [
    { method: 'GET', path: `/oauth${inner}`, inner, cors: 'library' },
    { method: 'GET', path: `${inner}/oauth`, inner, cors: 'library' },
  ]),
];

export const endpointPaths: readonly Served[] = endpoints.map(({ method, path }) => ({ method, path }));

interface MountNeeds {
  db: Database;
  server: AuthorizationServer;
}

type InteractionRequest = FastifyRequest<{ Params: { uid?: string } }>;

export function mount(http: FastifyInstance, needs: MountNeeds): void {
  http.register(async (scope) => {
    // The library reads bodies itself.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    for (const endpoint of endpoints) {
      const { method, path, inner, cors } = endpoint;
      const url = path.replace(/\{(\w+)\}/g, ':$1');
      const options = { config: { area: 'open', pattern: path } } as const;
      scope.route({
        ...options,
        method,
        url,
        handler: (request: InteractionRequest, reply) => answer(needs, endpoint, request, reply),
      });
      if (cors === 'library')
        scope.options(url, options, (request, reply) => handOn(needs.server, inner, request, reply));
      if (cors === 'open') scope.options(url, options, (_request, reply) => reply.code(204).headers(openToAll).send());
    }
  });
}

const openToAll = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers': 'content-type',
  'access-control-max-age': '3600',
};

async function answer(
  { db, server }: MountNeeds,
  { inner, cors }: Endpoint,
  request: InteractionRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  if (cors === 'open') reply.header('access-control-allow-origin', '*');
  if (inner.startsWith('/authorize')) reply.headers(pageHeaders);
  if (inner === '/authorize' && Buffer.byteLength(request.url) > longestAddress) return sendTooLong(reply);
  const wait = await takeTry(db, limitsOf(inner, networkOf(request.ip)));
  if (wait > 0) return refuse(reply, inner, wait);
  await handOn(server, inner.replace('{uid}', encodeURIComponent(request.params.uid ?? '')), request, reply);
  return undefined;
}

// What an app asks for is stored for an hour, and anyone can be an app.
const longestAddress = 4096;

/**
 * For the page that passes an answer on by a form (`form_post`). The library adds the hash of its script. The form leads to the app's
 * address, which was checked.
 */
const pageHeaders = {
  'content-security-policy': "default-src 'none'; script-src; base-uri 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

function sendTooLong(reply: FastifyReply): FastifyReply {
  return sendPage(reply, 414, {
    title: 'This app can’t be connected',
    body: html`<p>What the app asks for is too long: its address has more than ${longestAddress} characters. Tell its developers.</p>`,
  });
}

/** Anyone can make both write to the database. One network must not use up the budget of all. */
function limitsOf(inner: string, network: string): Limit[] {
  if (inner === '/authorize') return [{ key: `authorize:${network}`, most: 3000, seconds: 3600 }];
  if (inner !== '/register') return [];
  return [
    { key: `register:${network}`, most: 20, seconds: 3600 },
    { key: 'register', most: 1000, seconds: 86_400 },
  ];
}

function refuse(reply: FastifyReply, inner: string, wait: number): FastifyReply {
  reply.header('retry-after', String(wait));
  const minutes = Math.ceil(wait / 60);
  const text = `Too many requests came from your network. Try again in ${minutes === 1 ? '1 minute' : `${minutes} minutes`}.`;
  if (inner === '/authorize')
    return sendPage(reply, 429, { title: 'Please try again later', body: html`<p>${text}</p>` });
  return reply.code(429).send({ error: 'temporarily_unavailable', error_description: text });
}

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;
const handlers = new WeakMap<Provider, Handler>();

function handlerOf(provider: Provider): Handler {
  const handler = handlers.get(provider) ?? provider.callback();
  handlers.set(provider, handler);
  return handler;
}

/** The host that a caller names is not trusted: behind a proxy only the configuration knows our address. */
async function handOn(server: AuthorizationServer, inner: string, request: FastifyRequest, reply: FastifyReply) {
  const provider = await server.get();
  const { host, protocol, pathname } = new URL(server.issuer);
  const { raw } = request;
  delete raw.headers['x-forwarded-host'];
  Object.assign(raw.headers, { host, 'x-forwarded-proto': protocol.slice(0, -1), 'x-forwarded-for': request.ip });
  raw.url = `${inner}${queryFor(inner, request.url, server.mcpResource)}`;
  Object.assign(raw, { originalUrl: `${pathname}${raw.url}` });
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value);
  reply.hijack();
  await handlerOf(provider)(raw, reply.raw);
}

/** An app that names no scope gets the one that harms least. */
function queryFor(inner: string, url: string, mcpResource: string): string {
  const at = url.indexOf('?');
  const query = at < 0 ? '' : url.slice(at);
  const asked = new URLSearchParams(query);
  if (inner !== '/authorize' || asked.has('scope')) return query;
  const least = asked.get('resource')?.replace(/\/$/, '') === mcpResource ? 'read' : 'READ';
  return `${query === '' ? '?' : `${query}&`}scope=${least}`;
}
