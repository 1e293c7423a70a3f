// /operator: what waits to be done, as a page. Without scripts and cookies: each look sends the admin token again.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../../db/database.js';
import type { Guard } from '../../http/guard.js';
import { html, type Page, sendPage } from '../../http/page.js';
import type { Served } from '../../http/paths.js';
import type { Clock } from '../../lib/clock.js';
import type { Queue } from '../../work/queue.js';
import { selectTenantNames } from '../tenants/index.js';
import { administration, listWaiting, type WaitingRow } from './list-waiting.js';

interface PageNeeds {
  db: Database;
  queues: readonly Queue[];
  clock: Clock;
  guard: Guard;
}

const path = '/operator';
export const operatorPaths: readonly Served[] = [
  { method: 'GET', path },
  { method: 'POST', path },
];

// A person would not read more; /admin/work has all.
const mostShown = 200;

export function installOperatorPage(http: FastifyInstance, needs: PageNeeds): void {
  http.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 4096 },
      (_request, body, done) => done(null, body),
    );
    const config = { area: 'open', pattern: path } as const;
    scope.get(path, { config }, (_request, reply) => sendPage(reply, 200, question()));
    scope.post(path, { config }, (request, reply) => answer(needs, request, reply));
  });
}

async function answer(needs: PageNeeds, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const token = new URLSearchParams(String(request.body ?? '')).get('token')?.trim() ?? '';
  const verdict = await needs.guard(`Bearer ${token}`, 'READ', request.ip);
  if (!('caller' in verdict)) {
    const { status, headers } = verdict;
    const bad =
      status === 429 ? 'Too many wrong tokens. Wait a moment, then try again.' : 'This is not the admin token.';
    return sendPage(reply.headers(headers), status, question(bad));
  }
  const { db, queues, clock } = needs;
  const rows = await listWaiting(db.slow(administration), queues);
  const shown = rows.slice(0, mostShown);
  const names = await selectTenantNames(db, [...new Set(shown.map(({ tenantId }) => tenantId))]);
  return sendPage(reply, 200, overview(shown, rows.length, names, token, clock.now()));
}

function question(bad?: string): Page {
  return {
    ...{ title: 'Waiting work', bad },
    body: html`<p>The token is in <code>admin-token</code> in the data folder, or in <code>ADMIN_TOKEN</code>.</p>
<form method="post" action="${path}"><div class="field"><label for="token">Admin token</label>
<input id="token" name="token" type="password" autocomplete="off" required></div>
<button type="submit">Show</button></form>`,
  };
}

function overview(
  rows: readonly WaitingRow[],
  total: number,
  names: ReadonlyMap<number, string>,
  token: string,
  now: Date,
): Page {
  const list = html`<ul class="rows">${rows.map((row) => item(row, names.get(row.tenantId), now))}</ul>`;
  const more =
    total > rows.length && html`<p>And ${total - rows.length} more rows: see <code>GET /admin/work</code>.</p>`;
  return {
    ...{ title: 'Waiting work', isWide: true },
    body: html`<p>As of ${now.toISOString().slice(0, 19).replace('T', ' ')} UTC, by tenant and kind, longest wait first.</p>
${rows.length === 0 ? html`<p><strong>Nothing is waiting.</strong></p>` : list}${more}
<form method="post" action="${path}"><input type="hidden" name="token" value="${token}">
<button type="submit">Refresh</button></form>`,
  };
}

function item(
  { tenantId, queue, kind, waiting, since, attempts, lastError, dueAt }: WaitingRow,
  name: string | undefined,
  now: Date,
) {
  const failed =
    attempts > 0 &&
    html` The oldest failed ${attempts === 1 ? 'once' : `${attempts} times`}${lastError && html`: ${lastError}`}.`;
  const due = dueAt !== null && html` It will be retried at ${dueAt.slice(11, 19)} UTC.`;
  return html`<li><strong>${waiting.toLocaleString('en')} × ${kind}</strong> (${queue}) of ${name ?? 'a deleted tenant'} (${tenantId}), for ${ageOf(since, now)}.${failed}${due}</li>
`;
}

function ageOf(since: string, now: Date): string {
  const seconds = Math.max(0, Math.round((now.getTime() - Date.parse(since)) / 1000));
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}
