import type { Transaction } from '../../db/database.js';
import type { PlacedEvent } from './plan-events.js';
import { insertNames } from './queries.js';

// Names that a tenant is known to have had, so that most runs write none. Bounded: a forgotten name only costs a statement.
const mostTenants = 10_000;
const mostNames = 10_000;
const knownByDatabase = new WeakMap<object, Map<number, Set<string>>>();

/** Stores every event name that the tenant has had: a filter with an unknown name gets a warning. */
export async function noteNames(
  tx: Transaction,
  tenantId: number,
  portions: readonly (readonly PlacedEvent[])[],
): Promise<void> {
  const byTenant = knownByDatabase.get(tx.database) ?? new Map<number, Set<string>>();
  knownByDatabase.set(tx.database, byTenant);
  const known = byTenant.get(tenantId) ?? new Set();
  const fresh = new Set<string>();
  for (const events of portions) for (const { eventName } of events) if (!known.has(eventName)) fresh.add(eventName);
  if (fresh.size === 0) return;
  await insertNames(tx, tenantId, [...fresh]);
  // A name counts as known only once it is committed.
  tx.afterCommit(() => {
    if (byTenant.size >= mostTenants) byTenant.clear();
    const names = byTenant.get(tenantId) ?? new Set();
    byTenant.set(tenantId, new Set([...(names.size < mostNames ? names : []), ...fresh]));
  });
}
