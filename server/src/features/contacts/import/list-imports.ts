// Lists the files that were uploaded, with their progress and results: read from their transactions, for as long as those are kept.
import type { ContactImport } from '@rapport/contract';
import type { Static } from 'typebox';
import type { Database } from '../../../db/database.js';
import type { Page, PageOf } from '../../../db/paged.js';
import { notFound } from '../../../http/api-error.js';
import { formatTransactionId, parseTransactionId } from '../../../lib/ids.js';
import { selectAccountNames } from '../../tenants/index.js';
import { findTransaction, listTransactions, type TransactionRow } from '../../transactions/index.js';
import { readProgress } from './progress.js';
import { importKind, isImport } from './queries.js';

type Shown = Static<typeof ContactImport>;

export async function listImports(db: Database, tenantId: number, page: PageOf): Promise<Page<Shown>> {
  const { rows, total } = await listTransactions(db, tenantId, isImport, page);
  return { rows: await show(db, tenantId, rows), total };
}

export async function getImport(db: Database, tenantId: number, transactionId: string): Promise<Shown> {
  const uuid = parseTransactionId(tenantId, transactionId);
  const row = uuid === undefined ? undefined : await findTransaction(db, tenantId, uuid);
  if (row?.kind !== importKind) throw notFound('import');
  return (await show(db, tenantId, [row]))[0] as Shown;
}

async function show(db: Database, tenantId: number, rows: readonly TransactionRow[]): Promise<Shown[]> {
  const read = rows.map((row) => ({ row, file: readProgress(row) }));
  const ids = read.flatMap(({ file }) => file.accountId ?? []);
  const names = await selectAccountNames(db, tenantId, [...new Set(ids)]);
  return read.map(({ row, file: { done, counts, kept, ignored, columns, plan, fileName, accountId } }): Shown => {
    const transactionId = formatTransactionId(tenantId, row.uuid);
    const errors = `/exports/transactions/${transactionId}/errors${columns ? '' : '?format=ndjson'}`;
    return {
      ...{ transactionId, status: row.status, format: columns ? 'csv' : 'ndjson', fileName: fileName ?? null },
      createdBy: accountId === undefined ? null : { accountId, name: names.get(accountId) ?? '' },
      ...{ createdAt: row.createdAt, doneAt: row.finishedAt, progress: { done, total: row.items }, counts },
      ...(kept ? { kept } : {}),
      ...(plan === undefined ? {} : { columns: plan }),
      ignoredProperties: ignored,
      errorsPath: counts.FAILED > 0 ? errors : null,
    };
  });
}
