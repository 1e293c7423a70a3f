// The server side of the protocol, on the official library. It is loaded with the first call: a start should not wait for it.

import type * as mcp from '@modelcontextprotocol/server';
import type {
  CallToolResult,
  InputRequiredResult,
  McpRequestContext,
  Server,
  ServerContext,
} from '@modelcontextprotocol/server';
import { type AgentScope, agentScopes, isObject } from '@rapport/contract';
import type { FastifyBaseLogger } from 'fastify';
import { whyUnavailable } from '../../db/connect.js';
import { ApiError } from '../../http/api-error.js';
import type { Caller } from '../../http/endpoint.js';
import type { LocalCalls } from '../../http/local-calls.js';
import { type Audit, callTool } from './call-tool.js';
import { type Consents, consentIn, yesOrNo } from './consents.js';
import { listing, serverInfo } from './listing.js';
import { nearestOf } from './nearest.js';
import { promptMessages, prompts } from './prompts.js';
import { readResource, resourceList, resourceTemplates } from './resources.js';
import type { Session, Tool } from './tool.js';

type Library = typeof mcp;
type Handler = ReturnType<Library['createMcpHandler']>;

interface ServiceNeeds {
  audit: Audit;
  log: FastifyBaseLogger;
  api: LocalCalls;
  tools: readonly Tool[];
  consents: Consents;
}

/** The lists change with the release alone. */
const unchanging = { ttlMs: 3_600_000, cacheScope: 'private' } as const;

/** The sender of a request. */
interface Sender {
  caller: Caller;
  address: string;
  scopes: readonly AgentScope[];
  isReadOnly: boolean;
}

function senderIn({ authInfo }: McpRequestContext): Sender {
  const { sender } = authInfo?.extra ?? {};
  if (!sender) throw new TypeError('A request without its sender');
  return sender as Sender;
}

export class McpService {
  private loading: Promise<{ library: Library; handler: Handler }> | undefined;

  constructor(private readonly needs: ServiceNeeds) {}

  /** The scopes that a message wants and the token lacks; undefined if it may pass. */
  missingScopes(message: unknown, held: readonly AgentScope[], isReadOnly: boolean): readonly AgentScope[] | undefined {
    const wanted = this.scopesOf(message, isReadOnly);
    return wanted.every((scope) => held.includes(scope)) ? undefined : wanted;
  }

  async fetch(request: Request, body: unknown, sender: Sender): Promise<Response> {
    const { handler } = await this.load();
    const { caller, scopes } = sender;
    const authInfo = { token: '', clientId: caller.clientId ?? '', scopes: [...scopes], extra: { sender } };
    return handler.fetch(request, { parsedBody: body, authInfo });
  }

  private scopesOf(message: unknown, isReadOnly: boolean): readonly AgentScope[] {
    if (!isObject(message)) return [];
    const { method, params } = message;
    if (method === 'resources/read') return ['read'];
    if (method !== 'tools/call' || !isObject(params)) return [];
    const tool = this.findTool(params.name, isReadOnly);
    if (!tool) return [];
    const given = isObject(params.arguments) ? params.arguments : {};
    return [...tool.scopes, ...(tool.alsoWants?.(given) ?? [])];
  }

  private toolsFor(isReadOnly: boolean): readonly Tool[] {
    return isReadOnly ? this.needs.tools.filter(({ annotations }) => annotations.readOnlyHint) : this.needs.tools;
  }

  private findTool(name: unknown, isReadOnly: boolean): Tool | undefined {
    return this.toolsFor(isReadOnly).find((each) => each.name === name);
  }

  private load() {
    this.loading ??= import('@modelcontextprotocol/server').then((library) => ({
      library,
      handler: library.createMcpHandler((context) => this.serverFor(library, senderIn(context)), {
        maxSubscriptions: 0,
        onerror: (err) => this.needs.log.debug({ err }, 'a message was refused'),
      }),
    }));
    return this.loading;
  }

