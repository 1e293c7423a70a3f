import * as contract from '@rapport/contract';
import type { Database } from '../../db/database.js';
import { type Endpoint, endpoint, offsetOf } from '../../http/endpoint.js';
import type { Queue } from '../../work/queue.js';
import { listWaiting } from './list-waiting.js';

export function operationEndpoints(db: Database, queues: readonly Queue[]): Endpoint[] {
  return [
    endpoint(contract.listWork, async ({ query }) => {
      const all = await listWaiting(db.background, queues);
      const offset = offsetOf(query);
      return { rows: all.slice(offset, offset + query.pageSize), total: all.length };
    }),
  ];
}
