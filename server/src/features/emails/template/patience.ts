import { processorTime } from '../../../lib/clock.js';

// Milliseconds.
const longestRender = 250;

/**
 * Stops a render that takes too long. liquidjs uses wall-clock time, so a short template could fail whenever the machine is
 * busy for a moment. Once that time is over, this counts only CPU time, and grants the same amount again.
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
