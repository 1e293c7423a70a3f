import type { Things } from './tenant-things.js';

type Case = ((of: Things, own: Things) => { path?: Record<string, string>; body?: unknown })[];

const onBroadcast: Case = [(of) => ({ path: { id: of.broadcastId } })];
const onScheduled: Case = [(of) => ({ path: { id: of.scheduledId } })];

/** Requests about broadcasts: see route-cases.ts. */
export const broadcastCases: Record<string, Case> = {
  listBroadcasts: [],
  listStatsBroadcasts: [],
  createBroadcast: [
    (of) => ({ body: { name: 'x', emailId: of.emailId } }),
    (of) => ({ body: { name: 'x', audience: { staticListId: of.listId } } }),
    (of) => ({ body: { name: 'x', audience: { dynamicListId: of.dynamicListId } } }),
    (of) => ({ body: { name: 'x', audience: { filter: { staticListId: of.listId } } } }),
  ],
  getBroadcast: onBroadcast,
  updateBroadcast: [
    (of) => ({ path: { id: of.broadcastId }, body: { name: 'x' } }),
    (of, own) => ({ path: { id: own.broadcastId }, body: { emailId: of.emailId } }),
    (of, own) => ({ path: { id: own.broadcastId }, body: { audience: { staticListId: of.listId } } }),
  ],
  deleteBroadcast: onBroadcast,
  reachBroadcast: onBroadcast,
  sendBroadcast: onBroadcast,
  pauseBroadcast: onScheduled,
  resumeBroadcast: onScheduled,
  cancelBroadcast: onScheduled,
};
