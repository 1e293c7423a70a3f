// Compares the figures with the messages that they were counted from.
import type { Runner } from '../../../db/database.js';
import { type Counts, storedCounts } from './counts.js';
import { selectDifferences } from './queries.js';

export interface FigureDifference {
  /** `hour`: compared with the messages. `day` and `all`: compared with the hours. */
  span: 'hour' | 'day' | 'all';
  /** See subjects.ts. */
  subject: string;
  since: string;
  /** By how much each figure is too high; correct ones are left out. */
  tooHigh: Partial<Counts>;
}

// One wrong figure is enough to see what happened.
const mostShown = 1000;

/**
 * Recounts all messages of a tenant and returns the figures that differ: none, if all is well. One statement, so anything sent
 * meanwhile is in both or in neither. It reads every message: not for requests.
 */
export async function recountMessages(db: Runner, tenantId: number): Promise<FigureDifference[]> {
  const rows = await selectDifferences(db, tenantId, mostShown);
  return rows.map(({ span, subject, since, ...counts }) => ({
    ...{ span, subject, since },
    tooHigh: Object.fromEntries(storedCounts.flatMap((name) => (counts[name] === 0 ? [] : [[name, counts[name]]]))),
  }));
}
