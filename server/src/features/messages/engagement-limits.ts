import type { Clock } from '../../lib/clock.js';

// Of one message in a minute: more than the links of a message that a scanner follows at once, and more often than a person opens it.
const mostInMinute = 200;
const minuteMs = 60_000;
const mostKnown = 20_000;

/**
 * Anyone who has a message can ask for its picture for ever. What is more than a person or a scanner would do is not recorded, so that it
 * cannot fill the tenant's queue. By process, which is near enough.
 */
export class EngagementLimits {
  private readonly counts = new Map<string, { since: number; count: number }>();

  constructor(private readonly clock: Clock) {}

  take(messageId: string): boolean {
    const now = this.clock.elapsed();
    const known = this.counts.get(messageId);
    if (known && now - known.since < minuteMs) return ++known.count <= mostInMinute;
    // Last in the order: the first to be forgotten began first.
    this.counts.delete(messageId);
    if (this.counts.size >= mostKnown) for (const [oldest] of this.counts) if (this.counts.delete(oldest)) break;
    this.counts.set(messageId, { since: now, count: 1 });
    return true;
  }
}
