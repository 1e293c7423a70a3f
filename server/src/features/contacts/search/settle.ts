import type { Background, Transaction } from '../../../db/database.js';
import { locks } from '../../../db/locks.js';
import type { Clock } from '../../../lib/clock.js';
import { storedGrams } from '../../../lib/grams.js';
import type { Queue } from '../../../work/queue.js';
import { type Batch, type Runs, takeTurn, Widths } from '../../../work/take-turn.js';
import * as queries from './queries.js';

const atOnce = 2000;
const kind = 'contact.search';
// The clocks of workers may differ, so an id older than those of the last minute may still appear.
const tooYoungMs = 60_000;

/** Contacts whose grams are not stored yet: new or renamed ones. A search still finds them, by reading their text. */
export function searchQueue(db: Background, clock: Clock): Queue {
  const settled = () => idAt(clock.now().getTime() - tooYoungMs);
  const runs = searchRuns(settled);
  const widths = new Widths(runs.most);
  return {
    name: 'search',
    hands: 1,
    pollMs: 1000,
    due: () => queries.selectDue(db, settled()),
    serve: (tenantId, watch) => takeTurn(db, runs, widths, tenantId, watch),
    waiting: (runner) => queries.selectUnsettled(runner, kind),
  };
}

function searchRuns(settled: () => string): Runs {
  return {
    lock: locks.search,
    most: atOnce,
    take: async (tx, tenantId, atMost) => {
      const newer = await queries.selectNewer(tx, tenantId, settled(), atMost);
      const left = atMost - newer.length;
      const renamed = left > 0 ? await queries.selectRenamed(tx, tenantId, left) : [];
      return batchOf(tx, tenantId, newer, renamed);
    },
    refuse: async (tx, tenantId, first, why) => {
      await queries.setAside(tx, tenantId, first, { attempts: 0, error: `Its grams ${why}`, waitMs: undefined });
      return true;
    },
    // The contact waits in the queue and does not block those behind it.
    postpone: (tx, tenantId, first, failure) => queries.setAside(tx, tenantId, first, failure),
  };
}

function batchOf(
  tx: Transaction,
  tenantId: number,
  newer: readonly queries.Unsettled[],
  renamed: readonly queries.Unsettled[],
): Batch | undefined {
  const all = [...newer, ...renamed];
  const [first] = all;
  return (
    first && {
      first: first.contactId,
      kind,
      attempts: first.attempts,
      units: new Map([[kind, all.length]]),
      apply: async () => {
        const grams = all.map((row) => ({ ...row, grams: storedGrams(tenantId, row.searchText, [3]) }));
        await queries.storeGrams(tx, tenantId, grams);
        if (newer.length > 0) await queries.advance(tx, tenantId, newer);
        if (renamed.length > 0) await queries.unqueue(tx, tenantId, renamed);
      },
    }
  );
}

/** The lowest contact id that this moment can have. */
function idAt(ms: number): string {
  return Math.max(0, ms).toString(16).padStart(12, '0').padEnd(32, '0');
}
