// Statistics: what came of messages and of journeys, as figures. The counters are kept by messages and journeys; this feature reads them,
// and has no tables of its own.
import type { Database } from '../../db/database.js';
import { statsEndpoints } from './routes.js';

export interface StatsNeeds {
  db: Database;
  /** How many journeys one rollup covers. */
  rollupLimit: number;
}

export function stats({ db, rollupLimit }: StatsNeeds) {
  return { endpoints: [...statsEndpoints(db, rollupLimit)] };
}
