import type { Database, Transaction } from '../../db/database.js';
import type { Applier, Appliers, Outcome } from './appliers.js';
import { finishWrites, insertFailures, lockTenant, type PendingWrite, selectPending } from './queries.js';

// A turn is short, so that another tenant's single write waits for milliseconds, not for a backlog.
const mostWrites = 512;
const mostItems = 4000;
// Runs cost round trips of their own: where two kinds alternated, a turn of 512 writes took 2.5 s.
const mostRuns = 32;

/**
 * Applies the oldest writes of a tenant, with their results, in one database transaction. A crash rolls all of it back
 * to PENDING. Answers how many were applied, or `busy` when another worker serves this tenant.
 */
export async function serveTenant(db: Database, appliers: Appliers, tenantId: number): Promise<number | 'busy'> {
  try {
    return await applyOldest(db, appliers, tenantId, mostWrites, mostItems);
  } catch (error) {
    if (passes(error)) throw error;
    return isolate(db, appliers, tenantId);
  }
}

// Half as many at each try, until the write that cannot be applied is alone; then it ends as FAILED.
async function isolate(db: Database, appliers: Appliers, tenantId: number): Promise<number | 'busy'> {
  for (let count = mostWrites / 2; count >= 1; count = count / 2) {
    try {
      return await applyOldest(db, appliers, tenantId, count, mostItems);
    } catch (error) {
      if (passes(error)) throw error;
      if (count === 1) return refuseOldest(db, appliers, tenantId, error as Error);
    }
  }
  return 0;
}

function applyOldest(
  db: Database,
  appliers: Appliers,
  tenantId: number,
  count: number,
  items: number,
): Promise<number | 'busy'> {
  return db.transaction(async (tx) => {
    const now = await lockTenant(tx, tenantId);
    if (now === undefined) return 'busy';
    const writes = await selectPending(tx, tenantId, count, items);
    const runs = runsOf(appliers, writes).slice(0, mostRuns);
    // Each run is finished before the next: an erasure must find the results of what came before it.
    for (const { applier, run } of runs) await finish(tx, tenantId, run, await applier.apply(tx, tenantId, run, now));
    return runs.reduce((applied, { run }) => applied + run.length, 0);
  });
}

/** Neighbours of one applier go together; the order of the queue is kept. */
function runsOf(appliers: Appliers, writes: PendingWrite[]): { applier: Applier; run: PendingWrite[] }[] {
  const runs: { applier: Applier; run: PendingWrite[] }[] = [];
  for (const write of writes) {
    const applier = appliers.of(write.kind);
    const last = runs.at(-1);
    if (last?.applier === applier) last.run.push(write);
    else runs.push({ applier, run: [write] });
  }
  return runs;
}

async function finish(tx: Transaction, tenantId: number, writes: PendingWrite[], outcomes: Outcome[]): Promise<void> {
  const failures = outcomes.flatMap((outcome, i) =>
    (outcome.failures ?? []).map((failure) => ({ uuid: (writes[i] as PendingWrite).uuid, ...failure })),
  );
  await insertFailures(tx, tenantId, failures);
  const finished = writes.map((write, i) => ({
    uuid: write.uuid,
    results: JSON.stringify(outcomes[i]?.results ?? null),
  }));
  await finishWrites(tx, tenantId, finished);
}

function refuseOldest(db: Database, appliers: Appliers, tenantId: number, error: Error): Promise<number | 'busy'> {
  return db.transaction(async (tx) => {
    if ((await lockTenant(tx, tenantId)) === undefined) return 'busy';
    const [write] = await selectPending(tx, tenantId, 1, 1);
    if (!write) return 0;
    const reason = `This write cannot be applied (${errorCode(error)}). Check its values and send it again.`;
    await finish(tx, tenantId, [write], [await appliers.of(write.kind).refuse(write, reason, tx, tenantId)]);
    return 1;
  });
}

/** What of an error a caller may see. */
export function errorCode(error: Error): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? `code ${code}` : error.name;
}

/** Data and constraint errors stay; everything else (connection, lock, disk, shutdown) may pass by waiting. */
export function passes(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  if (typeof code !== 'string')
    return !(error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError);
  return !/^(22|23|54)/.test(code);
}
