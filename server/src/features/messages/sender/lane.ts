// The way to one mail server: with a limit on connections, a pace, and a limit per recipient domain.
import type { Clock } from '../../../lib/clock.js';
import type { Pace } from '../../../mail/pace.js';
import type { Transport } from '../../../mail/transport.js';
import type { Prepared } from './prepare.js';

export interface LaneEvents {
  /** Hands a message over and stores the outcome; never throws. Returns how the recipient domain reacted. */
  send(prepared: Prepared, transport: Transport): Promise<'sent' | 'throttled' | 'other'>;
  /** These would wait longer than this process should hold them: for their domain, or for a slow mail server. */
  putBack(prepared: readonly Prepared[], waitMs: number): void;
  /** Called when there is room for more. */
  onRoom(): void;
}

// Messages of one tenant that a process holds: enough to keep connections busy while the next ones are fetched.
const mostHeld = 100;
// All tenants together may hold this many times that, so that one busy tenant leaves room for others.
const mostTenants = 3;
// Milliseconds. A message that would wait longer for its domain goes back to the queue and makes room for others.
const longestWait = 2000;
// Milliseconds. How long a prepared message counts as up to date: its content, and whether it may be sent.
const freshFor = 10_000;
const longestPutBack = 60_000;

interface Ready {
  prepared: Prepared;
  since: number;
}

export class Lane {
  private readonly held = new Map<number, number>();
  private heldInAll = 0;
  private active = 0;
  private readonly activeOf = new Map<number, number>();
  private isClosed = false;
  private ready: Ready[] = [];
  /** For each tenant with messages here, the turn in which it last started one. The lowest is next. */
  private readonly turns = new Map<number, number>();
  private turn = 0;
  private timer: NodeJS.Timeout | undefined;
  private readonly capacity: number;

  constructor(
    readonly transport: Transport,
    private readonly connections: number,
    /** Connections that one tenant may have at once. */
    private readonly mostOfOne: number,
    rate: number | null,
    private readonly pace: Pace,
    private readonly clock: Clock,
    private readonly events: LaneEvents,
  ) {
    // Messages are prepared right before they leave, so a slow lane must hold few of them.
    const most = rate === null ? mostHeld : Math.min(mostHeld, Math.ceil(rate * 2));
    this.capacity = Math.max(most, connections);
  }

  /** How many messages of a tenant may be claimed. 0 unless half of the capacity is free: claiming messages one by one would cost the most. */
  room(tenantId: number): number {
    const left = this.capacity * mostTenants - this.heldInAll;
    const room = Math.min(this.capacity - (this.held.get(tenantId) ?? 0), left);
    return this.isClosed || room * 2 < this.capacity ? 0 : room;
  }

  /** Counts claimed messages, before they are ready. */
  hold(tenantId: number, count: number): void {
    this.heldInAll += count;
    const held = (this.held.get(tenantId) ?? 0) + count;
    if (held > 0) this.held.set(tenantId, held);
    else {
      this.held.delete(tenantId);
      this.turns.delete(tenantId);
    }
  }

  /** This many will not come. Calls onRoom only when that frees enough room, for this tenant or for any: otherwise a claim would find none. */
  drop(tenantId: number, count: number): void {
    const [hadRoom, hadAny] = [this.room(tenantId) > 0, this.hasAny];
    this.hold(tenantId, -count);
    if ((!hadRoom && this.room(tenantId) > 0) || (!hadAny && this.hasAny)) this.events.onRoom();
  }

  private get hasAny(): boolean {
    return (this.capacity * mostTenants - this.heldInAll) * 2 >= this.capacity;
  }

  /** Returns the messages that came too late, after the lane was closed. */
  add(prepared: readonly Prepared[]): readonly Prepared[] {
    if (this.isClosed) return prepared;
    const since = this.clock.elapsed();
    this.ready.push(...prepared.map((one) => ({ prepared: one, since })));
    this.pump();
    return [];
  }

  /** Returns messages that have not started. Those in flight continue. */
  close(): Prepared[] {
    this.isClosed = true;
    clearTimeout(this.timer);
    return this.ready.splice(0).map(({ prepared }) => prepared);
  }

  get isIdle(): boolean {
    return this.active === 0;
  }

