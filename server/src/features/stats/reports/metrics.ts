import { Gauge, type Registry } from 'prom-client';
import type { Runner } from '../../../db/database.js';
import { countUnfolded } from '../../../db/tallies.js';
import { passageTallies } from '../../journeys/index.js';
import { figureTallies } from '../../messages/index.js';

/** Whether the folding chores keep up: unfolded changes slow every read. */
export function statsMetrics(registry: Registry, db: Runner): void {
  new Gauge({
    name: 'rapport_stats_unfolded',
    help: 'Changes of figures that wait to be folded into hours and days, of messages and of journeys; 100000 means at least that many.',
    labelNames: ['of'],
    registers: [registry],
    async collect() {
      for (const [of, tallies] of Object.entries({ messages: figureTallies, journeys: passageTallies })) {
        // An unavailable database must not prevent the other metrics from being read.
        const waiting = await countUnfolded(db, tallies).catch(() => undefined);
        if (waiting !== undefined) this.set({ of }, waiting);
      }
    },
  });
}
