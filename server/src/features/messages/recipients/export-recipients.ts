// The people of an email as CSV, however many. Outside /v1 and /v2 because it is not JSON, but guarded like them.
import { Readable } from 'node:stream';
import { type ParamValues, recipientParams } from '@rapport/contract';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../../../db/database.js';
import type { Caller } from '../../../http/endpoint.js';
import type { Served } from '../../../http/paths.js';
import { queryReader } from '../../../http/query.js';
import { csvLine } from '../../../lib/csv.js';
import { actorOf, recordAudit } from '../../audit/index.js';
import { getEmailName } from '../../emails/index.js';
import { readRecipients, type Wanted } from './list-recipients.js';
import type { Place } from './queries.js';

const pattern = '/exports/emails/{id}/recipients';
export const recipientExport: Served = { method: 'GET', path: pattern };

const columns = [
  ...(['email', 'firstName', 'lastName', 'state', 'reason', 'sentAt', 'deliveredAt', 'firstOpenedAt'] as const),
  ...(['firstClickedAt', 'bouncedAt', 'queuedAt', 'language', 'contactId', 'messageId', 'journeyId'] as const),
];

export function installRecipientExport(http: FastifyInstance, db: Database): void {
  const readQuery = queryReader(recipientParams, true);
  http.get(pattern.replace('{id}', ':id'), { config: { area: 'api', pattern } }, async (request, reply) => {
    const caller = request.caller as Caller;
    const { id = '' } = request.params as { id?: string };
    const at = request.url.indexOf('?');
    const wanted = readQuery(at < 0 ? '' : request.url.slice(at + 1)) as ParamValues<typeof recipientParams>;
    await getEmailName(db, caller.tenantId, id);
    // Before the first byte, so that a download that breaks off is recorded too. A search may contain a name and is not kept.
    const which = { id, group: wanted.group, hasSearch: wanted.search !== undefined };
    await recordAudit(db, actorOf({ caller, address: request.ip }), 'report.exported', 'recipients', which);
    reply.headers({
      'content-type': 'text/csv; charset=utf-8',
      // The id has been validated by now.
      'content-disposition': `attachment; filename="recipients-${wanted.group ?? 'all'}-${id}.csv"`,
      'cache-control': 'no-store',
    });
    return reply.send(Readable.from(linesOf(db, caller.tenantId, id, wanted)));
  });
}

// Rows a statement: about 600 KB, in a few milliseconds from an index.
const atOnce = 2000;

/** Only the place is kept between two reads, so a slow download blocks nothing. */
async function* linesOf(db: Database, tenantId: number, emailId: string, wanted: Wanted): AsyncGenerator<string> {
  yield csvLine([...columns]);
  for (let after: Place | undefined; ; ) {
    const { rows, next } = await readRecipients(db, tenantId, { ...wanted, emailId, after, limit: atOnce });
    yield rows.map((row) => csvLine(columns.map((name) => row[name]))).join('');
    if (!next) return;
    after = next;
  }
}
