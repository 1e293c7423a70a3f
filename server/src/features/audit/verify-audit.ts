// Walks the audit log, entry by entry, and says in words where it is not what was written.
import type { Runner } from '../../db/database.js';
import { ChainWalk } from './chain-walk.js';
import { findEnds, findNextTenant, selectEntriesAfter } from './queries.js';

/** A tenant's log as it was found. */
export interface VerifiedLog {
  tenantId: number;
  entries: number;
  /** Of the last entry, hex. Null where there is none. Kept elsewhere, it shows later that nothing was cut off. */
  lastHash: string | null;
  /** A sentence each; none where all is well. */
  faults: readonly string[];
}

/** One tenant alone; `expected` is a hash that was the last one once. */
export interface Asked {
  tenantId: number;
  expected?: string;
}

const entriesAtOnce = 1000;

/** Tenant by tenant, a few entries at a time; `told` hears of each when it is done. The service may go on. */
export async function verifyAudit(
  db: Runner,
  told: (verified: VerifiedLog) => void,
  { tenantId, expected }: Partial<Asked> = {},
): Promise<void> {
  if (tenantId !== undefined) return told(await verifyLog(db, tenantId, expected));
  for (let next = await findNextTenant(db, 0); next !== null; next = await findNextTenant(db, next))
    told(await verifyLog(db, next));
}

async function verifyLog(db: Runner, tenantId: number, expected?: string): Promise<VerifiedLog> {
  // Both as of one moment. What is appended while this walks is for the next time.
  const { head, lastNo } = await findEnds(db, tenantId);
  const walk = new ChainWalk(tenantId, expected);
  // An entry may have been given any number.
  for (let after = Number.MIN_SAFE_INTEGER; !walk.isEnough; ) {
    const entries = await selectEntriesAfter(db, tenantId, after, lastNo, entriesAtOnce);
    for (const entry of entries) walk.take(entry);
    const last = entries.at(-1);
    if (!last || last.entryNo <= after || entries.length < entriesAtOnce) break;
    after = last.entryNo;
  }
  walk.end(head);
  return { tenantId, entries: walk.entries, lastHash: walk.lastHash, faults: walk.faults };
}
