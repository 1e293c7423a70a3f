import type { EmailStats } from '@rapport/contract';
import type { Static } from 'typebox';
import type { Database } from '../../db/database.js';
import type { Window } from '../../db/tallies.js';
import { getEmailName } from '../emails/index.js';
import { type FigureRow, readFigures } from '../messages/index.js';
import { noCounts, showCounts, showFigures, sumCounts, sumCountsBy } from './figures-shown.js';
import { anyNumber, readAll } from './window.js';

type EmailStatsData = Static<typeof EmailStats>;

const mostLinks = 1000;
const mostParts = 2000;

/** The totals and their breakdown come from one read, so that they agree. */
export async function getEmailStats(
  db: Database,
  tenantId: number,
  emailId: string,
  window: Window,
  interval: 'hour' | 'day',
): Promise<EmailStatsData> {
  const name = await getEmailName(db, tenantId, emailId);
  const asked = [
    { window, subjects: 3, grain: interval },
    // If every recipient has their own link, there are as many links as recipients.
    { window, subjects: anyNumber },
  ];
  const ofLinks = { kind: 'links', emailId, atMost: mostLinks } as const;
  const { rows, links } = await readAll(db, tenantId, asked, async (reader, linkReader) => ({
    rows: await readFigures(reader, tenantId, { kind: 'email', emailId }, window, interval),
    links: await readFigures(linkReader, tenantId, ofLinks, window),
  }));
  const versions = sumCountsBy(rows, ({ version }) => version);
  const [own, personalized] = [versions.get('default') ?? noCounts(), versions.get('personalized') ?? noCounts()];
  return {
    ...{ emailId, name, ...showFigures(sumCounts(rows)) },
    ...{ defaultSent: own.sent, personalizedSent: personalized.sent },
    versions: { default: showFigures(own), personalized: showFigures(personalized) },
    links: showLinks(links),
    series: showSeries(rows),
  };
}

/** In the order of the query: most clicked first. */
function showLinks(rows: readonly FigureRow[]): EmailStatsData['links'] {
  return rows.map(({ url = '', clicked, uniqueClicked, machineClicked }) => ({
    ...{ url, clicked, uniqueClicked, machineClicked },
  }));
}

/** The oldest interval and its sum come first. */
function showSeries(rows: readonly FigureRow[]): EmailStatsData['series'] {
  const parts = sumCountsBy(rows, ({ since }) => since ?? '');
  return [...parts].slice(-mostParts).map(([time, counts]) => ({ time, ...showCounts(counts) }));
}
