// What is kept of an import while it is applied and after: no item by item results, because there may be millions.
import type { Presenter } from '../../transactions/index.js';
import type { ItemOutcome } from '../results.js';

/** What is stored in write_transaction.results. */
export interface Progress {
  done: number;
  counts: ItemOutcome['counts'];
  /** Columns that were ignored. */
  ignored: string[];
}

const mostIgnored = 100;

export function readProgress(results: string | null): Progress {
  return results === null ? nothingYet : (JSON.parse(results) as Progress);
}

const nothingYet: Progress = { done: 0, counts: { CREATED: 0, UPDATED: 0, NO_CHANGE: 0, FAILED: 0 }, ignored: [] };

export function addOutcome(before: Progress, { counts, results }: ItemOutcome): Progress {
  const total = { ...before.counts };
  let done = before.done;
  for (const [status, count] of Object.entries(counts) as [keyof typeof counts, number][]) {
    total[status] += count;
    done += count;
  }
  const ignored = new Set(before.ignored);
  for (const key of Object.values(results.ignored ?? {}).flat()) if (ignored.size < mostIgnored) ignored.add(key);
  return { done, counts: total, ignored: [...ignored] };
}

export const presentImport: Presenter['present'] = async (_db, _tenantId, { items, results }) => {
  const { done, counts, ignored } = (results ?? nothingYet) as Progress;
  const named = ignored.length > 0 ? { ignoredProperties: ignored } : {};
  return { counts, progress: { done, total: items }, ...named };
};
