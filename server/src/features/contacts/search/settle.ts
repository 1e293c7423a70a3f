import type { Database } from '../../../db/database.js';
import type { Clock } from '../../../lib/clock.js';
import { storedGrams } from '../../../lib/grams.js';
import { advance, selectNewer, selectRenamed, storeGrams, type Unsettled, unqueue } from './queries.js';

const atOnce = 2000;
// Worker clocks may differ: ids made in the last minute may still get an older neighbour.
const tooYoungMs = 60_000;

/** Brings the search index nearer to the present. Answers how many contacts it settled. */
export async function settleSearch(db: Database, clock: Clock): Promise<number> {
  const newer = await selectNewer(db.patient, idAt(clock.now().getTime() - tooYoungMs), atOnce);
  if (newer.length > 0) {
    await db.transaction(async (tx) => {
      await storeGrams(tx, newer.map(withGrams));
      await advance(tx, newer);
    });
  }
  const renamed = await selectRenamed(db.patient, atOnce);
  if (renamed.length > 0) {
    await db.transaction(async (tx) => {
      await storeGrams(tx, renamed.map(withGrams));
      await unqueue(tx, renamed);
    });
  }
  return newer.length + renamed.length;
}

function withGrams(row: Unsettled): Unsettled & { grams: number[] } {
  return { ...row, grams: storedGrams(row.tenantId, row.searchText, [3]) };
}

/** The lowest contact id of a moment. */
function idAt(ms: number): string {
  return Math.max(0, ms).toString(16).padStart(12, '0').padEnd(32, '0');
}
