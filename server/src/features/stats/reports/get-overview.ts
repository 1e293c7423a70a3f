import type { StatsOverview } from '@rapport/contract';
import type { Static } from 'typebox';
import type { Database } from '../../../db/database.js';
import { type Counts, readFigures } from '../../messages/index.js';
import { noCounts, showCounts, showFigures, sumCounts, sumCountsBy } from '../figures-shown.js';
import { readAll } from '../window.js';
import { type Grain, type Period, partsOf, periodBefore, periodOf } from './periods.js';

type OverviewData = Static<typeof StatsOverview>;

interface OverviewQuery {
  startTime?: string | undefined;
  endTime?: string | undefined;
  interval?: Grain | undefined;
}

/** The totals and their breakdown come from one read, so that they agree. */
export async function getOverview(
  db: Database,
  tenantId: number,
  query: OverviewQuery,
  now: string,
): Promise<OverviewData> {
  const grain = query.interval ?? 'day';
  const period = periodOf(query, now);
  const times = partsOf(period, grain);
  const before = periodBefore(period);
  const all = { kind: 'tenant' } as const;
  const asked = [
    { window: period, subjects: 1, grain },
    { window: before, subjects: 1 },
  ];
  const { rows, earlier } = await readAll(db, tenantId, asked, async (reader, earlierReader) => ({
    rows: await readFigures(reader, tenantId, all, period, grain),
    earlier: await readFigures(earlierReader, tenantId, all, before),
  }));
  const parts = sumCountsBy(rows, ({ since }) => since ?? '');
  return {
    ...showPeriod(period, sumCounts(rows)),
    previous: showPeriod(before, sumCounts(earlier)),
    series: times.map((time) => {
      const counts = parts.get(time) ?? noCounts();
      return { time, ...showCounts(counts), engaged: engagedOf(counts) };
    }),
  };
}

function showPeriod({ from, to }: Period, counts: Counts) {
  return { startTime: from, endTime: to, ...showFigures(counts), engaged: engagedOf(counts) };
}

/** Each message once: by its first open, or by its first click if it has none. */
function engagedOf({ uniqueOpened, clickOnly }: Counts): number {
  return uniqueOpened + clickOnly;
}
