// The cookie of a signed-in browser, and the field that shows that a form came from one of our own pages.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isSameOrigin } from '../../../http/same-origin.js';
import { randomToken } from '../../../lib/random.js';

/** `session`: a browser that is signed in; `form`: one that is filling in a form before that; `sso`: one that an identity provider will send
 * back; `device`: one in which a person signed in before. */
type CookieName = 'session' | 'form' | 'sso' | 'device';
const cookieShape = /^[\w-]{43}$/;
// Sealed, with up to ten people in it.
const deviceShape = /^[\w-]{43,1000}$/;

export class Cookies {
  constructor(private readonly baseUrl: () => string) {}

  read(request: FastifyRequest, name: CookieName): string | undefined {
    const wanted = this.nameOf(name);
    for (const part of (request.headers.cookie ?? '').split(';')) {
      const at = part.indexOf('=');
      if (at > 0 && part.slice(0, at).trim() === wanted) {
        const value = part.slice(at + 1).trim();
        return (name === 'device' ? deviceShape : cookieShape).test(value) ? value : undefined;
      }
    }
    return undefined;
  }

  set(reply: FastifyReply, name: CookieName, value: string, maxAgeSeconds: number): void {
    const secure = this.isSecure() ? '; Secure' : '';
    // Lax: people who follow a link from an app to our consent page are still signed in; forms on other sites are not.
    reply.header(
      'set-cookie',
      `${this.nameOf(name)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAgeSeconds}${secure}`,
    );
  }

  clear(reply: FastifyReply, name: CookieName): void {
    this.set(reply, name, '', 0);
  }

  /** The hidden field `form` for a page's forms. Sets the cookie that it is tied to if the browser has none. */
  formToken(request: FastifyRequest, reply: FastifyReply): string {
    const known = this.read(request, 'session') ?? this.read(request, 'form');
    const secret = known ?? randomToken('');
    if (known === undefined) this.set(reply, 'form', secret, 86_400);
    return tokenOf(secret);
  }

  /** Whether a request that changes something comes from one of our own pages, with the field of a form that this browser was shown. */
  isOwnForm(request: FastifyRequest, given: unknown): boolean {
    if (!this.isSameOrigin(request) || typeof given !== 'string') return false;
    const secrets = [this.read(request, 'session'), this.read(request, 'form')];
    return secrets.some((secret) => secret !== undefined && isSame(tokenOf(secret), given));
  }

  /** For requests of the console, which are not forms: a page on another site cannot set this header. */
  isSameOrigin({ headers }: FastifyRequest): boolean {
    return isSameOrigin(headers, this.baseUrl());
  }

  /** Over https, a name that only this host can set. */
  private nameOf(name: CookieName): string {
    return this.isSecure() ? `__Host-rapport_${name}` : `rapport_${name}`;
  }

  private isSecure(): boolean {
    return this.baseUrl().startsWith('https:');
  }
}

function tokenOf(secret: string): string {
  return createHmac('sha256', secret).update('form').digest('base64url');
}

function isSame(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  return one.length === other.length && timingSafeEqual(one, other);
}
