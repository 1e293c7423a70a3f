import { Places } from '../lib/places.js';
import { DatabaseBusy } from './connect.js';

type InTurn = <T>(tenantId: number, edit: () => Promise<T>) => Promise<T>;

/**
 * For edits that lock their tenant: only one at a time gets a connection. They would wait for each other anyway, each on a connection that others
 * need. `crowd` names them in errors, and `mostWaiting` is how many may wait per tenant.
 */
export function oneByOne(crowd: string, mostWaiting = 32): InTurn {
  const places = new Places({
    ...{ places: 1000, mostEach: 1, waitMs: 5000, mostWaiting },
    refuse: () => DatabaseBusy.crowded(crowd),
  });
  return async (tenantId, edit) => {
    const leave = await places.take(tenantId);
    return edit().finally(leave);
  };
}
