import type { Transaction } from '../../db/database.js';
import { locks, lockTenant } from '../../db/locks.js';
import type { Batch, Runs } from '../../work/take-turn.js';
import type { Appliers, WriteOutcome } from './appliers.js';
import type { Handover } from './handover.js';
import { insertFailures } from './outcomes/queries.js';
import { finishWrites, markLong, type PendingWrite, postponeWrites, selectPending } from './queries.js';
import { applyRun, countByKind, failuresOf, mostRuns, type Run, runsOf } from './runs.js';

// A turn is short, so that another tenant's single write waits for milliseconds, not for a whole backlog.
const mostWrites = 512;
const mostItems = 4000;

/** Short writes, many in one turn, in the order of acknowledgement. */
export function shortWrites(appliers: Appliers, handover?: Handover): Runs {
  return {
    lock: locks.writeTurn,
    most: mostWrites,
    take: async (tx, tenantId, atMost, now) => {
      const writes = await selectShort(tx, tenantId, atMost, appliers, handover);
      if (isEarly(writes, now)) return undefined;
      const runs = runsOf(appliers, writes).slice(0, mostRuns);
      const others = runs.findIndex(({ applier }) => !applier.leavesContacts);
      // Behind a turn of journeys that sets properties, only what may run beside it.
      const at = others === -1 ? now : await lockTenant(tx, tenantId, locks.writes);
      const mine = at === undefined ? runs.slice(0, others) : runs;
      return mine.length === 0 ? undefined : batchOf(tx, tenantId, mine, at ?? now);
    },
    refuse: async (tx, tenantId, first, why) => {
      const [write] = await selectPending(tx, tenantId, 1, 1);
      const applier = write && appliers.of(write.kind);
      if (write?.uuid !== first || !applier) return false;
      await finish(tx, tenantId, [write], [await applier.refuse(write, `This write ${why}`, tx, tenantId)]);
      return true;
    },
    // Those behind it have waited as long: if all of them fail, each is ended after one more attempt.
    postpone: async (tx, tenantId, first, failure) => {
      const writes = await selectPending(tx, tenantId, mostWrites, mostItems);
      if (writes[0]?.uuid === first) await postponeWrites(tx, tenantId, writes, failure);
    },
  };
}

/** The first one failed and rests, or all of them gather others: see selectHeads. */
function isEarly(writes: readonly PendingWrite[], now: string): boolean {
  const waits = ({ dueAt }: PendingWrite) => dueAt !== null && dueAt > now;
  const [first] = writes;
  return first !== undefined && waits(first) && (first.attempts > 0 || writes.every(waits));
}

/** An older build acknowledges long writes without marking them: they are moved to where long ones wait. */
async function selectShort(
  tx: Transaction,
  tenantId: number,
  atMost: number,
  appliers: Appliers,
  handover?: Handover,
): Promise<PendingWrite[]> {
  const bodies = handover?.of(tenantId) ?? new Map<string, unknown>();
  const writes = await selectPending(tx, tenantId, atMost, mostItems, [...bodies.keys()]);
  for (const write of writes) {
    if (!bodies.has(write.uuid)) continue;
    write.body = bodies.get(write.uuid);
    handover?.drop(write.uuid);
  }
  const long = writes.filter(({ kind }) => appliers.longOf(kind));
  if (long.length === 0) return writes;
  await markLong(tx, tenantId, long);
  return selectShort(tx, tenantId, atMost, appliers, handover);
}

function batchOf(tx: Transaction, tenantId: number, runs: readonly Run[], now: string): Batch {
  const [oldest] = (runs[0] as Run).writes;
  const { uuid, kind, attempts } = oldest as PendingWrite;
  return {
    first: uuid,
    kind,
    attempts,
    units: countByKind(runs.flatMap(({ writes }) => writes)),
    apply: async () => {
      // Each run is finished before the next: an erasure must find the results of what came before it.
      for (const run of runs) await finish(tx, tenantId, run.writes, await applyRun(tx, tenantId, run, now));
    },
  };
}

async function finish(
  tx: Transaction,
  tenantId: number,
  writes: readonly PendingWrite[],
  outcomes: readonly WriteOutcome[],
): Promise<void> {
  await insertFailures(tx, tenantId, failuresOf(writes, outcomes));
  const finished = writes.map((write, i) => ({
    uuid: write.uuid,
    results: JSON.stringify(outcomes[i]?.results ?? null),
  }));
  await finishWrites(tx, tenantId, finished);
}
