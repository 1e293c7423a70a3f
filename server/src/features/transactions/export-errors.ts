import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../../db/database.js';
import { notFound } from '../../http/api-error.js';
import type { Caller } from '../../http/endpoint.js';
import { csvLine } from '../../lib/csv.js';
import { parseTransactionId } from '../../lib/ids.js';
import { findTransaction, selectFailuresAfter } from './queries.js';

const pageSize = 1000;

/** Failed items as a file. Outside /v1 and /v2, because it is not JSON; guarded as they are. */
export function installExports(http: FastifyInstance, db: Database): void {
  const config = { area: 'api', pattern: '/exports/transactions/{transactionId}/errors' } as const;
  http.get('/exports/transactions/:transactionId/errors', { config }, async (request, reply) => {
    const { tenantId } = request.caller as Caller;
    const { transactionId } = request.params as { transactionId: string };
    const uuid = parseTransactionId(tenantId, transactionId);
    if (uuid === undefined || !(await findTransaction(db, tenantId, uuid))) throw notFound('transaction');
    reply.headers({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="errors-${transactionId}.csv"`,
      'cache-control': 'no-store',
    });
    return reply.send(Readable.from(errorLines(db, tenantId, uuid)));
  });
}

/** A page at a time: a reader that is slow holds one page, not the file. */
async function* errorLines(db: Database, tenantId: number, uuid: string): AsyncGenerator<string> {
  yield csvLine(['row', 'email', 'error']);
  for (let after = -1; ; ) {
    const failures = await selectFailuresAfter(db, tenantId, uuid, after, pageSize);
    const last = failures.at(-1);
    if (!last) return;
    // Items count from 0, rows of a file from 1.
    yield failures.map(({ item, email, error }) => csvLine([item + 1, email, error])).join('');
    after = last.item;
  }
}