  private pump(): void {
    clearTimeout(this.timer);
    this.putBackOld();
    while (!this.isClosed && this.active < this.connections && this.ready.length > 0) {
      const now = this.clock.elapsed();
      const wait = this.pace.waitMs(now);
      if (wait > 0) {
        this.later(wait);
        return;
      }
      const next = this.takeNext(now);
      if (!next) {
        this.waitForDomains(now);
        return;
      }
      this.pace.take(now);
      this.pace.start(next.domain, now);
      void this.send(next);
    }
  }

  /** The next message whose domain has room, from the tenant whose turn it is. */
  private takeNext(now: number): Prepared | undefined {
    let next: number | undefined;
    let longestAgo = Number.POSITIVE_INFINITY;
    const mayStart = new Map<string, boolean>();
    this.ready.forEach(({ prepared: { domain, mail } }, i) => {
      const began = this.turns.get(mail.tenantId) ?? 0;
      if (began >= longestAgo || this.isFull(mail.tenantId)) return;
      const may = mayStart.get(domain) ?? this.pace.mayStart(domain, now);
      mayStart.set(domain, may);
      if (may) [next, longestAgo] = [i, began];
    });
    if (next === undefined) return undefined;
    const [{ prepared }] = this.ready.splice(next, 1) as [Ready];
    this.turns.set(prepared.mail.tenantId, ++this.turn);
    return prepared;
  }

  private isFull(tenantId: number): boolean {
    return (this.activeOf.get(tenantId) ?? 0) >= this.mostOfOne;
  }

  private count(tenantId: number, change: 1 | -1): void {
    this.active += change;
    const active = (this.activeOf.get(tenantId) ?? 0) + change;
    if (active > 0) this.activeOf.set(tenantId, active);
    else this.activeOf.delete(tenantId);
  }

  private async send(prepared: Prepared): Promise<void> {
    const { tenantId } = prepared.mail;
    this.count(tenantId, 1);
    const how = await this.events.send(prepared, this.transport);
    this.count(tenantId, -1);
    this.pace.end(prepared.domain, how, this.clock.elapsed());
    this.drop(tenantId, 1);
    this.pump();
  }

  /** With a slow mail server, a person may unsubscribe or the text may change while a message waits. */
  private putBackOld(): void {
    const oldest = this.clock.elapsed() - freshFor;
    // They are in order of arrival.
    if (this.ready[0] === undefined || this.ready[0].since >= oldest) return;
    const old = this.ready.filter(({ since }) => since < oldest).map(({ prepared }) => prepared);
    this.ready = this.ready.filter(({ since }) => since >= oldest);
    this.putBack(old, () => 0);
  }

  /**
   * No message can start until one in flight finishes or time passes. Messages with a long wait go back, and so do those beyond what
   * a domain takes at once: they would block messages to other domains. Messages waiting for one of their tenant's connections stay.
   */
  private waitForDomains(now: number): void {
    // Usually one tenant uses all of its connections, and there is no other.
    if (this.ready.every(({ prepared }) => this.isFull(prepared.mail.tenantId))) return;
    const kept = new Map<string, number>();
    const waits = new Map(this.ready.map(({ prepared: { domain } }) => [domain, this.pace.nextAt(domain, now) - now]));
    const back: { prepared: Prepared; waitMs: number }[] = [];
    this.ready = this.ready.filter(({ prepared }) => {
      const { domain, mail } = prepared;
      if (this.isFull(mail.tenantId)) return true;
      const [waitMs, place, limit] = [waits.get(domain) as number, kept.get(domain) ?? 0, this.pace.limitOf(domain)];
      kept.set(domain, place + 1);
      if (waitMs <= longestWait && place < limit) return true;
      back.push({ prepared, waitMs: waitMs + Math.min(longestPutBack, 1000 * Math.floor(place / limit)) });
      return false;
    });
    if (back.length > 0)
      this.putBack(
        back.map(({ prepared }) => prepared),
        (i) => back[i]?.waitMs ?? 0,
      );
    const open = this.ready.filter(({ prepared }) => !this.isFull(prepared.mail.tenantId));
    const soon = open.map(({ prepared: { domain } }) => waits.get(domain) as number).filter(Number.isFinite);
    if (soon.length > 0) this.later(Math.max(1, Math.min(...soon)));
  }

  private putBack(prepared: readonly Prepared[], waitMs: (i: number) => number): void {
    prepared.forEach((one, i) => {
      this.events.putBack([one], waitMs(i));
      this.drop(one.mail.tenantId, 1);
    });
  }

  private later(ms: number): void {
    this.timer = setTimeout(() => this.pump(), ms);
  }
}
