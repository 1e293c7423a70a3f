import { Counter, Gauge, type Registry } from 'prom-client';
import type { DeliveryOutcome } from './delivery/delivery.js';

/** Outcomes of calls, and the number of paused subscriptions, which need attention. Waiting calls are counted with all queues. */
export function webhookMetrics(registry: Registry, countFailing: () => Promise<number>) {
  const outcomes = new Counter({
    name: 'rapport_webhook_attempts_total',
    help: 'Attempts to call a webhook by outcome: delivered, later (to be retried), failed (given up).',
    labelNames: ['outcome'],
    registers: [registry],
  });
  new Gauge({
    name: 'rapport_webhooks_failing',
    help: 'Webhooks that were paused because their receiver failed for 24 hours, is gone or must not be called.',
    registers: [registry],
    async collect() {
      // An unavailable database must not prevent the other metrics from being read.
      const failing = await countFailing().catch(() => undefined);
      if (failing !== undefined) this.set(failing);
    },
  });
  return {
    tried: (recorded: readonly DeliveryOutcome[]) => {
      for (const { what } of recorded) outcomes.inc({ outcome: what });
    },
  };
}
