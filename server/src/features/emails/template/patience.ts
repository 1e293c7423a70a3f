import { processorTime } from '../../../lib/clock.js';

// Milliseconds.
const longestRender = 250;

/**
 * Stops a render that takes too long. liquidjs compares clocks, and then a short template fails whenever the machine is
 * busy elsewhere for a moment; so once the time is over, only processor time counts, and as much of it again is granted.
 */
export class Patience {
  private startedAt: number | undefined;
  private usedAtLimit: number | undefined;

  /** liquidjs calls this before each tag, token and piece of text. */
  check(now: number): void {
    this.startedAt ??= now;
    if (now - this.startedAt <= longestRender) return;
    this.usedAtLimit ??= processorTime();
    if (processorTime() - this.usedAtLimit > longestRender) throw new Error('template render limit exceeded');
  }
}
