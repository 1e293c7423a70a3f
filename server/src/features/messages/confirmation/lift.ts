import type { Transaction } from '../../../db/database.js';
import type { Acknowledger } from '../../transactions/index.js';
import { fateWrite } from '../fates/fate.js';
import { deleteSuppression } from '../suppressions/queries.js';

/** Who confirms takes back that they left everything. The property of the contact follows by the queue. Other suppressions stay. */
export async function liftUnsubscribed(
  tx: Transaction,
  acknowledger: Acknowledger,
  tenantId: number,
  { email, hash }: { email: string; hash: string },
): Promise<void> {
  if (!(await deleteSuppression(tx, tenantId, hash, 'unsubscribed'))) return;
  await acknowledger.enqueue(tx, [fateWrite(tenantId, [{ what: 'settled', email }])]);
}
