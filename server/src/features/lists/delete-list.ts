import type { Transaction } from '../../db/database.js';
import { ApiError, notFound } from '../../http/api-error.js';
import { isAssetId } from '../../lib/ids.js';
import { forgetSizes } from './growth/queries.js';
import { deleteStaticList, findStaticList } from './queries.js';

/**
 * Says why a list is in use, if it is. Features above register theirs in app.ts. Until the transaction ends, nothing can start to use the
 * list.
 */
export type ListUseCheck = (tx: Transaction, tenantId: number, listId: string) => Promise<string | undefined>;

/**
 * The row is not locked before the checks: a transaction that adds members locks it and then waits for what a check may lock.
 */
export async function deleteList(
  tx: Transaction,
  { tenantId, accountId }: { tenantId: number; accountId: number },
  listId: string,
  uses: readonly ListUseCheck[],
): Promise<void> {
  if (!isAssetId(listId) || !(await findStaticList(tx, tenantId, listId))) throw notFound('list');
  for (const findUse of uses) {
    const reason = await findUse(tx, tenantId, listId);
    if (reason) throw new ApiError('INVALID_STATE', { reason });
  }
  if (!(await deleteStaticList(tx, tenantId, listId, accountId))) throw notFound('list');
  await forgetSizes(tx, tenantId, listId);
}
