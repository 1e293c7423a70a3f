import type { Transaction } from '../../db/database.js';
import { together } from '../../lib/together.js';
import { Turn } from '../../lib/turns.js';
import { contactsChanged, newsOf } from './news.js';
import type { Plan } from './plan-writes.js';
import { insertChanges, insertContacts, insertPropertyKeys, updateContacts } from './queries.js';

// Keys that a tenant is known to have, so that most runs write none. Bounded: a forgotten key only costs a statement.
const mostTenants = 10_000;
const mostKeys = 2000;
// Rows per statement whose values are passed as arrays: the driver serializes them in a few milliseconds.
const portion = 5000;
const knownByDatabase = new WeakMap<object, Map<number, Set<string>>>();

/** Stores the plan. Every statement is set-based, so a run of writes costs a handful of round trips. */
export async function storePlan(tx: Transaction, tenantId: number, plan: Plan, now: string): Promise<void> {
  const added = plan.drafts.filter((draft) => draft.isNew);
  const changed = plan.drafts.filter((draft) => !draft.isNew);
  // Sent together, in this order: none needs the reply of another.
  await together([
    insertContacts(tx, tenantId, added, now),
    updateContacts(tx, tenantId, changed, now),
    ...[...portionsOf(plan.log)].map((changes) => insertChanges(tx, tenantId, changes, now)),
    storeKeys(tx, tenantId, plan),
    contactsChanged.tell(tx, tenantId, now, () => newsOf(plan, now)),
  ]);
}

async function storeKeys(tx: Transaction, tenantId: number, plan: Plan): Promise<void> {
  const knownKeys = knownByDatabase.get(tx.database) ?? new Map<number, Set<string>>();
  knownByDatabase.set(tx.database, knownKeys);
  const known = knownKeys.get(tenantId) ?? new Set();
  const fresh = new Set<string>();
  const turn = new Turn();
  for (const { properties } of plan.drafts) {
    if (turn.isOver) await turn.next();
    for (const key in properties) if (!known.has(key)) fresh.add(key);
  }
  if (fresh.size === 0) return;
  for (const keys of portionsOf([...fresh])) await insertPropertyKeys(tx, tenantId, keys);
  // A key counts as known only once it is committed.
  tx.afterCommit(() => {
    if (knownKeys.size >= mostTenants) knownKeys.clear();
    const all = knownKeys.get(tenantId) ?? new Set();
    for (const key of fresh) if (all.size < mostKeys) all.add(key);
    knownKeys.set(tenantId, all);
  });
}

function* portionsOf<T>(items: readonly T[]): Iterable<readonly T[]> {
  for (let from = 0; from < items.length; from += portion) yield items.slice(from, from + portion);
}
