import type { Clock } from '../../lib/clock.js';

// Per message and minute: more than the links that a scanner follows at once, and more often than a person opens it.
const mostInMinute = 200;
const minuteMs = 60_000;
const mostKnown = 20_000;

/**
 * Anyone who has a message can request its picture forever. Requests beyond what a person or a scanner would make are not recorded, so
 * they cannot fill the tenant's queue. Counted per process, which is accurate enough.
 */
export class EngagementLimits {
  private readonly counts = new Map<string, { since: number; count: number }>();

  constructor(private readonly clock: Clock) {}

  take(messageId: string): boolean {
    const now = this.clock.elapsed();
    const known = this.counts.get(messageId);
    if (known && now - known.since < minuteMs) return ++known.count <= mostInMinute;
    // Moved to the end, so that the oldest is forgotten first.
    this.counts.delete(messageId);
    if (this.counts.size >= mostKnown) for (const [oldest] of this.counts) if (this.counts.delete(oldest)) break;
    this.counts.set(messageId, { since: now, count: 1 });
    return true;
  }
}
