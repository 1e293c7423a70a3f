// People who sign in, for tests: created in the database, signed in over HTTP.
import type { Role } from '@rapport/contract';
import { hashPassword } from '../src/features/accounts/passwords.js';
import { insertPerson } from '../src/features/accounts/people/queries.js';
import { insertMembership } from '../src/features/tenants/index.js';
import type { Reply, TestApp } from './app.js';

export const goodPassword = 'correct horse battery staple';

export interface TestPerson {
  personId: number;
  accountId: number;
  tenantId: number;
  name: string;
  email: string;
  role: Role;
  password: string | undefined;
}

interface PersonWanted {
  tenantId: number;
  role?: Role;
  email?: string;
  name?: string;
  /** Null: the account has no password. */
  password?: string | null;
}

let made = 0;
// Hashing takes 20 ms, and one password is enough for most tests.
const hashes = new Map<string, Promise<string>>();

function hashOf(password: string): Promise<string> {
  const known = hashes.get(password) ?? hashPassword(password);
  hashes.set(password, known);
  return known;
}

/** A person with an account in the tenant. */
export async function makePerson(t: Pick<TestApp, 'db'>, wanted: PersonWanted): Promise<TestPerson> {
  const { tenantId, role = 'admin', password = goodPassword } = wanted;
  const { email = `person-${++made}@example.com`, name = 'Pat Person' } = wanted;
  const person = await insertPerson(t.db, {
    ...{ email, name, passwordHash: password === null ? null : await hashOf(password) },
  });
  if (!person) throw new Error(`There is a person ${email} already.`);
  const membership = await insertMembership(t.db, { tenantId, role }, person);
  if (!membership) throw new Error(`${email} is a member already.`);
  const { accountId } = membership;
  return { personId: person.personId, accountId, tenantId, name, email, role, password: password ?? undefined };
}

/** A browser: keeps cookies, and sends the origin of its requests. */
export interface Browser {
  /** For `headers: { cookie }` of a request. */
  readonly cookie: string;
  readonly cookies: ReadonlyMap<string, string>;
  get(path: string, headers?: Record<string, string>): Promise<Reply>;
  /** Submits a form, URL-encoded, as one of our pages does. */
  submit(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<Reply>;
  /** Sends JSON, as the console does. */
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  /** Opens a page and submits its form with these fields in addition to the hidden ones. */
  fill(path: string, fields?: Record<string, string>, action?: string): Promise<Reply>;
}

const sameOrigin = { 'sec-fetch-site': 'same-origin' };

export function browser(t: Pick<TestApp, 'app'>, address = '127.0.0.1'): Browser {
  const cookies = new Map<string, string>();
  const send = async (method: 'GET' | 'POST', url: string, headers: Record<string, string>, payload?: string) => {
    const response = await t.app.http.inject({
      ...{ method, url, remoteAddress: address },
      headers: { ...(cookies.size > 0 && { cookie: cookieOf(cookies) }), ...headers },
      ...(payload !== undefined && { payload }),
    });
    for (const { name, value } of response.cookies) {
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    const isJson = String(response.headers['content-type']).includes('json') && response.payload !== '';
    const reply: Reply = {
      status: response.statusCode,
      headers: response.headers as Record<string, string>,
      text: response.payload,
      body: isJson ? response.json() : undefined,
    };
    return reply;
  };
  const form = 'application/x-www-form-urlencoded';
  const self: Browser = {
    get cookie() {
      return cookieOf(cookies);
    },
    cookies,
    get: (path, headers = {}) => send('GET', path, headers),
    submit: (path, fields, headers = sameOrigin) =>
      send('POST', path, { 'content-type': form, ...headers }, new URLSearchParams(fields).toString()),
    post: (path, body, headers = sameOrigin) =>
      body === undefined
        ? send('POST', path, headers)
        : send('POST', path, { 'content-type': 'application/json', ...headers }, JSON.stringify(body)),
    fill: async (path, fields = {}, action = path.replace(/\?.*/, '')) => {
      const page = await self.get(path);
      return self.submit(action, { ...hiddenFields(page.text), ...fields });
    },
  };
  return self;
}

function cookieOf(cookies: ReadonlyMap<string, string>): string {
  return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
}

/** The hidden fields of the first form of a page. */
export function hiddenFields(page: string): Record<string, string> {
  const [first = ''] = page.split('</form>');
  const inputs = first.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g);
  return Object.fromEntries([...inputs].map(([, name = '', value = '']) => [name, unescaped(value)]));
}

/** The hidden field that proves that a form is from one of our pages. */
export function formTokenOf(page: string): string {
  return hiddenFields(page).form ?? '';
}

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };

function unescaped(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? entity);
}

/** Signs in with the password; returns the signed-in browser. */
export async function signedIn(t: TestApp, person: { email: string; password?: string | undefined }): Promise<Browser> {
  const made = browser(t);
  const reply = await made.fill('/oauth/sign-in', { email: person.email, password: person.password ?? goodPassword });
  if (reply.status !== 303) throw new Error(`${person.email} is not signed in: ${reply.status} ${reply.text}`);
  return made;
}

/** A token like the console's, for the browser's current workspace. */
export async function browserToken(b: Browser): Promise<string> {
  const { status, body } = await b.post('/oauth/session/token');
  if (status !== 200) throw new Error(`There is no token: ${status}`);
  return body.token;
}

/** Whether a person is signed in with this browser, as the console checks it. */
export async function isSignedIn(b: Browser, headers: Record<string, string> = {}): Promise<boolean> {
  const { status, body } = await b.get('/oauth/session', headers);
  if (status !== 200) throw new Error(`/oauth/session answered ${status}.`);
  return body.person !== null;
}
