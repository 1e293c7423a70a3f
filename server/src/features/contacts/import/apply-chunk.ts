import type { Transaction } from '../../../db/database.js';
import type { Failure, LongApplier, LongWrite, Progress, Step } from '../../transactions/index.js';
import { planAndStore } from '../plan-and-store.js';
import { type Item, readItem } from '../read-item.js';
import { type ItemOutcome, OutcomeBuilder } from '../results.js';
import type { OpenTopics } from '../topic-words.js';
import { cellsOf } from './csv-header.js';
import {
  addOutcome,
  columnsOf,
  isOfLines,
  type Progress as Kept,
  keptColumns,
  presentImport,
  readProgress,
} from './progress.js';
import { deleteChunk, findChunkAfter, type Gap, importKind, type NewChunk, shortenChunk } from './queries.js';
import { beginRows, finishRows, type RowEffects, readRow } from './row-effects.js';

/** Applies imports a chunk at a time. */
export function importApplier(openTopics: OpenTopics, effects: RowEffects): LongApplier {
  return {
    kinds: [importKind],
    take: async (tx, tenantId, write, atMost) => {
      const chunk = await findChunkAfter(tx, { tenantId, uuid: write.uuid }, -1);
      return stepOf(tx, tenantId, write, chunk, atMost, openTopics, effects);
    },
    present: presentImport,
    columnsOf,
    isOfLines,
  };
}

function stepOf(
  tx: Transaction,
  tenantId: number,
  write: LongWrite,
  chunk: NewChunk | undefined,
  atMost: number,
  openTopics: OpenTopics,
  effects: RowEffects,
): Step {
  const rows = chunk?.payload.split('\n') ?? [];
  const taken = rows.slice(0, atMost);
  const before = readProgress(write);
  const isSheet = before.columns !== undefined;
  const finish = async (items: Item[], outcome: ItemOutcome, kept = 0): Promise<Progress> => {
    if (chunk) await removeApplied(tx, { tenantId, uuid: write.uuid }, chunk, rows, taken.length);
    const results = addOutcome(before, outcome, kept);
    // If no chunk is left before all rows are done, data was damaged; that must not block the imports behind it.
    const isDone = results.done >= write.items || !chunk;
    return { results, failures: failuresOf(chunk, taken, items, outcome, results), isDone };
  };
  return {
    units: Math.max(taken.length, 1),
    apply: async (now) => {
      const read = taken.map((row) => readRow(row, isSheet));
      const items = await beginRows(effects, tx, tenantId, read);
      const voucher = { source: 'import' as const, accountId: before.accountId ?? null };
      const request = { kind: 'upsert', items, voucher } as const;
      const { plan, kept } = await planAndStore(tx, tenantId, [request], now, openTopics, (planner) => {
        planner.asOf(write.createdAt);
        planner.plan(request, 'import');
      });
      const outcome = plan.outcomes[0] as ItemOutcome;
      await finishRows(effects, tx, tenantId, read, outcome, now);
      return finish(items, outcome, kept);
    },
    refuse: (why) => {
      const items = taken.map(readIfPossible);
      const outcome = new OutcomeBuilder();
      for (const { email } of items) outcome.failed(undefined, email, `This row ${why}`);
      return finish(items, outcome.build());
    },
  };
}

/** Reading the rows may be what fails. The write must end all the same, or its tenant would wait behind it forever. */
function readIfPossible(row: string): Item {
  try {
    return readRow(row, false).item;
  } catch {
    return readItem(undefined);
  }
}

/** The row as it came, as JSON: the cells of a CSV file, or the line of an NDJSON file. */
function originalOf(row: string, { columns }: Kept): string | null {
  if (!columns) return isTooDeep(row) ? null : row;
  const kept = keptColumns({ columns });
  try {
    const cells = kept && cellsOf(row, kept);
    return cells ? JSON.stringify(cells) : null;
  } catch {
    return null;
  }
}

// Results keep no contact ids, so a failure always includes its email, by which an erasure finds it.
// PostgreSQL's JSON parser has a stack limit and would refuse this row on every attempt, which would block everything behind it.
const mostDepth = 500;

function isTooDeep(row: string): boolean {
  let depth = 0;
  let isInText = false;
  for (let i = 0; i < row.length; i++) {
    const letter = row[i];
    if (letter === '"') isInText = !isInText;
    else if (isInText) i += letter === '\\' ? 1 : 0;
    else if (letter === '{' || letter === '[') depth++;
    else if (letter === '}' || letter === ']') depth--;
    if (depth > mostDepth) return true;
  }
  return false;
}

function failuresOf(
  chunk: NewChunk | undefined,
  rows: readonly string[],
  items: readonly Item[],
  { failures }: ItemOutcome,
  kept: Kept,
): Failure[] {
  const firstRow = chunk?.firstRow ?? 0;
  // The header is the first row of the file.
  const first = kept.columns ? 2 : 1;
  return failures.map(({ item, error }) => ({
    item: firstRow + item,
    email: items[item]?.email ?? null,
    error,
    row: firstRow + item + first + blankLinesBefore(firstRow + item, chunk?.gaps),
    original: originalOf(rows[item] as string, kept),
  }));
}

function blankLinesBefore(row: number, gaps: readonly Gap[] | null | undefined): number {
  return gaps?.findLast(([from]) => from <= row)?.[1] ?? 0;
}

async function removeApplied(
  tx: Transaction,
  upload: { tenantId: number; uuid: string },
  { chunk, firstRow, rowCount }: NewChunk,
  rows: string[],
  applied: number,
): Promise<void> {
  if (applied === rows.length) return deleteChunk(tx, upload, chunk);
  const payload = rows.slice(applied).join('\n');
  await shortenChunk(tx, upload, { chunk, firstRow: firstRow + applied, rowCount: rowCount - applied, payload });
}
