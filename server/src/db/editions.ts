// What a tenant's dynamic lists and journeys listen to must not change while news is announced. Every write needs both, so they are locked in one
// round trip, once per transaction.
import type { Transaction } from './runner.js';
import { sql } from './sql.js';

/** How often the listeners were edited; 0 if there never was a list or a journey. */
interface Editions {
  audience: number;
  journeys: number;
}

const held = new WeakMap<Transaction, Map<number, Promise<Editions>>>();

/** Keeps others from editing the tenant's filters or journeys until the transaction ends. */
export function holdEditions(tx: Transaction, tenantId: number): Promise<Editions> {
  const own = held.get(tx) ?? new Map<number, Promise<Editions>>();
  held.set(tx, own);
  const editions = own.get(tenantId) ?? select(tx, tenantId);
  own.set(tenantId, editions);
  return editions;
}

async function select(tx: Transaction, tenantId: number): Promise<Editions> {
  const row = await tx.row(sql<Editions>`
    select hold_audience(${tenantId}) as audience, hold_journeys(${tenantId}) as journeys`);
  return row ?? { audience: 0, journeys: 0 };
}
