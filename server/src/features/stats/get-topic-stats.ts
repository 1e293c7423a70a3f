import type { TopicStats } from '@rapport/contract';
import type { Static } from 'typebox';
import type { Database } from '../../db/database.js';
import type { Window } from '../../db/tallies.js';
import { notFound } from '../../http/api-error.js';
import { isAssetId } from '../../lib/ids.js';
import { type ConsentChanges, countChanges, selectTopicNames } from '../consent/index.js';
import { type FigureRow, readFigures } from '../messages/index.js';
import { noCounts, showCounts, showFigures, sumCounts, sumCountsBy } from './figures-shown.js';
import { anyNumber, readAll } from './window.js';

type TopicStatsData = Static<typeof TopicStats>;
type Became = TopicStatsData['became'];

const mostParts = 2000;

/** The totals and their breakdown come from one read, so that they agree. */
export async function getTopicStats(
  db: Database,
  tenantId: number,
  topicId: string,
  window: Window,
  interval: 'hour' | 'day',
): Promise<TopicStatsData> {
  const names = isAssetId(topicId) ? await selectTopicNames(db, tenantId, [topicId]) : new Map<string, string>();
  const name = names.get(topicId);
  if (name === undefined) throw notFound('topic');
  const asked = [
    { window, subjects: 1, grain: interval },
    // An import may change a million.
    { window, subjects: anyNumber },
  ];
  const { rows, changes } = await readAll(db, tenantId, asked, async (reader, logReader) => ({
    rows: await readFigures(reader, tenantId, { kind: 'topic', topicId }, window, interval),
    changes: await countChanges(logReader, tenantId, topicId, window, interval),
  }));
  return {
    ...{ topicId, name, ...showFigures(sumCounts(rows)), became: sumOf(changes) },
    series: showSeries(rows, changes),
  };
}

function sumOf(changes: readonly ConsentChanges[]): Became {
  const sum = { subscribed: 0, unsubscribed: 0, pending: 0 };
  for (const { state, n } of changes) sum[state] += n;
  return sum;
}

/** The parts in which something happened, oldest first. */
function showSeries(rows: readonly FigureRow[], changes: readonly ConsentChanges[]): TopicStatsData['series'] {
  const counted = sumCountsBy(rows, ({ since }) => since ?? '');
  const times = [...new Set([...counted.keys(), ...changes.map(({ since }) => since)])].sort().slice(-mostParts);
  return times.map((time) => ({
    time,
    ...showCounts(counted.get(time) ?? noCounts()),
    became: sumOf(changes.filter(({ since }) => since === time)),
  }));
}
