import type { Runner } from '../../db/database.js';
import { formatTransactionId, parseTransactionId } from '../../lib/ids.js';
import type { Appliers } from './appliers.js';
import { findTransaction } from './queries.js';

/** What a poll answers. An id that is not there is not an error: it is `NOT_EXIST`. */
export async function readTransaction(
  db: Runner,
  appliers: Appliers,
  tenantId: number,
  transactionId: string,
  kinds?: (kind: string) => boolean,
): Promise<Record<string, unknown> & { transactionId: string; status: string }> {
  const uuid = parseTransactionId(tenantId, transactionId);
  const row = uuid === undefined ? undefined : await findTransaction(db, tenantId, uuid);
  if (!row || (kinds && !kinds(row.kind))) return { transactionId, status: 'NOT_EXIST' };
  const results = row.results === null ? null : JSON.parse(row.results);
  const shown = await appliers.presenterOf(row.kind).present(db, tenantId, { ...row, results });
  const { status, createdAt } = row;
  return { transactionId: formatTransactionId(tenantId, row.uuid), status, createdAt, ...shown };
}
