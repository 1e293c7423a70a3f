import type { LightMyRequestResponse } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll } from 'vitest';
import { type App, type AppOptions, buildApp } from '../src/app.js';
import { parseJson } from '../src/lib/parse-json.js';
import { type TestDatabase, useDatabase } from './database.js';
import { undocumented } from './openapi/conformance.js';

export const adminToken = 'test-admin-token';

/** The header of a 401 of the API: where tokens are issued. */
export const challenge = 'Bearer resource_metadata="http://rapport.test/.well-known/oauth-protected-resource"';
/** The response to a token that is unknown, revoked, expired or malformed. */
export const badToken = `${challenge}, error="invalid_token"`;

export interface Reply {
  status: number;
  headers: Record<string, string>;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  body: any;
}
type Headers = Record<string, string>;

export interface Client {
  get(path: string, headers?: Headers): Promise<Reply>;
  post(path: string, body?: unknown, headers?: Headers): Promise<Reply>;
  patch(path: string, body?: unknown, headers?: Headers): Promise<Reply>;
  put(path: string, body?: unknown, headers?: Headers): Promise<Reply>;
  delete(path: string, headers?: Headers): Promise<Reply>;
  send(method: string, path: string, body?: unknown, headers?: Headers): Promise<Reply>;
}
export interface TenantClient extends Client {
  tenantId: number;
  token: string;
  /** Polls until the transaction is DONE and returns its data. Needs `work: true`. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  done(acknowledged: Reply): Promise<any>;
}

export interface TestApp extends TestDatabase {
  readonly app: App;
  readonly admin: Client;
  /** Without a token. */
  readonly anonymous: Client;
  withToken(token: string): Client;
  /** A new tenant and a client with a token for it. */
  tenant(options?: { rateLimit?: number; scopes?: string[] }): Promise<TenantClient>;
}

type TestOptions = Partial<AppOptions> & { work?: boolean };

/** The app that ships, on a database for this test file. */
export function useApp(options: TestOptions | (() => TestOptions) = {}): TestApp {
  const database = useDatabase();
  let app: App | undefined;
  beforeAll(async () => {
    const given = typeof options === 'function' ? options() : options;
    app = buildApp({
      db: database.db,
      adminToken,
      baseUrl: () => 'http://rapport.test',
      log: pino({ level: 'silent' }),
      ...given,
    });
    await app.http.ready();
    if (given.work) app.startWork();
  });
  afterAll(async () => {
    await app?.close();
  });

  const client = (token: string | undefined): Client => {
    const send: Client['send'] = async (method, path, body, headers = {}) => {
      const payload =
        body === undefined
          ? {}
          : { payload: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body) };
      const type = body === undefined ? {} : { 'content-type': 'application/json' };
      const bearer = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const response = (await (app as App).http.inject({
        method: method as 'GET',
        url: path,
        headers: { ...type, ...bearer, ...headers },
        ...payload,
      })) as LightMyRequestResponse;
      const reply = toReply(response);
      const fault = undocumented(method, path, reply.status, reply.body);
      if (fault) throw new Error(`Not as the OpenAPI documents say: ${fault}`);
      return reply;
    };
    return {
      send,
      get: (path, headers) => send('GET', path, undefined, headers),
      post: (path, body, headers) => send('POST', path, body, headers),
      patch: (path, body, headers) => send('PATCH', path, body, headers),
      put: (path, body, headers) => send('PUT', path, body, headers),
      delete: (path, headers) => send('DELETE', path, undefined, headers),
    };
  };
  const admin = client(adminToken);
  return {
    get db() {
      return database.db;
    },
    get connection() {
      return database.connection;
    },
    get app() {
      return app as App;
    },
    admin,
    anonymous: client(undefined),
    withToken: client,
    tenant: async ({ rateLimit = 1_000_000, scopes = ['READ', 'WRITE'] } = {}) => {
      const made = await patiently(() => admin.post('/admin/tenants', { name: 'Test', rateLimit }));
      const { tenantId } = made.body.data;
      const { body } = await patiently(() => admin.post(`/admin/tenants/${tenantId}/tokens`, { name: 'test', scopes }));
      const own = client(body.data.token);
      return { tenantId, token: body.data.token, ...own, done: (acknowledged) => untilDone(own, acknowledged) };
    },
  };
}

/** On a busy machine the service may say that it is not ready; a client then tries again. */
async function patiently(ask: () => Promise<Reply>): Promise<Reply> {
  for (let tries = 0; ; tries++) {
    const reply = await ask();
    if (reply.status === 200) return reply;
    if (reply.status !== 503 || tries === 100) throw new Error(`${reply.status} ${reply.text}`);
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}

function toReply(response: LightMyRequestResponse): Reply {
  const isJson = /(?<!nd)json/.test(String(response.headers['content-type'] ?? '')) && response.payload !== '';
  return {
    status: response.statusCode,
    headers: response.headers as Record<string, string>,
    text: response.payload,
    body: isJson ? (parseJson(response.payload) as Reply['body']) : undefined,
  };
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
async function untilDone(client: Client, acknowledged: Reply): Promise<any> {
  if (acknowledged.status !== 200) throw new Error(`Not acknowledged: ${acknowledged.text}`);
  const { transactionId } = acknowledged.body.data;
  for (let tries = 0; tries < 2000; tries++) {
    const { body } = await client.get(`/v2/contacts/transactions/${transactionId}`);
    if (body.data.status === 'DONE') return body.data;
    await new Promise((resolve) => setTimeout(resolve, Math.min(5 + tries, 25)));
  }
  throw new Error(`${transactionId} is not done`);
}
