// Exports contacts as CSV: all of them, the members of a list, or those that match a search or filter. Served outside /v1 and /v2
// because it is not JSON, but guarded in the same way.
import { Readable } from 'node:stream';
import { filterParam, type Param, type Params, type ParamValues, search } from '@rapport/contract';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../../../db/database.js';
import type { Caller } from '../../../http/endpoint.js';
import type { Served } from '../../../http/paths.js';
import { queryReader } from '../../../http/query.js';
import { csvLine } from '../../../lib/csv.js';
import { foldCase } from '../../../lib/text.js';
import { actorOf, recordAudit } from '../../audit/index.js';
import type { ContactFilter, ContactSelection } from '../list-contacts.js';
import { selectContactsInOrder } from '../queries.js';
import { type ContactIds, inBoth } from '../search/queries.js';
import { type Column, columnsOf } from './columns.js';
import { selectFound, selectIdsBefore } from './queries.js';

const text = (description: string, emptyIsAbsent: boolean) =>
  ({ kind: 'text', emptyIsAbsent, repeatable: false, description }) as const satisfies Param;
const params = {
  search,
  filter: filterParam,
  listId: text('Members of a static list.', false),
  dynamicListId: text('Members of a dynamic list.', false),
  columns: text('Names of columns, with commas between.', true),
} satisfies Params;

const path = '/exports/contacts';
export const exportPath: Served = { method: 'GET', path };

export function installContactSheet(http: FastifyInstance, db: Database, selection: ContactSelection): void {
  const readQuery = queryReader(params, true);
  http.get(path, { config: { area: 'api', pattern: path } }, async (request, reply) => {
    const caller = request.caller as Caller;
    const { tenantId } = caller;
    const at = request.url.indexOf('?');
    const query = readQuery(at < 0 ? '' : request.url.slice(at + 1)) as ParamValues<typeof params>;
    const wanted = await readWanted(selection, tenantId, query);
    const columns = await columnsOf(db, tenantId, query.columns);
    // Audited before the first byte is sent, so a download that breaks off is recorded too. Searches and filters may contain names and
    // are not kept.
    const { listId, dynamicListId } = query;
    const which = {
      listId,
      dynamicListId,
      hasFilter: query.filter !== undefined,
      hasSearch: query.search !== undefined,
    };
    await recordAudit(db, actorOf({ caller, address: request.ip }), 'report.exported', 'contacts', which);
    reply.headers({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="contacts.csv"',
      'cache-control': 'no-store',
    });
    return reply.send(Readable.from(linesOf(db, tenantId, wanted, columns)));
  });
}

interface Wanted {
  members: ContactIds | undefined;
  folded: string | undefined;
  filter: ContactFilter | undefined;
}

async function readWanted(
  { readFilter, membersOf }: ContactSelection,
  tenantId: number,
  query: ParamValues<typeof params>,
): Promise<Wanted> {
  const filter = query.filter === undefined ? undefined : await readFilter(tenantId, query.filter);
  const { listId, dynamicListId } = query;
  const ofStatic = listId === undefined ? undefined : await membersOf(tenantId, { staticListId: listId });
  const ofDynamic = dynamicListId === undefined ? undefined : await membersOf(tenantId, { dynamicListId });
  return {
    members: ofStatic && ofDynamic ? inBoth(ofStatic, ofDynamic) : (ofStatic ?? ofDynamic),
    folded: query.search === undefined ? undefined : foldCase(query.search),
    filter,
  };
}

// Contacts read per statement. The limit keeps each statement short, however many contacts there are.
const atOnce = 2000;
// Rows per write. A row may have 32 KiB, so a slow client makes us hold 6 MB at most.
const rowsAtOnce = 200;

/** Newest first. Only the position is kept between two reads, so a slow download blocks nothing. */
async function* linesOf(
  db: Database,
  tenantId: number,
  wanted: Wanted,
  columns: readonly Column[],
): AsyncGenerator<string> {
  yield csvLine(columns.map(({ name }) => name));
  for (let before: string | undefined; ; ) {
    const ids = await selectIdsBefore(db.slow(tenantId), tenantId, wanted.members, before, atOnce);
    const kept = await keep(db, tenantId, ids, wanted);
    for (let from = 0; from < kept.length; from += rowsAtOnce) {
      const part = kept.slice(from, from + rowsAtOnce);
      const rows = await selectContactsInOrder(db.bulky(tenantId), tenantId, part);
      yield rows.map((row) => csvLine(columns.map(({ cellOf }) => cellOf(row)))).join('');
    }
    // An empty chunk, because only a yield notices that the client has gone.
    if (kept.length === 0) yield '';
    before = ids.at(-1);
    if (before === undefined || ids.length < atOnce) return;
  }
}

async function keep(
  db: Database,
  tenantId: number,
  ids: readonly string[],
  { folded, filter }: Wanted,
): Promise<readonly string[]> {
  let kept = ids;
  if (folded !== undefined && kept.length > 0) {
    const found = await selectFound(db.slow(tenantId), tenantId, kept, folded);
    kept = kept.filter((id) => found.has(id));
  }
  if (filter && kept.length > 0) {
    const meant = await filter.among(db.slow(tenantId), kept);
    kept = kept.filter((id) => meant.has(id));
  }
  return kept;
}
