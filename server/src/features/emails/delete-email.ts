import type { Transaction } from '../../db/database.js';
import { ApiError, notFound } from '../../http/api-error.js';
import { isAssetId } from '../../lib/ids.js';
import { deleteRevisionsTo } from './history/queries.js';
import { lockEmail, markDeleted } from './queries.js';

/** Says why an email is in use, if it is. Features above register theirs in app.ts. */
export type UseCheck = (tx: Transaction, tenantId: number, emailId: string) => Promise<string | undefined>;

export async function deleteEmail(
  tx: Transaction,
  by: { tenantId: number; accountId: number },
  id: string,
  uses: readonly UseCheck[],
): Promise<void> {
  const email = isAssetId(id) ? await lockEmail(tx, by.tenantId, id) : undefined;
  if (!email) throw notFound('email');
  for (const findUse of uses) {
    const reason = await findUse(tx, by.tenantId, id);
    if (reason) throw new ApiError('INVALID_STATE', { reason });
  }
  await markDeleted(tx, by, id);
  // A deleted email cannot be restored, and its history may be most of the space it takes.
  await deleteRevisionsTo(tx, by.tenantId, id, email.revision);
}
