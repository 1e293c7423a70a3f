// The request pipeline, in the order of the contract:
// request id → token → budget → scope → route and method → query string and body → handler → envelope.
import { hash } from 'node:crypto';
import { paramsIn, pathsOf, type Route, type Scope, scopeOf } from '@rapport/contract';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Clock } from '../lib/clock.js';
import { newRequestId } from '../lib/ids.js';
import { ApiError, invalid, notFound } from './api-error.js';
import { bodyReaderOf } from './body.js';
import { installBodyParser } from './body-parser.js';
import { boundedServer, type ConnectionLimits, connectionLimits } from './connections.js';
import { answerCors } from './cors.js';
import { BodyRoom, Crowd } from './crowd.js';
import type { Call, Caller, Endpoint, Idempotency } from './endpoint.js';
import { jsonType, pageJson, successJson } from './envelope.js';
import { installErrorHandler, onClientError, type Unavailability } from './error-handler.js';
import type { Challenge, Guard, Verdict } from './guard.js';
import { streamOfParts } from './parts.js';
import { type Area, allowedMethods, areaOf, pathOf, routableUrl, type Served, shadowedMethods } from './paths.js';
import { queryReader, type ReadQuery } from './query.js';
import { serializerOf } from './serialize.js';
import { installStreamed, streamOf } from './stream-body.js';

export const bodyLimit = 10 * 1024 * 1024;

interface ServerOptions {
  endpoints: readonly Endpoint[];
  /** Served beside the contract; other methods get a 405. */
  others?: readonly Served[];
  guards: Record<Exclude<Area, 'open' | 'mcp'>, Guard> & { mcp?: Guard };
  /** Whether a page of another site sent a request: refused at /mcp, as the protocol asks. */
  isForeignOrigin?: (origin: string) => boolean;
  /** Checks `writeKey` of the body, on routes that accept one. */
  pageKeyGuard: Guard;
  clock: Clock;
  log: FastifyBaseLogger;
  /** Addresses and networks whose X-Forwarded-For is trusted: `request.ip` is then the client's. */
  trustedProxies?: readonly string[];
  /** Replacements for the limits that ship, for tests. */
  limits?: Partial<ConnectionLimits> | undefined;
  /** Errors that pass by waiting: the caller gets a 503. http itself does not know the database. */
  whyUnavailable: (error: Error) => Unavailability | undefined;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Routes are guarded like /v1 and /v2 unless they say otherwise. */
    area?: Area;
    /** The path in the contract's form, for logs and metrics. */
    pattern?: string;
    /** A method of another path: answered as if no route had matched. */
    isShadowed?: boolean;
    /** Open, and answered at once, whatever else is waiting. */
    isUncounted?: boolean;
    /** The body is read as a stream, and never held in memory. */
    isStreamed?: boolean;
    /** What a token needs, where the method does not tell. */
    scope?: Scope | undefined;
    /** Without an Authorization header, `writeKey` of the body identifies the caller. */
    takesPageKey?: boolean;
    /** Only for admins: others get a 403. */
    adminOnly?: boolean;
  }
  interface FastifyRequest {
    caller: Caller | null;
    /** For what a request turns out to need beyond its token. */
    challenge: Challenge | null;
    bodyHash: string | null;
    bodyText: string;
  }
}

export function createServer(options: ServerOptions): FastifyInstance {
  const app = Fastify({
    loggerInstance: options.log,
    // One log line of our own per request, and no child logger for each: the request id is in that line.
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (logger) => logger,
    bodyLimit,
    trustProxy: options.trustedProxies?.length ? [...options.trustedProxies] : false,
    genReqId: (request) => saneRequestId(request.headers['x-request-id']) ?? newRequestId(),
    rewriteUrl: (request) => routableUrl(request.url ?? '/'),
    // The contract's own reader takes the raw text; this one must accept anything.
    routerOptions: { maxParamLength: 16_384, querystringParser: () => ({}) },
    clientErrorHandler: onClientError(options.clock),
    forceCloseConnections: 'idle',
    // While stopping, a busy connection still gets its response, in the envelope; new ones are not accepted.
    return503OnClosing: false,
    serverFactory: (serve) => boundedServer(serve, { ...connectionLimits, ...options.limits }, options.clock),
  });
  app.decorateRequest('caller', null);
  app.decorateRequest('challenge', null);
  app.decorateRequest('bodyHash', null);
  app.decorateRequest('bodyText', '');
  installGuard(app, options);
  installBodyParser(app);
  installErrorHandler(app, options.clock, options.whyUnavailable);
  for (const endpoint of options.endpoints) {
    const { consumes, mostFileBytes } = endpoint.route;
    if (consumes) installStreamed(app, (scope) => installEndpoint(scope, endpoint, options.clock), mostFileBytes);
    else installEndpoint(app, endpoint, options.clock);
  }
  for (const { method, path } of shadowedMethods(options.endpoints.map((endpoint) => endpoint.route))) {
    const config = { area: areaOf(path), pattern: path, isShadowed: true };
    app.route({ method, url: path, config, handler: () => {} });
  }
  return app;
}

