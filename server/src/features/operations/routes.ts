import * as contract from '@rapport/contract';
import type { Database } from '../../db/database.js';
import { type Endpoint, endpoint, pageOf } from '../../http/endpoint.js';
import type { Queue } from '../../work/queue.js';
import { administration, listWaiting } from './list-waiting.js';

export function operationEndpoints(db: Database, queues: readonly Queue[]): Endpoint[] {
  return [
    endpoint(contract.listWork, async ({ query }) => {
      const all = await listWaiting(db.slow(administration), queues);
      const { limit, offset } = pageOf(query);
      return { rows: all.slice(offset, offset + limit), total: all.length };
    }),
  ];
}
