import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseBusy } from './connect.js';

// Milliseconds between two probes. A probe that hangs takes as long as the connect timeout, so there are few of them.
const pauseMs = 250;

/**
 * Opens when the database does not respond: from then on every caller is refused at once instead of waiting, and one probe at a time checks
 * whether it is back. So requests do not wait during an outage, and memory does not grow.
 */
export class Breaker {
  private open = false;
  private stopped = false;

  constructor(private readonly probe: () => Promise<void>) {}

  refuseIfOpen(): void {
    if (this.open) throw DatabaseBusy.away();
  }

  trip(): void {
    if (this.open || this.stopped) return;
    this.open = true;
    void this.untilBack();
  }

  /** Refuses everyone from now on. */
  shut(): void {
    this.open = true;
    this.stopped = true;
  }

  private async untilBack(): Promise<void> {
    while (!this.stopped) {
      const isBack = await this.probe().then(
        () => true,
        () => false,
      );
      if (isBack && !this.stopped) {
        this.open = false;
        return;
      }
      await sleep(pauseMs, undefined, { ref: false });
    }
  }
}
