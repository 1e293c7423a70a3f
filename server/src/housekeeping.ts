// Chores that belong to no feature.
import type { Feature } from './assemble.js';
import { foldCounters } from './db/counters.js';
import type { Database } from './db/database.js';
import { FreshStatistics } from './db/fresh-statistics.js';
import type { Clock } from './lib/clock.js';
import { inSteps } from './work/chores.js';
import { sweepTraces } from './work/traces.js';

/** Folds counters, keeps the planner's statistics fresh, and forgets traces of work that is over. */
export function housekeeping(db: Database, clock: Clock): Feature {
  const fold = (atMost: number) => foldCounters(db.background, atMost);
  const sweep = (atMost: number) => sweepTraces(db.background, atMost);
  const statistics = new FreshStatistics(db.background, clock);
  return {
    chores: [
      { name: 'counters', everyMs: 10_000, run: (signal) => inSteps(fold, signal) },
      { name: 'planner statistics', everyMs: 5000, run: (signal) => statistics.refresh(signal) },
      { name: 'old traces', everyMs: 600_000, run: (signal) => inSteps(sweep, signal) },
    ],
  };
}
