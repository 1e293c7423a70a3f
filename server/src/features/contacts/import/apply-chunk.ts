import type { Database, Transaction } from '../../../db/database.js';
import { newContactId } from '../../../lib/ids.js';
import {
  errorCode,
  finishWrites,
  insertFailures,
  lockTenant,
  passes,
  storeProgress,
} from '../../transactions/index.js';
import { keysOf, Planner } from '../plan-writes.js';
import { selectStored } from '../queries.js';
import { type Item, readItem } from '../read-item.js';
import { type ItemOutcome, OutcomeBuilder } from '../results.js';
import { storePlan } from '../store-plan.js';
import { addOutcome, type Progress, readProgress } from './progress.js';
import { type DueImport, deleteChunk, findDueImport, hasPendingImport, shortenChunk } from './queries.js';

type Apply = (tx: Transaction, tenantId: number, items: Item[], now: string) => Promise<ItemOutcome>;

/**
 * Applies one chunk of the tenant's oldest import: a turn, so that other writes and other tenants have theirs in
 * between. Answers how many rows were applied, or `busy` when another worker serves this tenant.
 */
export async function serveImport(db: Database, tenantId: number): Promise<number | 'busy'> {
  if (!(await hasPendingImport(db, tenantId))) return 0;
  try {
    return await applyNext(db, tenantId, Number.POSITIVE_INFINITY, applyRows);
  } catch (error) {
    if (passes(error)) throw error;
    return isolate(db, tenantId);
  }
}

// Half as many rows at each try, until the one that cannot be applied is the first; then it alone ends as FAILED.
async function isolate(db: Database, tenantId: number): Promise<number | 'busy'> {
  for (let most = 1024; ; most = most / 2) {
    try {
      return await applyNext(db, tenantId, most, applyRows);
    } catch (error) {
      if (passes(error)) throw error;
      if (most <= 1) return applyNext(db, tenantId, 1, refuseRows(errorCode(error as Error)));
    }
  }
}

/** One database transaction: the rows, their failures, the progress, and the chunk that is gone. */
function applyNext(db: Database, tenantId: number, most: number, apply: Apply): Promise<number | 'busy'> {
  return db.transaction(async (tx) => {
    const now = await lockTenant(tx, tenantId);
    if (now === undefined) return 'busy';
    const due = await findDueImport(tx, tenantId);
    if (!due) return 0;
    const rows = due.chunk === null ? [] : due.payload.split('\n');
    const items = rows.slice(0, most).map((row) => readItem(JSON.parse(row)));
    const outcome = await apply(tx, tenantId, items, now);
    await insertFailures(tx, tenantId, failuresOf(due, items, outcome));
    await removeApplied(tx, tenantId, due, rows, items.length);
    await storeOutcome(tx, tenantId, due, addOutcome(readProgress(due.results), outcome));
    return Math.max(items.length, 1);
  });
}

async function applyRows(tx: Transaction, tenantId: number, items: Item[], now: string): Promise<ItemOutcome> {
  const request = { kind: 'upsert', items } as const;
  const { emails } = keysOf([request]);
  const planner = new Planner(await selectStored(tx, tenantId, emails, []), newContactId);
  planner.plan(request, 'import');
  const plan = planner.finish();
  await storePlan(tx, tenantId, plan, now);
  return plan.outcomes[0] as ItemOutcome;
}

function refuseRows(code: string): Apply {
  return async (_tx, _tenantId, items) => {
    const outcome = new OutcomeBuilder();
    const reason = `This row cannot be applied (${code}). Check its values and send it again.`;
    for (const { email } of items) outcome.failed(undefined, email, reason);
    return outcome.build();
  };
}

// Results keep no contact ids, so a failure always carries its email. Erasure finds it by that.
function failuresOf({ uuid, firstRow }: DueImport, items: Item[], { failures }: ItemOutcome) {
  return failures.map(({ item, error }) => ({ uuid, item: firstRow + item, email: items[item]?.email ?? null, error }));
}

async function removeApplied(tx: Transaction, tenantId: number, due: DueImport, rows: string[], applied: number) {
  const { uuid, chunk, firstRow, rowCount } = due;
  if (chunk === null) return;
  if (applied === rows.length) return deleteChunk(tx, { tenantId, uuid }, chunk);
  const payload = rows.slice(applied).join('\n');
  await shortenChunk(
    tx,
    { tenantId, uuid },
    { chunk, firstRow: firstRow + applied, rowCount: rowCount - applied, payload },
  );
}

async function storeOutcome(tx: Transaction, tenantId: number, { uuid, items, chunk }: DueImport, progress: Progress) {
  // No chunk left before all rows are done can only be damage; it must not hold up the imports behind it.
  const isDone = progress.done >= items || chunk === null;
  const results = JSON.stringify(progress);
  if (isDone) await finishWrites(tx, tenantId, [{ uuid, results }]);
  else await storeProgress(tx, tenantId, uuid, results);
}
