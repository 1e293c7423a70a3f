// The page behind a link that ends some mail: a button, because programs that look at mail follow every link before people do.
import type { FastifyReply } from 'fastify';
import type { Database } from '../../../db/database.js';
import { html, sendPage } from '../../../http/page.js';
import { pagesOf, queryOf } from '../forms.js';
import { findReader } from './queries.js';
import type { StopLinks } from './stop-links.js';

interface StopWords {
  /** What the button does: `Stop the weekly summary`. */
  stop: string;
  /** `No more weekly summaries`, before whose and to whom. */
  noMore: string;
  /** `The weekly summary has ended`. */
  ended: string;
  /** Where it is switched on: a page of the console and its name. */
  place: { path: string; name: string };
}

/** @param drop switches it off for an account. */
export function stopPages(
  db: Database,
  links: StopLinks,
  words: StopWords,
  drop: (tenantId: number, accountId: number) => Promise<void>,
) {
  const { stop, noMore, ended, place } = words;
  const there = html`<a href="${place.path}">${place.name}</a>`;
  const sendUnknown = (reply: FastifyReply) =>
    sendPage(reply, 404, {
      title: 'This link doesn’t work',
      body: html`<p>It is incomplete, or its account no longer exists. You can choose which emails you get in ${there}.</p>`,
    });
  return pagesOf({
    [`GET ${links.path}` as const]: async (request, reply) => {
      const token = queryOf(request).get('token');
      const whose = links.whose(token);
      const reader = whose && (await findReader(db, whose.tenantId, whose.accountId));
      if (!reader) return sendUnknown(reply);
      return sendPage(reply, 200, {
        title: stop,
        body: html`<p>${noMore} of <strong>${reader.workspace}</strong> to ${reader.address}.</p>
<form method="post" action="${links.path}">
<input type="hidden" name="token" value="${token}">
<button type="submit">${stop}</button>
</form>`,
      });
    },
    [`POST ${links.path}` as const]: async (_request, reply, { token }) => {
      const whose = links.whose(token);
      if (!whose) return sendUnknown(reply);
      await drop(whose.tenantId, whose.accountId);
      return sendPage(reply, 200, {
        title: ended,
        body: html`<p>You won’t get them anymore. You can turn them on again in ${there}.</p>`,
      });
    },
  });
}
