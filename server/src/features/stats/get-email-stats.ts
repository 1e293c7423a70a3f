import type { EmailStats } from '@rapport/contract';
import type { Static } from 'typebox';
import type { Database } from '../../db/database.js';
import type { Window } from '../../db/tallies.js';
import { getEmailName } from '../emails/index.js';
import { type FigureRow, readFigures } from '../messages/index.js';
import { noCounts, showCounts, showFigures, sumCounts, sumCountsBy, takeCounts } from './figures-shown.js';
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
  const { counted, links } = await readAll(db, tenantId, asked, async (reader, linkReader) => ({
    counted: await readFigures(reader, tenantId, { kind: 'email', emailId }, window, interval),
    links: await readFigures(linkReader, tenantId, ofLinks, window),
  }));
  const rows = counted.filter(({ language }) => language === undefined);
  const versions = sumCountsBy(rows, ({ version }) => version);
  const [own, personalized] = [versions.get('default') ?? noCounts(), versions.get('personalized') ?? noCounts()];
  return {
    ...{ emailId, name, ...showFigures(sumCounts(rows)) },
    ...{ defaultSent: own.sent, personalizedSent: personalized.sent },
    versions: { default: showFigures(own), personalized: showFigures(personalized) },
    ...showLanguages(rows, counted),
    links: showLinks(links),
    series: showSeries(rows),
  };
}

/** The email's own, which is what no language has, then the others. Left out where nothing was sent in another language. */
function showLanguages(rows: readonly FigureRow[], counted: readonly FigureRow[]): Pick<EmailStatsData, 'languages'> {
  const others = counted.filter(({ language }) => language !== undefined);
  if (others.length === 0) return {};
  const own = takeCounts(sumCounts(rows), sumCounts(others));
  const each = [...sumCountsBy(others, ({ language = '' }) => language)].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    languages: [
      { language: null, ...showFigures(own) },
      ...each.map(([language, counts]) => ({ language, ...showFigures(counts) })),
    ],
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
