import { Counter, Gauge, type Registry } from 'prom-client';
import type { Outcome } from './sender/outcome.js';

interface MessageMetrics {
  left(outcomes: readonly Outcome[]): void;
}

/** Counts what happens to messages, and the tenants whose mail is paused, which an operator has to look at. */
export function messageMetrics(registry: Registry, countPaused: () => Promise<number>): MessageMetrics {
  const outcomes = new Counter({
    name: 'rapport_messages_total',
    help: 'Messages by the outcome of an attempt to send them: sent, refused, later, failed, skipped, postponed.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  new Gauge({
    name: 'rapport_sending_paused_tenants',
    help: 'Tenants whose mail is paused because of complaints or bounces, until it is resumed.',
    registers: [registry],
    async collect() {
      // An unavailable database must not prevent the other metrics from being read.
      const paused = await countPaused().catch(() => undefined);
      if (paused !== undefined) this.set(paused);
    },
  });
  return {
    left: (recorded) => {
      for (const { what } of recorded) outcomes.inc({ outcome: what });
    },
  };
}
