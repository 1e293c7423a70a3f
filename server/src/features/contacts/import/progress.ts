// What is kept of an import while it is applied and after: no item by item results, because there may be millions.

import { parseJson } from '../../../lib/parse-json.js';
import type { LongWrite, Presenter } from '../../transactions/index.js';
import type { ItemOutcome } from '../results.js';
import type { Column } from './csv-header.js';

/** What is stored in write_transaction.results. */
export interface Progress {
  done: number;
  counts: ItemOutcome['counts'];
  /** Columns that were ignored. */
  ignored: string[];
  /** Of a CSV file, for that of its failed rows; none where its header was too long to keep. */
  columns?: Column[];
}

const mostIgnored = 100;

export function readProgress({ results, payload }: Pick<LongWrite, 'results' | 'payload'>): Progress {
  if (results !== null) return parseJson(results) as Progress;
  return payload ? { ...nothingYet, columns: parseJson(payload) as Column[] } : nothingYet;
}

// They are stored again with every step. Whoever has more columns gets the short file of failed rows.
const mostColumnText = 64 * 1024;

/** What an import keeps of its file's header, beside its rows. Nothing for one that has none. */
export function writeColumns(columns: readonly Column[]): string {
  if (columns.length === 0) return '';
  const json = JSON.stringify(columns);
  return json.length > mostColumnText ? '[]' : json;
}

export function columnsOf(results: unknown): string[] | undefined {
  return keptColumns(results as Progress | null)?.map(([name]) => name);
}

export function keptColumns(progress: Pick<Progress, 'columns'> | null): Column[] | undefined {
  return progress?.columns?.length ? progress.columns : undefined;
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
  return { ...before, done, counts: total, ignored: [...ignored] };
}

export const presentImport: NonNullable<Presenter['present']> = async (_db, _tenantId, { items, results }) => {
  const { done, counts, ignored } = (results ?? nothingYet) as Progress;
  const named = ignored.length > 0 ? { ignoredProperties: ignored } : {};
  return { counts, progress: { done, total: items }, ...named };
};
