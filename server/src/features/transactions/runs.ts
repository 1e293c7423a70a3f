import type { Transaction } from '../../db/database.js';
import { inSpanOf, tenantOfSpan } from '../../work/traces.js';
import type { Applier, Appliers, Failure, WriteOutcome } from './appliers.js';
import type { PendingWrite } from './queries.js';

/** Neighbours in the queue that one applier applies together. */
export interface Run {
  applier: Applier;
  writes: PendingWrite[];
}

/** Each run costs round trips of its own: when two kinds alternated, a turn of 512 writes took 2.5 s. */
export const mostRuns = 32;

/** Neighbours of one applier go together; the order of the queue is kept. Ends before a kind that this process does not know. */
export function runsOf(appliers: Appliers, writes: readonly PendingWrite[]): Run[] {
  const runs: Run[] = [];
  for (const write of writes) {
    const applier = appliers.of(write.kind);
    if (!applier) break;
    const last = runs.at(-1);
    if (last?.applier === applier) last.writes.push(write);
    else runs.push({ applier, writes: [write] });
  }
  return runs;
}

/** Returns one outcome per write. As a span that comes from the requests. */
export function applyRun(
  tx: Transaction,
  tenantId: number,
  { applier, writes }: Run,
  now: string,
): Promise<WriteOutcome[]> {
  const facts = {
    name: `apply ${writes[0]?.kind}`,
    attributes: { ...tenantOfSpan(tenantId), 'rapport.writes': writes.length },
  };
  const ids = writes.map(({ uuid }) => uuid);
  return inSpanOf(tx, tenantId, ids, facts, () => applier.apply(tx, tenantId, writes, now));
}

/** The failed items of writes, with the ids of their transactions. */
export function failuresOf(
  writes: readonly PendingWrite[],
  outcomes: readonly WriteOutcome[],
): (Failure & { uuid: string })[] {
  return outcomes.flatMap(({ failures = [] }, i) =>
    failures.map((failure) => ({ uuid: (writes[i] as PendingWrite).uuid, ...failure })),
  );
}

export function countByKind(writes: readonly PendingWrite[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { kind } of writes) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}
