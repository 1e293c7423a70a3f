// Statistics as CSV. Outside /v1 and /v2 because it is not JSON, but guarded like them, with the parameters of the JSON reads.
import { Readable } from 'node:stream';
import { choice, type Params, paging } from '@rapport/contract';
import type { FastifyInstance } from 'fastify';
import type { Caller } from '../../../http/endpoint.js';
import type { Served } from '../../../http/paths.js';
import { queryReader } from '../../../http/query.js';
import { csvLine } from '../../../lib/csv.js';
import { actorOf, recordAudit } from '../../audit/index.js';
import { fileName } from './file-name.js';
import { type Sheet, type SheetNeeds, type SheetRow, sheets } from './sheets.js';
import { titlesOf } from './titles.js';

const patternOf = ({ path }: Sheet) => `/exports/stats${path}`;

export const exportPaths: Served[] = sheets.map((sheet) => ({ method: 'GET', path: patternOf(sheet) }));

// Programs read columns by their names in the API, people by the titles on the pages.
const headers = choice(
  ['names', 'titles'],
  'The header row: the names of the fields, or their titles as in the console.',
);

export function installStatsExports(http: FastifyInstance, needs: SheetNeeds): void {
  for (const sheet of sheets) {
    const pattern = patternOf(sheet);
    const readQuery = queryReader(
      { ...withoutPages(sheet.route.query ?? {}), headers },
      sheet.route.snakeCase ?? false,
    );
    http.get(pattern.replace('{id}', ':id'), { config: { area: 'api', pattern } }, async (request, reply) => {
      const caller = request.caller as Caller;
      const { id = '' } = request.params as { id?: string };
      const at = request.url.indexOf('?');
      const query = readQuery(at < 0 ? '' : request.url.slice(at + 1));
      const window = sheet.window(needs, query);
      const rows = await sheet.read(needs, caller.tenantId, id, query);
      await recordAudit(
        needs.db,
        actorOf({ caller, address: request.ip }),
        'report.exported',
        sheet.name,
        id === '' ? {} : { id },
      );
      // The id has been validated by now.
      const file = fileName([sheet.file ?? sheet.name, ...(id === '' ? [] : [id])].join('-'), window);
      reply.headers({
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="${file}"`,
        'cache-control': 'no-store',
      });
      const titles = query.headers === 'titles' ? titlesOf(sheet) : sheet.columns;
      return reply.send(Readable.from(linesOf(titles, sheet.columns, rows)));
    });
  }
}

/** A file has all rows. */
function withoutPages(params: Params): Params {
  return Object.fromEntries(Object.entries(params).filter(([name]) => !Object.hasOwn(paging, name)));
}

const linesAtOnce = 1000;

/** A few lines at a time, so that a slow reader does not hold a second copy of everything. */
function* linesOf(titles: readonly string[], columns: readonly string[], rows: readonly SheetRow[]): Generator<string> {
  yield csvLine(titles);
  for (let from = 0; from < rows.length; from += linesAtOnce)
    yield rows
      .slice(from, from + linesAtOnce)
      .map((row) => csvLine(columns.map((name) => row[name] ?? null)))
      .join('');
}
