// The progress and results of an import. There are no results per item, because there may be millions.

import { parseJson } from '../../../lib/parse-json.js';
import type { LongWrite, Presenter } from '../../transactions/index.js';
import type { ItemOutcome } from '../results.js';
import type { Column } from './csv-header.js';

/** What is stored in write_transaction.results. */
export interface Progress {
  done: number;
  counts: ItemOutcome['counts'];
  /** Rows that would have subscribed a person who had unsubscribed. */
  kept?: number;
  /** Columns that were ignored. */
  ignored: string[];
  /** The columns of a CSV file, for its file of failed rows; missing if the header was too long to keep. */
  columns?: Column[];
  /** The column plan that it was sent with. */
  plan?: string;
  fileName?: string;
  /** Who uploaded it. */
  accountId?: number;
}

const mostIgnored = 100;

export function readProgress({ results, payload }: Pick<LongWrite, 'results' | 'payload'>): Progress {
  if (results !== null) return parseJson(results) as Progress;
  const file = payload ? (parseJson(payload) as Column[] | Pick<Progress, 'columns'>) : {};
  // Imports acknowledged by an older build have only the columns.
  return { ...nothingYet, ...(Array.isArray(file) ? { columns: file } : file) };
}

// Stored again with every step, hence the limit. Imports with more columns get the short file of failed rows.
const mostColumnText = 64 * 1024;

/** What is kept about the file besides its rows. `columns` only if it has a header. */
export function writeFile(file: {
  columns: Column[] | undefined;
  plan: string | undefined;
  fileName: string | undefined;
  accountId: number;
}): string {
  const isLong = JSON.stringify(file.columns ?? []).length > mostColumnText;
  return JSON.stringify(isLong ? { ...file, columns: [], plan: undefined } : file);
}

export function columnsOf(results: unknown): string[] | undefined {
  return keptColumns(results as Progress | null)?.map(([name]) => name);
}

/** Whether the file was NDJSON, which has no header. */
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
