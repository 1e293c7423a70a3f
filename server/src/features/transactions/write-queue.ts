import type { Background } from '../../db/database.js';
import type { Due, Queue } from '../../work/queue.js';
import { unwatched } from '../../work/queue.js';
import { takeTurn, Widths } from '../../work/take-turn.js';
import type { Appliers } from './appliers.js';
import type { Handover } from './handover.js';
import { longWrites } from './long-writes.js';
import { type Head, isSmall, selectHeads, selectWaiting } from './queries.js';
import { shortWrites } from './short-writes.js';

/** Acknowledged writes: the short ones of a tenant in their order, then one step of a long one. Neither delays the other for long. */
export function writeQueue(db: Background, appliers: Appliers, handover?: Handover): Queue {
  const [short, long] = [shortWrites(appliers, handover), longWrites(appliers)];
  const [shortWidths, longWidths] = [new Widths(short.most), new Widths(long.most)];
  const isKnown = ({ kind, isLong }: Head) =>
    appliers.longOf(kind) !== undefined || (!isLong && appliers.of(kind) !== undefined);
  // As of the last poll: most tenants have none, and need no transaction to find that out.
  let withLong = new Set<number>();
  return {
    name: 'writes',
    hands: 3,
    pollMs: 250,
    due: async () => {
      const heads = await selectHeads(db);
      withLong = new Set(heads.flatMap((head) => (appliers.longOf(head.kind) ? head.tenantId : [])));
      return dueOf(heads, isKnown);
    },
    serve: async (tenantId, watch) => {
      const writes = await takeTurn(db, short, shortWidths, tenantId, watch);
      if (writes === 'busy' || !withLong.has(tenantId)) return writes;
      const units = await takeTurn(db, long, longWidths, tenantId, watch);
      return units === 'busy' ? writes || 'busy' : writes + units;
    },
    waiting: selectWaiting,
  };
}

/**
 * Which of the oldest short and long writes of each tenant are due. A short write waits for an older long one only if that is small; a long one
 * waits for older short ones. Pure.
 */
export function dueOf(heads: readonly Head[], isKnown: (head: Head) => boolean): Due {
  const byTenant = new Map<number, Head[]>();
  for (const head of heads) byTenant.set(head.tenantId, [...(byTenant.get(head.tenantId) ?? []), head]);
  const tenants: number[] = [];
  let nextInMs: number | undefined;
  for (const [tenantId, own] of byTenant) {
    const waits = own.filter((head) => isFirst(head, own) && isKnown(head)).map((head) => head.waitMs);
    if (waits.length === 0) continue;
    const wait = Math.min(...waits);
    if (wait <= 0) tenants.push(tenantId);
    else nextInMs = Math.min(nextInMs ?? wait, wait);
  }
  return { tenants, nextInMs };
}

function isFirst(head: Head, own: readonly Head[]): boolean {
  return own.every((other) => other.seq >= head.seq || (!head.isLong && !isSmall(other.items)));
}

/** One turn of a tenant, for callers without a loop. */
export async function serveTenant(db: Background, appliers: Appliers, tenantId: number): Promise<number | 'busy'> {
  const queue = writeQueue(db, appliers);
  await queue.due();
  return queue.serve(tenantId, unwatched, new AbortController().signal);
}