function saneRequestId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && /^[\w.:@/+=-]{1,128}$/.test(header) ? header : undefined;
}

function installGuard(
  app: FastifyInstance,
  { endpoints, others = [], guards, pageKeyGuard, isForeignOrigin }: ServerOptions,
): void {
  const methodsOf = allowedMethods(
    endpoints.map((endpoint) => endpoint.route),
    others,
  );
  const refuseUnknown = (request: FastifyRequest): ApiError | undefined => {
    if (!request.is404 && !request.routeOptions.config.isShadowed) return undefined;
    const allow = methodsOf(request.url);
    if (allow.length === 0 || allow.includes(request.method)) return notFound('route');
    return new ApiError(
      'METHOD_NOT_ALLOWED',
      { method: request.method, allow: allow.join(', ') },
      { headers: { allow: allow.join(', ') } },
    );
  };
  const crowd = new Crowd(mostOpen, 'requests without a token');
  const room = new BodyRoom(mostBodies);
  const uploads = new Crowd(mostUploads, 'uploads');
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    const malformed = refuseMalformed(request);
    if (malformed) return done(malformed);
    const { config } = request.routeOptions;
    const area = request.is404 ? areaOf(pathOf(request.url)) : (config.area ?? 'api');
    if (area === 'open') {
      const tooMany = config.isUncounted ? undefined : crowd.enter(request.ip, reply);
      return done(tooMany ?? refuseUnknown(request));
    }
    if (area === 'ingest' && answerCors(request, reply)) return;
    if (area === 'mcp' && request.headers.origin !== undefined && isForeignOrigin?.(request.headers.origin)) {
      reply.code(403).send();
      return;
    }
    // No budget counts it before its body is read.
    if (mayHavePageKey(request)) return done(crowd.enter(request.ip, reply));
    const needed = scopeOf({ method: request.method, scope: config.scope });
    settle((guards[area] ?? guards.api)(request.headers.authorization, needed, request.ip), request, reply, done);
  });
  app.addHook('preHandler', (request, reply, done) => {
    if (!mayHavePageKey(request)) return done();
    const key = (request.body as { writeKey?: unknown } | null | undefined)?.writeKey;
    settle(pageKeyGuard(typeof key === 'string' ? key : undefined, 'WRITE', request.ip), request, reply, done);
  });

  function settle(
    verdict: Verdict | Promise<Verdict>,
    request: FastifyRequest,
    reply: FastifyReply,
    done: (error?: Error) => void,
  ): void {
    if (verdict instanceof Promise) {
      verdict.then((decided) => settle(decided, request, reply, done), done);
      return;
    }
    if (verdict.headers) reply.headers(verdict.headers);
    if ('status' in verdict) {
      reply.code(verdict.status).send();
      return;
    }
    if (request.routeOptions.config.adminOnly && verdict.caller.role !== 'admin') {
      // No scope is named, because none would help.
      if (verdict.challenge) reply.header('www-authenticate', verdict.challenge('insufficient_scope'));
      reply.code(403).send();
      return;
    }
    request.caller = verdict.caller;
    request.challenge = verdict.challenge ?? null;
    const { tenantId } = verdict.caller;
    const enter = () =>
      request.routeOptions.config.isStreamed
        ? uploads.enter(String(tenantId), reply)
        : room.enter(tenantId, request, reply);
    done(refuseUnknown(request) ?? enter());
  }
}

// The most that Segment's browser library puts into one request. The caller is not known yet.
const mostBeforeKey = 512 * 1024;

