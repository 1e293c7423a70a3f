// Domains, emails, broadcasts and links, a page at a time or all of them.
import type { BroadcastStatsRow, DomainStats, EmailStatsRow, LinkStats } from '@rapport/contract';
import type { Static } from 'typebox';
import type { Database } from '../../../db/database.js';
import type { Page, PageOf } from '../../../db/paged.js';
import type { Window } from '../../../db/tallies.js';
import { isAssetId } from '../../../lib/ids.js';
import { selectEmailNames } from '../../emails/index.js';
import { selectBroadcastsForStats } from '../../journeys/index.js';
import {
  type DomainFigures,
  type LinkFigures,
  pageDomains,
  pageEmails,
  pageJourneys,
  pageLinks,
} from '../../messages/index.js';
import { share, showFigures } from '../figures-shown.js';

type DomainRow = Static<typeof DomainStats>;
type BroadcastRow = Static<typeof BroadcastStatsRow>;
type EmailRow = Static<typeof EmailStatsRow>;
type LinkRow = Static<typeof LinkStats>;

export async function listDomains(
  db: Database,
  tenantId: number,
  window: Window,
  page: PageOf,
): Promise<Page<DomainRow>> {
  const { rows, total } = await pageDomains(db, tenantId, window, page);
  return { rows: rows.map(showDomain), total };
}

function showDomain({ domain, ...counts }: DomainFigures): DomainRow {
  return { domain, ...showFigures(counts), complaintRate: share(counts.complained, counts.delivered) };
}

export async function listEmails(
  db: Database,
  tenantId: number,
  window: Window,
  page: PageOf,
): Promise<Page<EmailRow>> {
  const { rows, total } = await pageEmails(db, tenantId, window, page);
  const ids = rows.map(({ emailId }) => emailId);
  const names = await selectEmailNames(db, tenantId, ids);
  return {
    rows: rows.map(({ emailId, ...counts }) => ({ emailId, name: names.get(emailId) ?? '', ...showFigures(counts) })),
    total,
  };
}

export async function listBroadcasts(
  db: Database,
  tenantId: number,
  window: Window,
  page: PageOf,
): Promise<Page<BroadcastRow>> {
  const begun = await selectBroadcastsForStats(db.slow(tenantId), tenantId, window.to);
  const byId = new Map(begun.map((one) => [one.broadcastId, one]));
  const { rows, total } = await pageJourneys(db, tenantId, [...byId.keys()], window, page);
  return {
    rows: rows.flatMap(({ journeyId, ...counts }) => {
      const one = byId.get(journeyId);
      return one ? [{ ...one, ...showFigures(counts) }] : [];
    }),
    total,
  };
}

/** Only of one email if it is named; an invalid id matches none. */
export async function listLinks(
  db: Database,
  tenantId: number,
  emailId: string | undefined,
  window: Window,
  page: PageOf,
): Promise<Page<LinkRow>> {
  if (emailId !== undefined && !isAssetId(emailId)) return { rows: [], total: 0 };
  const { rows, total } = await pageLinks(db, tenantId, emailId, window, page);
  return { rows: rows.map(showLink), total };
}

function showLink({ url, emailId, clicked, uniqueClicked, machineClicked }: LinkFigures): LinkRow {
  return { url, emailId, clicked, uniqueClicked, machineClicked };
}
