// The way to one mail server: so many connections, so fast, and no domain more than it takes.
import type { Clock } from '../../../lib/clock.js';
import type { Pace } from '../../../mail/pace.js';
import type { Transport } from '../../../mail/transport.js';
import type { Prepared } from './prepare.js';

export interface LaneEvents {
  /** Hands a message over and stores what came of it; never throws. Tells how the domain took it. */
  send(prepared: Prepared, transport: Transport): Promise<'sent' | 'throttled' | 'other'>;
  /** These wait for their domain longer than this process should hold them. */
  putBack(prepared: readonly Prepared[], waitMs: number): void;
  /** There is room for more. */
  onRoom(): void;
}

// Messages that a process holds beside those on their way: enough to keep connections busy while the next are fetched.
const mostHeld = 100;
// Milliseconds. Who would wait longer for its domain goes back to the queue, and makes room for others.
const longestWait = 2000;

export class Lane {
  private held = 0;
  private active = 0;
  private isClosed = false;
  private ready: Prepared[] = [];
  private timer: NodeJS.Timeout | undefined;
  private readonly capacity: number;

  constructor(
    readonly transport: Transport,
    private readonly connections: number,
    rate: number | null,
    private readonly pace: Pace,
    private readonly clock: Clock,
    private readonly events: LaneEvents,
  ) {
    // What a slow lane holds must not grow old: it is rendered right before it leaves.
    const most = rate === null ? mostHeld : Math.min(mostHeld, Math.ceil(rate * 2));
    this.capacity = Math.max(most, connections);
  }

  /** How many messages may be claimed for it. None while it has half of them: claims of one message each would cost most. */
  get room(): number {
    const room = this.capacity - this.held;
    return this.isClosed || room * 2 < this.capacity ? 0 : room;
  }

  /** So many were claimed for it: they count before they are ready. */
  hold(count: number): void {
    this.held += count;
  }

  /** So many will not come. */
  drop(count: number): void {
    this.held -= count;
    if (this.room > 0) this.events.onRoom();
  }

  /** Answers those that came too late: it was closed meanwhile. */
  add(prepared: readonly Prepared[]): readonly Prepared[] {
    if (this.isClosed) return prepared;
    this.ready.push(...prepared);
    this.pump();
    return [];
  }

  /** What has not begun is handed back. Those on their way go on. */
  close(): Prepared[] {
    this.isClosed = true;
    clearTimeout(this.timer);
    return this.ready.splice(0);
  }

  get isIdle(): boolean {
    return this.active === 0;
  }

  private pump(): void {
    clearTimeout(this.timer);
    while (!this.isClosed && this.active < this.connections && this.ready.length > 0) {
      const now = this.clock.elapsed();
      const wait = this.pace.waitMs(now);
      if (wait > 0) {
        this.later(wait);
        return;
      }
      const at = this.ready.findIndex(({ domain }) => this.pace.mayStart(domain, now));
      if (at < 0) {
        this.waitForDomains(now);
        return;
      }
      const [next] = this.ready.splice(at, 1) as [Prepared];
      this.pace.take(now);
      this.pace.start(next.domain, now);
      void this.send(next);
    }
  }

  private async send(prepared: Prepared): Promise<void> {
    this.active++;
    const how = await this.events.send(prepared, this.transport);
    this.active--;
    this.pace.end(prepared.domain, how, this.clock.elapsed());
    this.drop(1);
    this.pump();
  }

  /** Nobody may start: one of those on their way may make room, or time does. Who has to wait for long goes back. */
  private waitForDomains(now: number): void {
    const waits = new Map(this.ready.map(({ domain }) => [domain, this.pace.nextAt(domain, now) - now]));
    const slow = this.ready.filter(({ domain }) => (waits.get(domain) as number) > longestWait);
    this.ready = this.ready.filter(({ domain }) => (waits.get(domain) as number) <= longestWait);
    if (slow.length > 0) {
      const soonest = Math.min(...slow.map(({ domain }) => waits.get(domain) as number));
      this.events.putBack(slow, soonest);
      this.drop(slow.length);
    }
    const soon = this.ready.map(({ domain }) => waits.get(domain) as number).filter(Number.isFinite);
    if (soon.length > 0) this.later(Math.max(1, Math.min(...soon)));
  }

  private later(ms: number): void {
    this.timer = setTimeout(() => this.pump(), ms);
  }
}
