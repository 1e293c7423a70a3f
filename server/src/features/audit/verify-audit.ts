// Walks the audit log, entry by entry, and says where it was changed.
import type { Runner } from '../../db/database.js';
import { ChainWalk } from './chain-walk.js';
import { findEnds, findNextTenant, selectEntriesAfter } from './queries.js';

/** A tenant's log as it was found. */
export interface VerifiedLog {
  tenantId: number;
  entries: number;
  /** Of the last entry, hex. Null if there is none. Kept elsewhere, it shows later that nothing was cut off. */
  lastHash: string | null;
  /** A sentence each; none if all is well. */
  faults: readonly string[];
}

/** Only this tenant; `expected` is an earlier last hash. */
export interface AuditScope {
  tenantId: number;
  expected?: string;
}

const entriesAtOnce = 1000;

/** Tenant by tenant, a few entries at a time; `told` is called after each. The service may keep running. */
export async function verifyAudit(
  db: Runner,
  told: (verified: VerifiedLog) => void,
  { tenantId, expected }: Partial<AuditScope> = {},
): Promise<void> {
  if (tenantId !== undefined) return told(await verifyLog(db, tenantId, expected));
  for (let next = await findNextTenant(db, 0); next !== null; next = await findNextTenant(db, next))
    told(await verifyLog(db, next));
}

async function verifyLog(db: Runner, tenantId: number, expected?: string): Promise<VerifiedLog> {
  // Both from one moment. Entries appended during the walk are left for the next time.
  const { head, lastNo } = await findEnds(db, tenantId);
  const walk = new ChainWalk(tenantId, expected);
  // A tampered entry may have any number.
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
