// What is kept of an import while it is applied and after: no item by item results, because there may be millions.

import { parseJson } from '../../../lib/parse-json.js';
import type { LongWrite, Presenter } from '../../transactions/index.js';
import type { ItemOutcome } from '../results.js';
import type { Column } from './csv-header.js';

/** What is stored in write_transaction.results. */
export interface Progress {
  done: number;
  counts: ItemOutcome['counts'];
  /** Rows that would have subscribed somebody who unsubscribed. */
  kept?: number;
  /** Columns that were ignored. */
  ignored: string[];
  /** Of a CSV file, for that of its failed rows; none where its header was too long to keep. */
  columns?: Column[];
  fileName?: string;
  /** Who sent it. */
  accountId?: number;
}

const mostIgnored = 100;

export function readProgress({ results, payload }: Pick<LongWrite, 'results' | 'payload'>): Progress {
  if (results !== null) return parseJson(results) as Progress;
  const file = payload ? (parseJson(payload) as Column[] | Pick<Progress, 'columns'>) : {};
  // What an older build acknowledged has the columns alone.
  return { ...nothingYet, ...(Array.isArray(file) ? { columns: file } : file) };
}

// They are stored again with every step. Imports with more columns get the short file of failed rows.
const mostColumnText = 64 * 1024;

/** What an import keeps of its file beside its rows. `columns` only of one that has a header. */
export function writeFile(file: {
  columns: Column[] | undefined;
  fileName: string | undefined;
  accountId: number;
}): string {
  const isLong = JSON.stringify(file.columns ?? []).length > mostColumnText;
  return JSON.stringify(isLong ? { ...file, columns: [] } : file);
}

export function columnsOf(results: unknown): string[] | undefined {
  return keptColumns(results as Progress | null)?.map(([name]) => name);
}

/** Whether it was a file of JSON lines: it has no header at all. */
export function isOfLines(results: unknown): boolean {
  return (results as Progress | null)?.columns === undefined;
}

export function keptColumns(progress: Pick<Progress, 'columns'> | null): Column[] | undefined {
  return progress?.columns?.length ? progress.columns : undefined;
}

const nothingYet: Progress = { done: 0, counts: { CREATED: 0, UPDATED: 0, NO_CHANGE: 0, FAILED: 0 }, ignored: [] };

export function addOutcome(before: Progress, { counts, results }: ItemOutcome, kept: number): Progress {
  const total = { ...before.counts };
  let done = before.done;
  for (const [status, count] of Object.entries(counts) as [keyof typeof counts, number][]) {
    total[status] += count;
    done += count;
  }
  const ignored = new Set(before.ignored);
  for (const key of Object.values(results.ignored ?? {}).flat()) if (ignored.size < mostIgnored) ignored.add(key);
  const unheard = (before.kept ?? 0) + kept;
  return { ...before, done, counts: total, ...(unheard > 0 ? { kept: unheard } : {}), ignored: [...ignored] };
}

export const presentImport: NonNullable<Presenter['present']> = async (_db, _tenantId, { items, results }) => {
  const { done, counts, kept, ignored } = (results ?? nothingYet) as Progress;
  const named = ignored.length > 0 ? { ignoredProperties: ignored } : {};
  return { counts, ...(kept ? { kept } : {}), progress: { done, total: items }, ...named };
};
