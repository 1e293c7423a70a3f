// Stores outcomes of work done outside the database. Outcomes of the same moment are stored together, so a killed process loses little.
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { waitAfter } from '../lib/backoff.js';
import { prospectOf } from './prospect.js';

const mostInGroup = 200;

interface RecorderNeeds<Outcome> {
  log: FastifyBaseLogger;
  /** What the outcomes are of, for the log. */
  of: string;
  /** All of them, or none. */
  store(outcomes: readonly Outcome[]): Promise<void>;
  /** The essential part of an outcome, without any text from outside. */
  bare(outcome: Outcome): Outcome;
  onRecorded(outcomes: readonly Outcome[]): void;
}

interface Waiting<Outcome> {
  outcome: Outcome;
  resolve(): void;
}

export class Recorder<Outcome> {
  private waiting: Waiting<Outcome>[] = [];
  private isBusy = false;

  constructor(private readonly needs: RecorderNeeds<Outcome>) {}

  /** Resolves once it is durably stored. While the database is unavailable it is retried, because the outcome is known only here. */
  record(outcome: Outcome): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push({ outcome, resolve });
      if (this.isBusy) return;
      this.isBusy = true;
      // One turn of the event loop gathers what arrived in the same socket read.
      setImmediate(() => void this.flush());
    });
  }

  private async flush(): Promise<void> {
    const { log, of, store, onRecorded } = this.needs;
    for (let most = mostInGroup, failures = 0; this.waiting.length > 0; ) {
      const group = this.waiting.slice(0, most);
      const outcomes = group.map(({ outcome }) => outcome);
      try {
        await store(outcomes);
      } catch (err) {
        log.warn({ err, count: group.length }, `what became of ${of} could not be stored; it will be retried`);
        if (prospectOf(err) !== 'passes') {
          if (group.length === 1) this.putLast();
          most = Math.max(1, group.length >> 1);
        }
        await sleep(waitAfter(++failures, 50, 2, 2000));
        continue;
      }
      most = mostInGroup;
      failures = 0;
      this.waiting = this.waiting.slice(group.length);
      onRecorded(outcomes);
      for (const { resolve } of group) resolve();
    }
    this.isBusy = false;
  }

  /**
   * An outcome that cannot be stored is found by halving, and is stored without its texts: otherwise the work would be repeated forever. It comes
   * after the others, which must not wait for it.
   */
  private putLast(): void {
    const [{ outcome, resolve }, ...others] = this.waiting as [Waiting<Outcome>];
    this.waiting = [...others, { outcome: this.needs.bare(outcome), resolve }];
  }
}
