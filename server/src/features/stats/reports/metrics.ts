import { Gauge, type Registry } from 'prom-client';
import type { Runner } from '../../../db/database.js';
import { countUnfoldedPassage } from '../../journeys/index.js';
import { countUnfoldedFigures } from '../../messages/index.js';

/** Whether the chores that fold keep up: what waits makes every read longer. */
export function statsMetrics(registry: Registry, db: Runner): void {
  const counted = { messages: countUnfoldedFigures, journeys: countUnfoldedPassage };
  new Gauge({
    name: 'rapport_stats_unfolded',
    help: 'Changes of figures that wait to be folded into hours and days, of messages and of journeys; 100000 means at least so many.',
    labelNames: ['of'],
    registers: [registry],
    async collect() {
      for (const [of, count] of Object.entries(counted)) {
        // A database that is away must not keep the other figures from being read.
        const waiting = await count(db).catch(() => undefined);
        if (waiting !== undefined) this.set({ of }, waiting);
      }
    },
  });
}
