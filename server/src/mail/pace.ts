// How fast mail may leave: messages a second per transport, and messages at once per recipient domain. Time is an argument.

interface PaceSettings {
  /** Messages a second; null: no limit. */
  rate: number | null;
  /** At once to one domain, if it does not complain. */
  perDomain: number;
}

export type PaceOutcome = 'sent' | 'throttled' | 'other';

interface DomainPace {
  onTheWay: number;
  /** At once. Halved by each complaint, and raised by one after that many successes. */
  limit: number;
  successes: number;
  /** Milliseconds between messages, once one at a time is still too many. */
  pause: number;
  pausedUntil: number;
  /** Messages that had left before the last complaint arrived: their outcome says nothing about the slower pace. */
  older: number;
  usedAt: number;
}

// Milliseconds. A timer fires late by some of them: without this, a rate of 1,000 would never be reached.
const tolerance = 50;
const pauses = { first: 1000, longest: 10 * 60_000 };
// A domain that got no mail for this long starts over.
const rememberedFor = 60 * 60_000;
const mostDomains = 10_000;
// When a message will end cannot be known: ask again then, or after this.
const askAgain = 1000;

export class Pace {
  /** When the next message would leave at an even pace (GCRA). */
  private evenAt = 0;
  /** Domains with messages in flight, or that complained; least recently used first. */
  private readonly domains = new Map<string, DomainPace>();

  constructor(private readonly settings: PaceSettings) {}

  /** Milliseconds until the transport may take another message. */
  waitMs(now: number): number {
    return this.settings.rate === null ? 0 : Math.max(0, this.evenAt - tolerance - now);
  }

  take(now: number): void {
    const { rate } = this.settings;
    if (rate !== null) this.evenAt = Math.max(this.evenAt, now) + 1000 / rate;
  }

  /** Whether there is room at this domain. */
  mayStart(domain: string, now: number): boolean {
    const pace = this.find(domain, now);
    return !pace || (pace.onTheWay < pace.limit && pace.pausedUntil <= now);
  }

  /** When it is worth asking again: now, when a pause ends, or in a moment. */
  nextAt(domain: string, now: number): number {
    const pace = this.find(domain, now);
    if (!pace) return now;
    return Math.max(pace.onTheWay < pace.limit ? now : now + askAgain, pace.pausedUntil);
  }

  /** How many at once this domain takes now. */
  limitOf(domain: string): number {
    return this.domains.get(domain)?.limit ?? Math.max(1, this.settings.perDomain);
  }

  start(domain: string, now: number): void {
    const pace = this.find(domain, now) ?? this.fresh(now);
    pace.onTheWay++;
    pace.usedAt = now;
    pace.pausedUntil = now + pace.pause;
    this.domains.delete(domain);
    this.domains.set(domain, pace);
    this.makeRoom();
  }

  end(domain: string, outcome: PaceOutcome, now: number): void {
    const pace = this.domains.get(domain);
    if (!pace) return;
    pace.onTheWay = Math.max(0, pace.onTheWay - 1);
    pace.usedAt = now;
    if (pace.older > 0) pace.older--;
    else if (outcome === 'throttled') slowDown(pace, now);
    else if (outcome === 'sent') this.recover(pace, now);
    const isAsNew = pace.limit >= this.settings.perDomain && pace.pause === 0;
    if (pace.onTheWay === 0 && isAsNew) this.domains.delete(domain);
  }

  private recover(pace: DomainPace, now: number): void {
    if (pace.pause > 0) {
      pace.pause = pace.pause <= pauses.first ? 0 : pace.pause / 2;
      pace.pausedUntil = Math.min(pace.pausedUntil, now + pace.pause);
    } else if (pace.limit < this.settings.perDomain && ++pace.successes >= pace.limit) {
      pace.limit++;
      pace.successes = 0;
    }
  }

  private find(domain: string, now: number): DomainPace | undefined {
    const pace = this.domains.get(domain);
    if (!pace || pace.onTheWay > 0 || now - pace.usedAt < rememberedFor) return pace;
    this.domains.delete(domain);
    return undefined;
  }

  private fresh(now: number): DomainPace {
    const limit = Math.max(1, this.settings.perDomain);
    return { onTheWay: 0, limit, successes: 0, pause: 0, pausedUntil: 0, older: 0, usedAt: now };
  }

  /** Forgets the least recently used. Messages in flight are bounded by the connections. */
  private makeRoom(): void {
    for (const [domain, { onTheWay }] of this.domains) {
      if (this.domains.size <= mostDomains) return;
      if (onTheWay === 0) this.domains.delete(domain);
    }
  }

  /** How many domains it remembers. */
  get size(): number {
    return this.domains.size;
  }
}

function slowDown(pace: DomainPace, now: number): void {
  if (pace.limit > 1) pace.limit = Math.floor(pace.limit / 2);
  else pace.pause = Math.min(Math.max(pauses.first, pace.pause * 2), pauses.longest);
  pace.pausedUntil = now + Math.max(pace.pause, pauses.first);
  pace.successes = 0;
  pace.older = pace.onTheWay;
}
