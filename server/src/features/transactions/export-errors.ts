import { Readable } from 'node:stream';
import { choice } from '@rapport/contract';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../../db/database.js';
import { invalid, notFound } from '../../http/api-error.js';
import type { Caller } from '../../http/endpoint.js';
import { queryReader } from '../../http/query.js';
import { csvLine } from '../../lib/csv.js';
import { parseTransactionId } from '../../lib/ids.js';
import { parseJson } from '../../lib/parse-json.js';
import { actorOf, recordAudit } from '../audit/index.js';
import type { Appliers } from './appliers.js';
import { type FailedRow, selectFailuresAfter } from './outcomes/queries.js';
import { findTransaction } from './queries.js';

const pageSize = 1000;
const formats = choice(['csv', 'ndjson'], 'The form of the file: of JSON lines, where those were imported.');

/** Failed items as a file. Outside /v1 and /v2 because it is not JSON, but guarded like them. */
export function installExports(http: FastifyInstance, db: Database, appliers: Appliers): void {
  const config = { area: 'api', pattern: '/exports/transactions/{transactionId}/errors' } as const;
  const readQuery = queryReader({ format: formats }, false);
  http.get('/exports/transactions/:transactionId/errors', { config }, async (request, reply) => {
    const caller = request.caller as Caller;
    const { tenantId } = caller;
    const { transactionId } = request.params as { transactionId: string };
    const at = request.url.indexOf('?');
    const { format = 'csv' } = readQuery(at < 0 ? '' : request.url.slice(at + 1));
    const uuid = parseTransactionId(tenantId, transactionId);
    const write = uuid === undefined ? undefined : await findTransaction(db, tenantId, uuid);
    if (uuid === undefined || !write) throw notFound('transaction');
    if (format === 'ndjson' && !appliers.isOfLines(write))
      throw invalid('format', 'can be ndjson only for a file of JSON lines that was imported');
    const columns = appliers.columnsOf(write);
    await recordAudit(db, actorOf({ caller, address: request.ip }), 'report.exported', 'transaction-errors', {
      transactionId,
    });
    reply.headers({
      'content-type': `${format === 'csv' ? 'text/csv' : 'application/x-ndjson'}; charset=utf-8`,
      'content-disposition': `attachment; filename="errors-${transactionId}.${format}"`,
      'cache-control': 'no-store',
    });
    const form = format === 'ndjson' ? jsonLines : columns ? sheetOf(columns) : shortSheet;
    return reply.send(Readable.from(errorLines(db, tenantId, uuid, form)));
  });
}

interface Form {
  header: string;
  lineOf(failed: FailedRow): string;
}

/** For a CSV file, its own columns and the error, so that it can be corrected and sent again. */
function sheetOf(columns: readonly string[]): Form {
  const nothing = columns.map(() => '');
  return {
    header: csvLine([...columns, '_error']),
    lineOf: ({ item, row, error, original }) => {
      const cells = original === null ? nothing : (parseJson(original) as string[]);
      // For failures stored before rows were kept: items count from 0, and the header is row 1.
      return csvLine([...cells, `row ${row ?? item + 2}: ${error}`]);
    },
  };
}

const shortSheet: Form = {
  header: csvLine(['row', 'email', 'error']),
  lineOf: ({ item, row, email, error }) => csvLine([row ?? item + 1, email, error]),
};

/** For NDJSON, the original lines: no spreadsheet touches them, and numbers keep every digit. */
const jsonLines: Form = {
  header: '',
  lineOf: ({ item, row, error, original }) => {
    const told = `{"_error":${JSON.stringify(`line ${row ?? item + 1}: ${error}`)}`;
    if (original === null) return `${told}}\n`;
    if (!original.startsWith('{')) return `${told},"_line":${original}}\n`;
    const rest = withoutError(original).slice(1).trimStart();
    return `${told}${rest.startsWith('}') ? '' : ','}${rest}\n`;
  },
};

const toldBefore = /^\{"_error":"(?:[^"\\]|\\.)*",?/;

/** Drops the error of an earlier export: it comes first, unless a tool moved it. */
function withoutError(line: string): string {
  const bare = line.replace(toldBefore, '{');
  if (!bare.includes('"_error"')) return bare;
  const { _error, ...item } = parseJson(bare) as Record<string, unknown>;
  return _error === undefined ? bare : JSON.stringify(item);
}

/** A page at a time: for a slow reader we hold one page, not the file. */
async function* errorLines(db: Database, tenantId: number, uuid: string, form: Form): AsyncGenerator<string> {
  if (form.header) yield form.header;
  for (let after = -1; ; ) {
    const failures = await selectFailuresAfter(db, tenantId, uuid, after, pageSize);
    const last = failures.at(-1);
    if (!last) return;
    yield failures.map(form.lineOf).join('');
    after = last.item;
  }
}
