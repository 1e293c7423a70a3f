// All mail of the workspace: figures compared with the period before, and over time.
import { type DataValue, getStatsOverview } from '@rapport/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { dataOf } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { Card } from '../../../shared/card.tsx';
import { TimeChart } from '../../../shared/chart/time-chart.tsx';
import { EmptyState } from '../../../shared/empty-state.tsx';
import { ErrorState } from '../../../shared/error-state.tsx';
import { ChartIcon } from '../../../shared/icons.tsx';
import { LoadingState } from '../../../shared/loading-state.tsx';
import { daysOf, intervalOf, partName, type StatsWindow } from '../../../shared/period/period.ts';
import { figures, t } from '../../../texts/reports.ts';
import { OverviewFigures } from '../overview-figures.tsx';
import type { ReportProps } from '../report-props.ts';
import classes from '../reports.module.css';

type Overview = DataValue<typeof getStatsOverview>;

export default function OverviewTab({ window, periodKey, by, before, now }: ReportProps) {
  const api = useApi();
  const interval = intervalOf(window);
  const overviewOf = (query: StatsWindow, as: unknown) => ({
    ...dataOf(api, getStatsOverview, { query: { ...query, interval } }, as),
    placeholderData: keepPreviousData<Overview>,
  });
  const current = useQuery(overviewOf(window, { periodKey }));
  const earlier = useQuery({
    ...overviewOf(before ?? window, { periodKey, isBefore: true }),
    enabled: before !== undefined,
  });
  const { data } = current;
  const previous = before ? earlier.data : data?.previous;
  const error = current.error ?? earlier.error;
  const retry = () => void Promise.all([current.refetch(), before && earlier.refetch()]);
  if (!(data && previous) && error) return <ErrorState error={error} onRetry={retry} />;
  if (!data || !previous) return <LoadingState label={t.tabs.overview} />;
  const { series } = data;
  const [days = '', daysBefore = ''] = daysOf(now, data, previous);
  const valuesOf = (name: 'sent' | 'uniqueOpened' | 'uniqueClicked' | 'machineOpened' | 'machineClicked') =>
    series.map((part) => part[name]);
  const isQuiet = data.sent + data.failed + data.opened + data.clicked + data.machineOpened === 0;
  return (
    <div className={classes.stack} aria-busy={current.isPlaceholderData || earlier.isPlaceholderData}>
      {error && <ErrorState error={error} onRetry={retry} compact />}
      <OverviewFigures now={data} previous={previous} by={by} />
      <p className={classes.hint}>{t.comparedWith(days, daysBefore)}</p>
      <Card title={t.sentOverTime}>
        {isQuiet ? (
          <EmptyState icon={<ChartIcon size={20} />} title={t.nothing} text={t.nothingText} />
        ) : (
          <TimeChart
            label={t.sentOverTime}
            height={280}
            times={series.map(({ time }) => time)}
            timeName={(time) => partName(time, interval)}
            series={[
              { name: figures.sent.label, colour: 'quiet', values: valuesOf('sent') },
              by === 'people'
                ? { name: figures.opened.label, colour: 'accent', values: valuesOf('uniqueOpened') }
                : { name: figures.machineOpened.label, colour: 'warn', values: valuesOf('machineOpened') },
              by === 'people'
                ? { name: figures.clicked.label, colour: 'good', values: valuesOf('uniqueClicked') }
                : { name: figures.machineClicked.label, colour: 'info', values: valuesOf('machineClicked') },
            ]}
          />
        )}
      </Card>
    </div>
  );
}
