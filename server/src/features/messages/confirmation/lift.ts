import type { Transaction } from '../../../db/database.js';
import type { Acknowledger } from '../../transactions/index.js';
import { fateWrite } from '../fates/fate.js';
import { deleteSuppression } from '../suppressions/queries.js';

/** A confirmation lifts an unsubscription from everything. The contact's property follows through the queue. Other suppressions stay. */
export async function liftUnsubscribed(
  tx: Transaction,
  acknowledger: Acknowledger,
  tenantId: number,
  { email, hash }: { email: string; hash: string },
): Promise<void> {
  if (!(await deleteSuppression(tx, tenantId, hash, 'unsubscribed'))) return;
  await acknowledger.enqueue(tx, [fateWrite(tenantId, [{ what: 'settled', email }])]);
}
