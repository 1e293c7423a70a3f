import { formatTransactionId } from '../../lib/ids.js';
import type { NewWrite } from './queries.js';

/** What the sender of a write is told. It says PENDING even if the write has been applied by then: a poll tells. */
export interface Acknowledgement {
  transactionId: string;
  status: 'PENDING';
  createdAt: string;
}

export function toAcknowledgement(
  { tenantId, uuid }: Pick<NewWrite, 'tenantId' | 'uuid'>,
  createdAt: string,
): Acknowledgement {
  return { transactionId: formatTransactionId(tenantId, uuid), status: 'PENDING', createdAt };
}
