// The public keys of another issuer: found by discovery, kept, and fetched again when a token names an unknown one.
import type { JSONWebKeySet } from 'jose';
import { notReady } from '../../../http/error-handler.js';
import type { Clock } from '../../../lib/clock.js';
import { parseJson } from '../../../lib/parse-json.js';

/** Milliseconds. */
const patience = 5000;
// Tokens with an unknown key must not make every request fetch the keys.
const betweenAsking = 30_000;
const freshFor = 600_000;
// An issuer that is away issues no tokens either, and nearly everywhere tokens live for at most an hour.
const goodFor = 7_200_000;
// While it is away, most requests are answered at once.
const restsFor = 5000;

export interface KeyLog {
  warn(facts: object, text: string): void;
}

export class IssuerKeys {
  /** Grows whenever the issuer's keys change. */
  generation = 0;
  private known: { keys: JSONWebKeySet; text: string; at: number } | undefined;
  private asking: Promise<void> | undefined;
  private failedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly issuer: string,
    private readonly clock: Clock,
    private readonly log: KeyLog,
  ) {}

  /** The current keys. Throws NOT_READY if they were never seen, or too long ago. */
  async current(): Promise<JSONWebKeySet> {
    const age = this.clock.elapsed() - (this.known?.at ?? Number.NEGATIVE_INFINITY);
    if (this.known && age < goodFor) {
      // The old ones do until the new ones are here.
      if (age > freshFor) void this.ask();
      return this.known.keys;
    }
    await this.ask();
    return this.get();
  }

  /** The current keys, fetched again because one is missing. Undefined if they were fetched just before. */
  async renewed(): Promise<JSONWebKeySet | undefined> {
    const before = this.known?.at ?? Number.NEGATIVE_INFINITY;
    if (this.clock.elapsed() - before < betweenAsking) return undefined;
    await this.ask();
    // Whether the token is valid is unknown: that is no reason to refuse it for good.
    if (this.known?.at === before) throw this.unreachable();
    return this.get();
  }

  private get(): JSONWebKeySet {
    if (!this.known || this.clock.elapsed() - this.known.at >= goodFor) throw this.unreachable();
    return this.known.keys;
  }

  private unreachable() {
    return notReady({ reason: 'the issuer of this token cannot be asked for its keys', retryAfter: 5 });
  }

  /** Concurrent callers share one request. Never throws: known keys stay. */
  private ask(): Promise<void> {
    if (this.clock.elapsed() - this.failedAt < restsFor) return Promise.resolve();
    this.asking ??= this.fetchKeys().finally(() => {
      this.asking = undefined;
    });
    return this.asking;
  }

  private async fetchKeys(): Promise<void> {
    try {
      const { keys, text } = await discover(this.issuer, AbortSignal.timeout(patience));
      if (text !== this.known?.text) this.generation++;
      this.known = { keys, text, at: this.clock.elapsed() };
      this.failedAt = Number.NEGATIVE_INFINITY;
    } catch (error) {
      this.failedAt = this.clock.elapsed();
      this.log.warn(
        { err: error, issuer: this.issuer },
        'the keys of OAUTH_ISSUER cannot be read; its new tokens wait',
      );
    }
  }
}

async function discover(issuer: string, signal: AbortSignal): Promise<{ keys: JSONWebKeySet; text: string }> {
  const metadata = await metadataOf(issuer, signal);
  if (metadata.issuer !== issuer)
    throw new Error(`The metadata are of "${metadata.issuer}". OAUTH_ISSUER must have exactly that, a last slash too.`);
  const jwksUri = String(metadata.jwks_uri);
  if (!isSafe(jwksUri)) throw new Error(`jwks_uri is "${jwksUri}"; it must begin with https://.`);
  const text = await textAt(jwksUri, signal);
  const keys = text === undefined ? undefined : (parseJson(text) as Partial<JSONWebKeySet>);
  if (text === undefined || !Array.isArray(keys?.keys)) throw new Error(`There is no set of keys at ${jwksUri}.`);
  return { keys: { keys: keys.keys }, text };
}

/** At the address that OpenID Connect defines, else that of OAuth (RFC 8414). */
async function metadataOf(issuer: string, signal: AbortSignal): Promise<Record<string, unknown>> {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  const places = [
    `${origin}${path}/.well-known/openid-configuration`,
    `${origin}/.well-known/oauth-authorization-server${path}`,
  ];
  for (const place of places) {
    const text = await textAt(place, signal);
    if (text !== undefined) return Object(parseJson(text));
  }
  throw new Error(`There are no metadata of it, neither at ${places.join(' nor at ')}.`);
}

/** Undefined: nothing is there. */
async function textAt(url: string, signal: AbortSignal): Promise<string | undefined> {
  const response = await fetch(url, { signal, redirect: 'error', headers: { accept: 'application/json' } });
  const text = await response.text();
  if (response.ok) return text;
  if (response.status >= 500) throw new Error(`${url} answered ${response.status}.`);
  return undefined;
}

/** What comes from there cannot be changed on the way. */
function isSafe(url: string): boolean {
  const { protocol, hostname } = URL.canParse(url) ? new URL(url) : { protocol: '', hostname: '' };
  return protocol === 'https:' || (protocol === 'http:' && /^(localhost|\[::1\]|127(\.\d+){3})$/.test(hostname));
}
