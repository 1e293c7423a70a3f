import { hash, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../lib/clock.js';
import type { Caller } from './endpoint.js';

export interface KnownToken extends Caller {
  tokenHash: string;
  /** ISO time, or null for never. */
  expiresAt: string | null;
}
/** Looks up a live token by the SHA-256 (hex) of its text. */
export type FindToken = (tokenHash: string) => Promise<KnownToken | undefined>;
/** Verifies a token that another issuer signed. Rejects if its validity cannot be determined. */
export type FindOutsideToken = (token: string, tokenHash: string) => Promise<KnownToken | undefined>;

interface Entry {
  token: KnownToken | undefined;
  staleAt: number;
}

// Revocation must take effect everywhere within 5 s: an entry is used for 3 s, counted from before the lookup.
const servesMs = 3000;
const guessServesMs = 30_000;
// Its key, or its start time, may be about to arrive.
const outsideGuessServesMs = 3000;
const mostTokens = 10_000;
const mostGuesses = 10_000;
// Personal tokens, those of apps (OAuth), and those of signed-in browsers.
const tokenShape = /^rpt_(pat|app|web)_[A-Za-z0-9_-]{43,}$/;
const mostCharacters = 200;
// Tokens of another issuer: a signed JWT in three parts.
const outsideShape = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;
const mostOutsideCharacters = 8192;

/** Caches tokens for a moment, so that a request costs no query; and wrong ones, so that guessing costs none either. */
export class TokenCache {
  private readonly tokens = new Map<string, Entry>();
  private readonly guesses = new Map<string, Entry>();
  private readonly asking = new Map<string, Promise<KnownToken | undefined>>();
  private generation = 0;

  constructor(
    private readonly find: FindToken,
    private readonly clock: Clock,
    /** Undefined: there is no other issuer. */
    private readonly findOutside?: FindOutsideToken | undefined,
  ) {}

  /** The caller behind a token. Resolves at once if it is cached. */
  get(token: string): Caller | undefined | Promise<Caller | undefined> {
    const isOurs = token.length <= mostCharacters && tokenShape.test(token);
    if (!isOurs && !this.mayBeOutside(token)) return undefined;
    const tokenHash = hash('sha256', token);
    const entry = this.tokens.get(tokenHash) ?? this.guesses.get(tokenHash);
    if (entry && entry.staleAt > this.clock.elapsed()) return this.unexpired(entry.token);
    return this.ask(token, tokenHash, isOurs).then((found) => this.unexpired(found));
  }

  /** Called after a revocation or a changed budget on this node. */
  clear(): void {
    this.generation++;
    this.tokens.clear();
    this.asking.clear();
  }

  private unexpired(token: KnownToken | undefined): Caller | undefined {
    if (token?.expiresAt && Date.parse(token.expiresAt) <= this.clock.now().getTime()) return undefined;
    return token;
  }

  private mayBeOutside(token: string): boolean {
    return this.findOutside !== undefined && token.length <= mostOutsideCharacters && outsideShape.test(token);
  }

  private ask(token: string, tokenHash: string, isOurs: boolean): Promise<KnownToken | undefined> {
    const running = this.asking.get(tokenHash);
    if (running) return running;
    const asked = this.lookUp(token, tokenHash, isOurs).finally(() => {
      if (this.asking.get(tokenHash) === asked) this.asking.delete(tokenHash);
    });
    this.asking.set(tokenHash, asked);
    return asked;
  }

  private async lookUp(text: string, tokenHash: string, isOurs: boolean): Promise<KnownToken | undefined> {
    const { generation } = this;
    const askedAt = this.clock.elapsed();
    const found = await (isOurs ? this.find(tokenHash) : this.findOutside?.(text, tokenHash));
    const token = found && timingSafeEqual(Buffer.from(found.tokenHash), Buffer.from(tokenHash)) ? found : undefined;
    if (generation !== this.generation) return token;
    if (token) {
      this.guesses.delete(tokenHash);
      remember(this.tokens, mostTokens, tokenHash, { token, staleAt: askedAt + servesMs });
    } else {
      this.tokens.delete(tokenHash);
      remember(this.guesses, mostGuesses, tokenHash, {
        token,
        staleAt: askedAt + (isOurs ? guessServesMs : outsideGuessServesMs),
      });
    }
    return token;
  }
}

// A Map keeps insertion order: the first key is the oldest.
function remember(map: Map<string, Entry>, most: number, key: string, entry: Entry): void {
  map.delete(key);
  map.set(key, entry);
  if (map.size > most) map.delete(map.keys().next().value as string);
}
