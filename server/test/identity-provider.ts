// An external OpenID Connect provider on loopback, built with the library that ours uses. Its people sign in without a password.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import { afterAll, beforeAll } from 'vitest';

interface Account {
  email?: string;
  email_verified?: unknown;
  name?: string;
}

class TestProvider {
  readonly clientId = 'rapport';
  readonly clientSecret = 'a secret of the test with some signs: +/&=%';
  /** By the name that the provider knows them under. */
  readonly people = new Map<string, Account>();
  /** The parameters of authorization requests, in order. */
  readonly asked: URLSearchParams[] = [];
  private provider: Provider | undefined;
  private readonly server: Server = createServer((request, response) => {
    if (request.url?.startsWith('/auth?')) this.asked.push(new URL(request.url, this.url).searchParams);
    this.provider?.callback()(request, response);
  });

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async start(redirectUris: string[]): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    this.provider = new Provider(this.url, {
      clients: [
        {
          ...{ client_id: this.clientId, client_secret: this.clientSecret, redirect_uris: redirectUris },
          ...{ grant_types: ['authorization_code'], response_types: ['code'] },
        },
      ],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
      findAccount: (_context, sub) => ({ accountId: sub, claims: async () => ({ sub, ...this.people.get(sub) }) }),
      cookies: { keys: ['of the test'] },
      pkce: { required: () => true },
    });
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Signs a person in and returns the address that their browser is redirected to. */
  async signIn(startUrl: string, sub: string): Promise<URL> {
    const cookies = new Map<string, string>();
    let url = startUrl;
    for (let steps = 0; steps < 12; steps++) {
      const reply = await this.visit(url, cookies);
      const location = reply.headers.get('location');
      if (location === null) {
        // Its own page asks who the person is, then for consent.
        const page = await reply.text();
        const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1] ?? '';
        const action = /action="([^"]+)"/.exec(page)?.[1] ?? '';
        const form = new URLSearchParams({ prompt, ...(prompt === 'login' && { login: sub, password: 'x' }) });
        const answered = await this.visit(new URL(action, this.url).href, cookies, form);
        url = new URL(answered.headers.get('location') ?? '', this.url).href;
      } else url = new URL(location, this.url).href;
      if (!url.startsWith(this.url)) return new URL(url);
    }
    throw new Error(`The browser was not sent back; the last step was ${url}.`);
  }

  private async visit(url: string, cookies: Map<string, string>, form?: URLSearchParams): Promise<Response> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const sent = form ? { method: 'POST', body: form } : {};
    const reply = await fetch(url, { redirect: 'manual', headers: { cookie }, ...sent });
    for (const set of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return reply;
  }
}

/** Started before and stopped after the tests of a file. */
export function useProvider(redirectUris: string[]): TestProvider {
  const provider = new TestProvider();
  beforeAll(() => provider.start(redirectUris));
  afterAll(() => provider.stop());
  return provider;
}
