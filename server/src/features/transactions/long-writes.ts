import type { Transaction } from '../../db/database.js';
import { locks, lockTenant } from '../../db/locks.js';
import { parseJson } from '../../lib/parse-json.js';
import type { Runs } from '../../work/take-turn.js';
import { inSpanOf, tenantOfSpan } from '../../work/traces.js';
import type { Appliers, Progress, Step } from './appliers.js';
import { insertFailures } from './outcomes/queries.js';
import { findDueLong, finishWrites, type LongWrite, postponeWrites, storeProgress } from './queries.js';

// More than any step has: the feature decides how many go together.
const mostUnits = 4096;

/** The tenant's oldest long write, a step at a time, so that other writes and other tenants have their turns in between. */
export function longWrites(appliers: Appliers): Runs {
  async function takeStep(
    tx: Transaction,
    tenantId: number,
    write: LongWrite,
    atMost: number,
  ): Promise<Step | undefined> {
    try {
      return await appliers.longOf(write.kind)?.take(tx, tenantId, write, atMost);
    } catch (error) {
      // It counts as a failed step. There is no next step, so ending it ends the whole write.
      return unreadable(write, error);
    }
  }
  return {
    lock: locks.writeTurn,
    most: mostUnits,
    take: async (tx, tenantId, atMost, now) => {
      const write = await findDueLong(tx, tenantId);
      if (!write || (write.dueAt && write.dueAt > now)) return undefined;
      const at = await lockTenant(tx, tenantId, locks.writes);
      if (at === undefined) return undefined;
      const step = await takeStep(tx, tenantId, write, atMost);
      return (
        step && {
          first: nameOf(write),
          kind: write.kind,
          attempts: write.attempts,
          units: new Map([[write.kind, step.units]]),
          apply: () =>
            inSpanOf(
              tx,
              tenantId,
              [write.uuid],
              { name: `apply ${write.kind}`, attributes: tenantOfSpan(tenantId) },
              async () => store(tx, tenantId, write, await step.apply(at), 0),
            ),
        }
      );
    },
    // The attempts are kept: if all units fail, each is ended after one more.
    refuse: async (tx, tenantId, first, why) => {
      const write = await findDueLong(tx, tenantId);
      const step = write && nameOf(write) === first ? await takeStep(tx, tenantId, write, 1) : undefined;
      if (!write || !step) return false;
      await store(tx, tenantId, write, await step.refuse(why), write.attempts);
      return true;
    },
    postpone: async (tx, tenantId, first, failure) => {
      const write = await findDueLong(tx, tenantId);
      if (write && nameOf(write) === first) await postponeWrites(tx, tenantId, [write], failure);
    },
  };
}

function unreadable({ results, items }: LongWrite, error: unknown): Step {
  const asItWas = results === null ? null : parseJson(results);
  return {
    units: 1,
    apply: () => Promise.reject(error),
    refuse: async (why) => ({
      results: asItWas,
      failures: [{ item: items, email: null, error: `The rest ${why}` }],
      isDone: true,
    }),
  };
}

/** Changes with every step, because the first unit does. */
function nameOf({ uuid, results }: LongWrite): string {
  return `${uuid} ${results ?? ''}`;
}

async function store(
  tx: Transaction,
  tenantId: number,
  { uuid }: LongWrite,
  { results, failures = [], isDone }: Progress,
  attempts: number,
): Promise<void> {
  await insertFailures(
    tx,
    tenantId,
    failures.map((failure) => ({ uuid, ...failure })),
  );
  const json = JSON.stringify(results);
  if (isDone) await finishWrites(tx, tenantId, [{ uuid, results: json }]);
  else await storeProgress(tx, tenantId, uuid, json, attempts);
}