/** Whether the caller may be identified by the body, which is then read before authentication: only a short, uncompressed one. */
function mayHavePageKey({ headers, routeOptions, is404 }: FastifyRequest): boolean {
  if (is404 || !routeOptions.config.takesPageKey || headers.authorization !== undefined) return false;
  return headers['content-encoding'] === undefined && Number(headers['content-length']) <= mostBeforeKey;
}

// Their responses are built once for everyone. Behind a proxy that is not in TRUSTED_PROXIES all clients have one address.
const mostOpen = { each: 256, together: 2048 };

// Six of the largest bodies per tenant, twelve in total. Bodies of a few KB are not worth counting.
const mostBodies = { perTenant: 64 * 1024 * 1024, together: 128 * 1024 * 1024, short: 64 * 1024 };

// Streams are read as they arrive, in parts of half a megabyte that wait until they are stored.
const mostUploads = { each: 20, together: 100 };

/** What Node's parser would refuse by itself, without an envelope. */
function refuseMalformed({ raw, headers }: FastifyRequest): ApiError | undefined {
  if (headers.host === undefined && raw.httpVersion === '1.1') return invalid('Host', 'is required');
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue')
    return new ApiError('EXPECTATION_FAILED');
  return undefined;
}

function idempotencyOf(request: FastifyRequest, route: Route): Idempotency | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined || route.method !== 'POST' || route.area !== 'api') return undefined;
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw invalid('Idempotency-Key', 'must have 1 to 255 visible characters');
  }
  // The path parameters are part of the request: a key must not return the response for another list's members.
  const target = JSON.stringify(request.params);
  return { route: route.id, key, bodyHash: hash('sha256', target + (request.bodyHash ?? '')) };
}

// A proxy that compresses responses makes a tag weak; it is still the same edit.
function entityTags(header: string | undefined): string[] | undefined {
  return header?.split(',').map((tag) => tag.trim().replace(/^W\//, '').replaceAll('"', ''));
}

// No stored text contains NUL, and PostgreSQL refuses it: such an id is replaced with an unknown one.
function soundParams(params: unknown): Record<string, string> {
  const given = params as Record<string, string>;
  for (const [name, value] of Object.entries(given))
    if (value.includes('\0')) given[name] = value.replaceAll('\0', '\ufffd');
  return given;
}

function installEndpoint(app: FastifyInstance, { route, handle }: Endpoint, clock: Clock): void {
  const readBody = bodyReaderOf(route);
  const serialize = serializerOf(route);
  const handlerOf = (readQuery: ReadQuery | undefined) => async (request: FastifyRequest, reply: FastifyReply) => {
    const at = request.url.indexOf('?');
    const query = readQuery?.(at < 0 ? '' : request.url.slice(at + 1)) ?? {};
    const body = readBody?.(request.body) ?? {};
    const stream = route.consumes && streamOf(request, route);
    const idempotency = idempotencyOf(request, route);
    const call = {
      caller: request.caller as Caller,
      address: request.ip,
      params: soundParams(request.params),
      query,
      body,
      text: () => request.bodyText,
      stream,
      idempotency,
      ifMatch: entityTags(request.headers['if-match']),
    } as unknown as Call;
    const answer = await handle(call);
    reply.header('content-type', jsonType);
    if ('rows' in answer) {
      const { pageNumber, pageSize } = query as { pageNumber: number; pageSize: number };
      return pageJson(serialize(answer.rows), { pageNumber, pageSize, totalElements: answer.total }, clock.now());
    }
    if ('parts' in answer) return streamOfParts(route, answer.parts, clock);
    if (answer.etag !== undefined) reply.header('etag', `"${answer.etag}"`);
    if (answer.replayed) reply.header('idempotency-replayed', 'true');
    return successJson(serialize(answer.data), clock.now(), answer.errors);
  };
  for (const path of pathsOf(route)) {
    const url = path.replace(/\{(\w+)\}/g, ':$1');
    const params = route.query && paramsIn(path.startsWith('/v1/') ? 'v1' : 'v2', route.query);
    app.route({
      method: route.method,
      url,
      config: {
        ...{ area: route.area, pattern: path, scope: route.scope, adminOnly: route.adminOnly ?? false },
        // A file is held as a whole, and counts like any other body.
        isStreamed: route.consumes !== undefined && route.mostFileBytes === undefined,
      },
      handler: handlerOf(params && queryReader(params, route.snakeCase ?? false)),
    });
  }
}
