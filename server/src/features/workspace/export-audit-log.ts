// The audit log as CSV: every entry that matches, newest first. Outside /v2 because it is not JSON, and for admins like the log itself.
import { Readable } from 'node:stream';
import { listAuditLog, type Params, type ParamValues } from '@rapport/contract';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../../db/database.js';
import type { Caller } from '../../http/endpoint.js';
import type { Served } from '../../http/paths.js';
import { queryReader } from '../../http/query.js';
import { csvLine } from '../../lib/csv.js';
import { recordAudit } from '../audit/index.js';
import { filterOf } from './audit-log.js';
import { actorOf } from './needs.js';
import { type EntryFilter, type EntryRow, selectEntriesBefore } from './queries.js';
import { nameSubjects } from './subject-names.js';

const path = '/exports/audit-log';
export const auditExportPath: Served = { method: 'GET', path };

/** Those of the log, without pages. */
const { action, accountId, from, to } = listAuditLog.query;
const params = { action, accountId, from, to } satisfies Params;

export function installAuditExport(http: FastifyInstance, db: Database): void {
  const readQuery = queryReader(params, false);
  http.get(path, { config: { area: 'api', pattern: path, adminOnly: true } }, async (request, reply) => {
    const caller = request.caller as Caller;
    const at = request.url.indexOf('?');
    const query = readQuery(at < 0 ? '' : request.url.slice(at + 1)) as ParamValues<typeof params>;
    // Before the first byte, so that a download that breaks off is recorded too.
    await recordAudit(db, actorOf({ caller, address: request.ip }), 'report.exported', 'audit-log', { ...query });
    reply.headers({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="audit-log.csv"',
      'cache-control': 'no-store',
    });
    return reply.send(Readable.from(linesOf(db, caller.tenantId, filterOf(query))));
  });
}

const columns = [
  ...['entryNo', 'at', 'accountId', 'account', 'action', 'subject', 'subjectName', 'address', 'detail', 'hash'],
];
const atOnce = 500;

/** Only the position is kept between two reads, so a slow download blocks nothing. */
async function* linesOf(db: Database, tenantId: number, filter: EntryFilter): AsyncGenerator<string> {
  yield csvLine(columns);
  for (let before: number | null = null; ; ) {
    const rows: EntryRow[] = await selectEntriesBefore(db.slow(tenantId), tenantId, filter, before, atOnce);
    const names = await nameSubjects(db, tenantId, rows);
    yield rows.map((row, i) => lineOf(row, names[i] ?? null)).join('');
    before = rows.at(-1)?.entryNo ?? null;
    if (before === null || rows.length < atOnce) return;
  }
}

function lineOf(
  { entryNo, at, accountId: who, accountName, hash, ...row }: EntryRow,
  subjectName: string | null,
): string {
  return csvLine([entryNo, at, who, accountName, row.action, row.subject, subjectName, row.address, row.detail, hash]);
}
