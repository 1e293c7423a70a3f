// POST /mcp: every message is judged by what it does, whatever headers and batches say. Then the protocol's own library serves it.
import type { AgentScope } from '@rapport/contract';
import { isObject } from '@rapport/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../http/endpoint.js';
import { agentScopesOf } from '../../http/guard.js';
import { isJsonType } from '../../http/json.js';
import type { Served } from '../../http/paths.js';
import type { TakeBudget } from '../../http/rate-limit.js';
import { parseJson } from '../../lib/parse-json.js';
import { boundedMessage } from './bound.js';
import type { McpService } from './service.js';

const mcpPath = '/mcp';
export const mcpPaths: readonly Served[] = [{ method: 'POST', path: mcpPath }];

const bodyLimit = 4 * 1024 * 1024;
const mostMessages = 20;
// As JSON: it comes back beside every answer.
const mostIdBytes = 128;

interface MountNeeds {
  service: McpService;
  takeBudget: TakeBudget;
}

export function mountMcp(http: FastifyInstance, needs: MountNeeds): void {
  http.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, text, done) => done(null, text));
    const config = { area: 'mcp', pattern: mcpPath } as const;
    scope.post(mcpPath, { config, bodyLimit }, (request, reply) => answer(needs, request, reply));
  });
}

async function answer(needs: MountNeeds, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  if (!isJsonType(request.headers['content-type']))
    return refuse(reply, 415, -32_000, 'Content-Type must be application/json in UTF-8');
  const body = readBody(request.body);
  if (body === undefined) return refuse(reply, 400, -32_700, 'The body is not valid JSON.');
  const messages = Array.isArray(body) ? body : [body];
  if (messages.length === 0 || messages.length > mostMessages)
    return refuse(reply, 400, -32_600, `A batch has 1 to ${mostMessages} messages.`);
  if (messages.some(hasLongId)) return refuse(reply, 400, -32_600, `An id has at most ${mostIdBytes} bytes.`);
  const caller = request.caller as Caller;
  const scopes = agentScopesOf(caller);
  const isReadOnly = /[?&]readOnly=(1|true)(&|$)/.test(request.url);
  const missing = messages.map((message) => needs.service.missingScopes(message, scopes, isReadOnly)).find(Boolean);
  if (missing) return refuseScope(request, reply, missing);
  const wait = await takeForAll(needs, caller, messages.length - 1);
  if (wait > 0) return refuse(reply.header('retry-after', String(wait)), 429, -32_000, 'Too many messages.');
  return serve(needs, request, reply, { body, caller, scopes, isReadOnly });
}

function readBody(text: unknown): unknown {
  try {
    const body = parseJson(String(text));
    return isObject(body) || Array.isArray(body) ? body : undefined;
  } catch {
    return undefined;
  }
}

const hasLongId = (message: unknown) =>
  isObject(message) && Buffer.byteLength(JSON.stringify(message.id) ?? '') > mostIdBytes;

/** The guard has counted the first message. Returns the seconds to wait. */
async function takeForAll({ takeBudget }: MountNeeds, caller: Caller, others: number): Promise<number> {
  for (let taken = 0; taken < others; taken++) {
    const wait = await takeBudget(caller.tenantId, caller.rateLimit);
    if (wait > 0) return wait;
  }
  return 0;
}

function refuse(reply: FastifyReply, status: number, code: number, message: string): FastifyReply {
  return reply
    .code(status)
    .header('content-type', 'application/json')
    .send(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } }));
}

function refuseScope({ challenge }: FastifyRequest, reply: FastifyReply, missing: readonly AgentScope[]): FastifyReply {
  const scope = missing.join(' ');
  if (challenge) reply.header('www-authenticate', challenge('insufficient_scope', scope));
  return refuse(reply, 403, -32_001, `This needs the scope ${scope}, which the token does not have.`);
}

interface Asked {
  body: unknown;
  caller: Caller;
  scopes: readonly AgentScope[];
  isReadOnly: boolean;
}

async function serve(
  { service }: MountNeeds,
  request: FastifyRequest,
  reply: FastifyReply,
  { body, caller, scopes, isReadOnly }: Asked,
): Promise<FastifyReply> {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined && name !== 'content-length') headers.set(name, String(value));
  const response = await service.fetch(
    new Request('http://rapport/mcp', { method: 'POST', headers, body: '{}', signal: gone.signal }),
    body,
    { caller, address: request.ip, scopes, isReadOnly },
  );
  reply.code(response.status);
  response.headers.forEach((value, name) => {
    reply.header(name, value);
  });
  const text = await response.text();
  if (text === '') return reply.send();
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
  return reply.send(
    isStream ? text.replace(/^data: (.+)$/gm, (_line, json) => `data: ${boundedMessage(json)}`) : boundedMessage(text),
  );
}
