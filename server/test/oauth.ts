// An app and a browser, as far as OAuth needs them: openid-client against the app under test, and a cookie jar that follows redirects.
import type { Role } from '@rapport/contract';
import type { LightMyRequestResponse } from 'fastify';
import * as client from 'openid-client';
import { makePerson, signedIn, type TestPerson } from './accounts.js';
import type { TestApp } from './app.js';

export const baseUrl = 'http://rapport.test';
export const redirectUri = 'https://app.example/back';

type Form = Record<string, string>;

interface Visited {
  status: number;
  url: string;
  text: string;
  headers: LightMyRequestResponse['headers'];
}

/** A person's browser: keeps cookies by path, follows redirects within the service, and stops at the first that leaves it. */
export class Browser {
  private readonly jar = new Map<string, { value: string; path: string }>();

  constructor(private readonly t: TestApp) {}

  setCookie(name: string, value: string, path = '/'): void {
    this.jar.set(`${name} ${path}`, { value, path });
  }

  get(url: string): Promise<Visited> {
    return this.visit('GET', url);
  }

  post(url: string, form: Form): Promise<Visited> {
    return this.visit('POST', url, form);
  }

  private async visit(method: 'GET' | 'POST', url: string, form?: Form): Promise<Visited> {
    const { pathname, search } = new URL(url, baseUrl);
    const response = await this.t.app.http.inject({
      method,
      url: pathname + search,
      headers: {
        ...{ host: 'rapport.test', cookie: this.cookiesFor(pathname), accept: 'text/html' },
        ...(form ? { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' } : {}),
      },
      ...(form ? { payload: new URLSearchParams(form).toString() } : {}),
    });
    this.take([response.headers['set-cookie'] ?? []].flat(), pathname);
    const { location } = response.headers;
    const to = location === undefined ? undefined : new URL(location, new URL(url, baseUrl));
    if (to?.origin === baseUrl && response.statusCode === 303) return this.visit('GET', to.href);
    return {
      ...{ status: response.statusCode, url: to?.href ?? new URL(url, baseUrl).href },
      ...{ text: response.payload, headers: response.headers },
    };
  }

  private cookiesFor(pathname: string): string {
    return [...this.jar]
      .filter(([, { path }]) => pathname.startsWith(path))
      .map(([key, { value }]) => `${key.split(' ')[0]}=${value}`)
      .join('; ');
  }

  private take(cookies: readonly string[], pathname: string): void {
    for (const cookie of cookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      const path = /; *path=([^;]+)/i.exec(cookie)?.[1] ?? pathname.replace(/\/[^/]*$/, '');
      if (value === '') this.jar.delete(`${name} ${path}`);
      else this.setCookie(name, value, path);
    }
  }
}

export interface Member extends TestPerson {
  browser: Browser;
}

/** A person with an account, signed in to a browser. */
export async function makeMember(t: TestApp, tenantId: number, role: Role = 'member'): Promise<Member> {
  const person = await makePerson(t, { tenantId, role });
  return { ...person, browser: await signIn(t, person) };
}

/** Signs a person in, in a new browser or in one that another person has used. */
export async function signIn(t: TestApp, person: TestPerson, browser = new Browser(t)): Promise<Browser> {
  for (const [name, value] of (await signedIn(t, person)).cookies) browser.setCookie(name, value);
  return browser;
}

/** A `fetch` for an app's server that reaches the service under test. */
function fetchFrom(t: TestApp): client.CustomFetch {
  return async (url, { method, headers: sent, body }) => {
    const { pathname, search } = new URL(url);
    const response = await t.app.http.inject({
      ...{ method: method as 'GET', url: pathname + search, headers: { ...sent, host: 'rapport.test' } },
      ...(body ? { payload: String(body) } : {}),
    });
    const headers = new Headers();
    for (const [name, value] of Object.entries(response.headers))
      for (const each of [value].flat()) if (each !== undefined) headers.append(name, String(each));
    const isEmpty = response.statusCode === 204 || response.payload === '';
    return new Response(isEmpty ? null : response.payload, { status: response.statusCode, headers });
  };
}

const options = (t: TestApp) => ({ execute: [client.allowInsecureRequests], [client.customFetch]: fetchFrom(t) });

/** An app that discovers the service, and registers itself. */
export function registerApp(t: TestApp, metadata: Partial<client.ClientMetadata> = {}): Promise<client.Configuration> {
  return client.dynamicClientRegistration(
    new URL(`${baseUrl}/oauth`),
    {
      ...{ client_name: 'Example App', redirect_uris: [redirectUri], token_endpoint_auth_method: 'none' },
      ...{ grant_types: ['authorization_code', 'refresh_token'], ...metadata },
    },
    client.None(),
    options(t),
  );
}

/** An app that already has an id. */
export function knownApp(t: TestApp, clientId: string): Promise<client.Configuration> {
  return client.discovery(new URL(`${baseUrl}/oauth`), clientId, undefined, client.None(), options(t));
}

interface Started {
  url: URL;
  verifier: string;
  state: string;
}

/** The address to which an app sends a person who wants to connect it. */
export async function startFlow(app: client.Configuration, params: Record<string, string> = {}): Promise<Started> {
  const verifier = client.randomPKCECodeVerifier();
  const state = client.randomState();
  const url = client.buildAuthorizationUrl(app, {
    ...{ redirect_uri: redirectUri, scope: 'READ WRITE', state },
    ...{ code_challenge: await client.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' },
    ...params,
  });
  return { url, verifier, state };
}

/** The fields of the form on a page. */
export function fieldsOf(page: string): Form {
  const fields: Form = {};
  for (const [tag] of page.matchAll(/<input [^>]*>/g)) {
    const name = / name="([^"]*)"/.exec(tag)?.[1];
    const isOff = /type="(radio|checkbox)"/.test(tag) && !tag.includes(' checked');
    if (name !== undefined && !isOff) fields[name] = / value="([^"]*)"/.exec(tag)?.[1] ?? '';
  }
  return fields;
}

/** A signed-in person reads the page and decides. Returns where that leads. */
export async function decide(
  browser: Browser,
  started: { url: URL },
  decision: 'allow' | 'deny' = 'allow',
  fields: Form = {},
): Promise<Visited> {
  const page = await browser.get(started.url.href);
  if (page.status !== 200) throw new Error(`No page to decide on: ${page.status} ${page.url} ${page.text}`);
  return browser.post(page.url, { ...fieldsOf(page.text), decision, ...fields });
}

/** The whole flow: from the app to the browser and back, up to the tokens. */
export async function connect(
  app: client.Configuration,
  { browser }: Pick<Member, 'browser'>,
  params: Record<string, string> = {},
) {
  const started = await startFlow(app, params);
  const back = await decide(browser, started);
  return redeem(app, started, back.url);
}

export function redeem(app: client.Configuration, { verifier, state }: Started, back: string) {
  return client.authorizationCodeGrant(app, new URL(back), { pkceCodeVerifier: verifier, expectedState: state });
}
