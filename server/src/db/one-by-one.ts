import { Places } from '../lib/places.js';
import { DatabaseBusy } from './connect.js';

type InTurn = <T>(tenantId: number, edit: () => Promise<T>) => Promise<T>;

/**
 * For edits that take a lock of their tenant: one of them at a time has a connection. They would wait for each other anyway, and
 * take it from everyone. `crowd` says what there is too much of, and `mostWaiting` how many of a tenant may wait.
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