  private serverFor(library: Library, sender: Sender): Server {
    const server = new library.Server(serverInfo, {
      capabilities: { tools: {}, resources: {}, prompts: {} },
      instructions: listing.instructions,
      cacheHints: { 'tools/list': unchanging, 'resources/templates/list': unchanging, 'prompts/list': unchanging },
      inputRequired: { legacyShim: false },
      requestState: { verify: (state) => this.needs.consents.open(state, sender.caller) },
    });
    const tools = this.toolsFor(sender.isReadOnly);
    server.setRequestHandler('tools/list', () => ({ tools: listing.toolsShown(tools) }) as never);
    server.setRequestHandler('tools/call', ({ params }, context) => this.call(library, sender, params, context));
    server.setRequestHandler('resources/list', () => ({ resources: resourceList() }));
    server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates }));
    server.setRequestHandler('resources/read', ({ params }) => this.read(library, sender, params.uri));
    server.setRequestHandler('prompts/list', () => ({ prompts: prompts.map(({ say: _say, ...shown }) => shown) }));
    server.setRequestHandler('prompts/get', ({ params }) => this.prompt(library, params.name, params.arguments ?? {}));
    return server;
  }

  private async read(library: Library, sender: Sender, uri: string) {
    try {
      return { contents: [await readResource(uri, this.sessionOf(sender))] };
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw this.failure(library, error as Error);
      throw new library.ProtocolError(library.ProtocolErrorCode.InvalidParams, error.message);
    }
  }

  private prompt(library: Library, name: string, given: Readonly<Record<string, string>>) {
    const prompt = prompts.find((each) => each.name === name);
    if (!prompt) throw this.unknown(library, 'prompt', name, prompts);
    const missing = prompt.arguments.find((each) => each.required && !given[each.name]?.trim());
    if (missing)
      throw new library.ProtocolError(
        library.ProtocolErrorCode.InvalidParams,
        `The argument ${missing.name} is required.`,
      );
    return { description: prompt.description, messages: promptMessages(prompt, given) };
  }

  private unknown(library: Library, what: string, name: string, known: readonly { name: string }[]): Error {
    const near = nearestOf(name, known, (each) => [each.name]).map((each) => each.name);
    const words = `There is no ${what} “${name.slice(0, 100)}”. Nearest: ${near.join(', ')}.`;
    return new library.ProtocolError(library.ProtocolErrorCode.InvalidParams, words);
  }

  private async call(
    library: Library,
    sender: Sender,
    { name, arguments: given }: { name: string; arguments?: unknown },
    context: ServerContext,
  ): Promise<CallToolResult | InputRequiredResult> {
    const tool = this.findTool(name, sender.isReadOnly);
    if (!tool) throw this.unknown(library, 'tool', name, this.toolsFor(sender.isReadOnly));
    const { consents, audit } = this.needs;
    try {
      const session = { ...this.sessionOf(sender), consent: consentIn(library, context) };
      const { ask, ...result } = await callTool(audit, tool, given, session);
      if (!ask) return result;
      return library.inputRequired({
        inputRequests: { consent: library.inputRequired.elicit({ message: ask.message, requestedSchema: yesOrNo }) },
        requestState: consents.seal(ask.planId, sender.caller),
      });
    } catch (error) {
      throw this.failure(library, error as Error);
    }
  }

  private sessionOf({ caller, address, scopes }: Sender): Session {
    const { api } = this.needs;
    const mayWrite = scopes.includes('write') || scopes.includes('send');
    const asApi = { ...caller, scopes: ['READ', ...(mayWrite ? ['WRITE'] : [])] };
    return {
      ...{ caller, address, scopes: new Set(agentScopes.filter((scope) => scopes.includes(scope))) },
      api: (route, request) => api.call(route, { caller: asApi, address }, request),
      check: (route, request) => api.check(route, request),
    };
  }

  /** What the caller must not see goes to the log. */
  private failure(library: Library, err: Error): Error {
    const why = whyUnavailable(err);
    const isKnown = err instanceof ApiError;
    if (!why && !isKnown) this.needs.log.error({ err }, 'a tool failed');
    const words = why
      ? `The service is not ready: ${why.reason}.`
      : isKnown
        ? err.message
        : 'Something went wrong on our side. Try again.';
    return new library.ProtocolError(library.ProtocolErrorCode.InternalError, words);
  }
}
