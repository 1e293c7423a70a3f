import type { Runner } from '../../db/database.js';
import { formatTransactionId, parseTransactionId } from '../../lib/ids.js';
import { parseJson } from '../../lib/parse-json.js';
import type { Present, PresentedWrite } from './appliers.js';
import { findTransaction } from './queries.js';

/** The part of a poll's response that every kind of write has. */
type Polled<Shown> =
  | { transactionId: string; status: 'NOT_EXIST' }
  | ({ transactionId: string; status: PresentedWrite['status']; createdAt: string } & Shown);

/**
 * The response to a poll. An unknown id is not an error: it is `NOT_EXIST`. So is a write of a kind that `presentOf` does not know, because it is
 * polled elsewhere.
 */
export async function readTransaction<Shown extends object>(
  db: Runner,
  tenantId: number,
  transactionId: string,
  presentOf: (kind: string) => Present<Shown> | undefined,
): Promise<Polled<Shown>> {
  const uuid = parseTransactionId(tenantId, transactionId);
  const row = uuid === undefined ? undefined : await findTransaction(db, tenantId, uuid);
  const present = row && presentOf(row.kind);
  if (!present) return { transactionId, status: 'NOT_EXIST' };
  const results = row.results === null ? null : parseJson(row.results);
  const shown = await present(db, tenantId, { ...row, results });
  const { status, createdAt } = row;
  return { transactionId: formatTransactionId(tenantId, row.uuid), status, createdAt, ...shown };
}
