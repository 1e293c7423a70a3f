import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../../db/database.js';
import { notFound } from '../../http/api-error.js';
import type { Caller } from '../../http/endpoint.js';
import { csvLine } from '../../lib/csv.js';
import { parseTransactionId } from '../../lib/ids.js';
import { actorOf, recordAudit } from '../audit/index.js';
import type { Appliers } from './appliers.js';
import { selectFailuresAfter } from './outcomes/queries.js';
import { findTransaction } from './queries.js';

const pageSize = 1000;

/** Failed items as a file. Outside /v1 and /v2, because it is not JSON; guarded as they are. */
export function installExports(http: FastifyInstance, db: Database, appliers: Appliers): void {
  const config = { area: 'api', pattern: '/exports/transactions/{transactionId}/errors' } as const;
  http.get('/exports/transactions/:transactionId/errors', { config }, async (request, reply) => {
    const caller = request.caller as Caller;
    const { tenantId } = caller;
    const { transactionId } = request.params as { transactionId: string };
    const uuid = parseTransactionId(tenantId, transactionId);
    const write = uuid === undefined ? undefined : await findTransaction(db, tenantId, uuid);
    if (uuid === undefined || !write) throw notFound('transaction');
    const columns = appliers.columnsOf(write);
    await recordAudit(db, actorOf({ caller, address: request.ip }), 'report.exported', 'transaction-errors', {
      transactionId,
    });
    reply.headers({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="errors-${transactionId}.csv"`,
      'cache-control': 'no-store',
    });
    return reply.send(Readable.from(errorLines(db, tenantId, uuid, columns)));
  });
}

type Failed = Awaited<ReturnType<typeof selectFailuresAfter>>[number];

/**
 * Of a file, its own columns and what was wrong, so that it can be corrected and sent again. A page at a time: a reader that
 * is slow holds one page, not the file.
 */
async function* errorLines(
  db: Database,
  tenantId: number,
  uuid: string,
  columns: readonly string[] | undefined,
): AsyncGenerator<string> {
  // Items count from 0, rows of a file from 1.
  const lineOf = columns
    ? ({ item, error, cells }: Failed) => csvLine([...(cells ?? columns.map(() => '')), `row ${item + 1}: ${error}`])
    : ({ item, email, error }: Failed) => csvLine([item + 1, email, error]);
  yield csvLine(columns ? [...columns, '_error'] : ['row', 'email', 'error']);
  for (let after = -1; ; ) {
    const failures = await selectFailuresAfter(db, tenantId, uuid, after, pageSize);
    const last = failures.at(-1);
    if (!last) return;
    yield failures.map(lineOf).join('');
    after = last.item;
  }
}
