// Which files came, how far each is, and what became of its rows: told from their transactions, for as long as those are kept.
import type { ContactImport } from '@rapport/contract';
import type { Static } from 'typebox';
import type { Database } from '../../../db/database.js';
import type { Page, PageOf } from '../../../db/paged.js';
import { notFound } from '../../../http/api-error.js';
import { formatTransactionId, parseTransactionId } from '../../../lib/ids.js';
import { findTransaction, listTransactions, type TransactionRow } from '../../transactions/index.js';
import { readProgress } from './progress.js';
import { importKind, isImport } from './queries.js';

type Shown = Static<typeof ContactImport>;

export async function listImports(db: Database, tenantId: number, page: PageOf): Promise<Page<Shown>> {
  const { rows, total } = await listTransactions(db, tenantId, isImport, page);
  return { rows: rows.map((row) => show(tenantId, row)), total };
}

export async function getImport(db: Database, tenantId: number, transactionId: string): Promise<Shown> {
  const uuid = parseTransactionId(tenantId, transactionId);
  const row = uuid === undefined ? undefined : await findTransaction(db, tenantId, uuid);
  if (row?.kind !== importKind) throw notFound('import');
  return show(tenantId, row);
}

function show(tenantId: number, row: TransactionRow): Shown {
  const { done, counts, ignored, columns } = readProgress(row);
  const transactionId = formatTransactionId(tenantId, row.uuid);
  return {
    ...{ transactionId, status: row.status, format: columns ? 'csv' : 'ndjson' },
    ...{ createdAt: row.createdAt, doneAt: row.finishedAt, progress: { done, total: row.items }, counts },
    ignoredProperties: ignored,
    errorsPath: counts.FAILED > 0 ? `/exports/transactions/${transactionId}/errors` : null,
  };
}
