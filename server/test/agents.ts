// An agent: the official client of the protocol, over HTTP to the app under test, in either revision.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { TestApp } from './app.js';
import { baseUrl } from './oauth.js';

export const revisions = ['2025', '2026'] as const;
type Revision = (typeof revisions)[number];

/** A `fetch` that reaches the app under test. */
export function appFetch(t: TestApp) {
  return async (url: URL | string | Request, init: RequestInit = {}): Promise<Response> => {
    const { pathname, search } = new URL(String(url instanceof Request ? url.url : url));
    const sent = Object.fromEntries(new Headers(init.headers).entries());
    const response = await t.app.http.inject({
      ...{
        method: (init.method ?? 'GET') as 'GET',
        url: pathname + search,
        headers: { ...sent, host: 'rapport.test' },
      },
      ...(init.body ? { payload: String(init.body) } : {}),
    });
    const headers = new Headers();
    for (const [name, value] of Object.entries(response.headers))
      for (const each of [value].flat()) if (each !== undefined) headers.append(name, String(each));
    const isEmpty = [202, 204].includes(response.statusCode) || response.payload === '';
    return new Response(isEmpty ? null : response.payload, { status: response.statusCode, headers });
  };
}

interface AgentOptions {
  revision?: Revision;
  path?: string;
  /** Answers what the server asks the person. Undefined: the client cannot ask. */
  onAsk?: (message: string) => { action: 'accept' | 'decline' | 'cancel'; content?: Record<string, boolean> };
}

export async function connectAgent(t: TestApp, token: string, options: AgentOptions = {}): Promise<Client> {
  const { revision = '2026', path = '/mcp', onAsk } = options;
  const client = new Client({ name: 'test agent', version: '1' }, {
    capabilities: onAsk ? { elicitation: { form: {} } } : {},
    ...(revision === '2026' ? { versionNegotiation: { mode: 'auto' } } : {}),
  } as never);
  if (onAsk)
    client.setRequestHandler(
      'elicitation/create',
      ({ params }) => onAsk((params as { message: string }).message) as never,
    );
  const transport = new StreamableHTTPClientTransport(new URL(`${baseUrl}${path}`), {
    fetch: appFetch(t) as never,
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  await client.connect(transport);
  return client;
}

interface Told {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  data: any;
  text: string;
  isError: boolean;
  bytes: number;
}

export async function call(client: Client, name: string, given: Record<string, unknown> = {}): Promise<Told> {
  const result = await client.callTool({ name, arguments: given });
  const [first] = result.content as { text: string }[];
  return {
    data: result.structuredContent,
    text: first?.text ?? '',
    isError: result.isError === true,
    bytes: Buffer.byteLength(JSON.stringify(result)),
  };
}

/** One message as it stands, without a client. */
export function post(
  t: TestApp,
  token: string | undefined,
  body: unknown,
  headers: Record<string, string> = {},
  path = '/mcp',
) {
  return t.app.http.inject({
    ...{ method: 'POST', url: path, payload: JSON.stringify(body) },
    headers: {
      ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
  });
}

export const toolCall = (name: string, given: object = {}, id: number | string = 1) => ({
  ...{ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: given } },
});
