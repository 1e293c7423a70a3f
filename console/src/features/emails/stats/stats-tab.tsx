// The results of an email: figures with their definitions, over time, default against personalized, and its links.
import { SegmentedControl } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../../api/session/session.tsx';
import { Card } from '../../../shared/card.tsx';
import { dayName } from '../../../shared/chart/day-name.ts';
import { TimeChart } from '../../../shared/chart/time-chart.tsx';
import { EmptyState } from '../../../shared/empty-state.tsx';
import { ErrorState } from '../../../shared/error-state.tsx';
import { Definition } from '../../../shared/figure.tsx';
import { ChartIcon } from '../../../shared/icons.tsx';
import { LoadingState } from '../../../shared/loading-state.tsx';
import { Toolbar } from '../../../shared/toolbar.tsx';
import { usePageParams } from '../../../shared/use-page-params.ts';
import { figures, t } from '../../../texts/emails.ts';
import { t as words } from '../../../texts/shared.ts';
import type { EmailStats } from '../email-api.ts';
import { periodOf, periods, startOf, statsQuery, usualPeriod } from '../email-queries.ts';
import { everyDay } from './days.ts';
import { Figures } from './figures.tsx';
import { LanguageTable, LinkTable, VersionTable } from './tables.tsx';

const usual = usualPeriod;

export default function StatsTab({ id }: { id: string }) {
  const api = useApi();
  const { param, setParam } = usePageParams();
  const [now] = useState(() => Date.now());
  const period = periodOf(param('period'));
  const startTime = startOf(period, now);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...statsQuery(api, id, period, now),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <Toolbar>
        <SegmentedControl
          aria-label={t.period}
          value={period}
          onChange={(value) => setParam('period', value === usual ? undefined : value)}
          data={periods.map((value) => ({ value, label: value === 'all' ? t.allTime : t.last(Number(value)) }))}
        />
      </Toolbar>
      {error && <ErrorState error={error} onRetry={() => void refetch()} compact={data !== undefined} />}
      {!data && !error && <LoadingState label={words.loading} />}
      {data && (
        <div aria-busy={isPlaceholderData} style={{ display: 'contents' }}>
          <Shown id={id} stats={data} startTime={startTime} now={now} />
        </div>
      )}
    </>
  );
}

interface ShownProps {
  id: string;
  stats: EmailStats;
  startTime: string | undefined;
  now: number;
}

function Shown({ id, stats, startTime, now }: ShownProps) {
  if (stats.sent + stats.failed + stats.opened + stats.clicked === 0)
    return (
      <Card>
        <EmptyState icon={<ChartIcon size={20} />} title={t.noFigures} text={t.noFiguresText} />
      </Card>
    );
  const { times, partAt } = everyDay(stats.series, startTime, new Date(now).toISOString());
  const valuesOf = (name: 'sent' | 'uniqueOpened' | 'uniqueClicked') => times.map((time) => partAt(time)?.[name] ?? 0);
  return (
    <>
      <Figures id={id} stats={stats} />
      <Card title={t.becameOf}>
        <TimeChart
          label={t.becameOf}
          times={times}
          timeName={dayName}
          series={[
            { name: figures.sent.label, colour: 'quiet', values: valuesOf('sent') },
            { name: figures.opened.label, colour: 'accent', values: valuesOf('uniqueOpened') },
            { name: figures.clicked.label, colour: 'good', values: valuesOf('uniqueClicked') },
          ]}
        />
      </Card>
      <Card title={t.otherVersions} isFlush>
        <VersionTable stats={stats} />
      </Card>
      {stats.languages && (
        <Card title={t.byLanguage} isFlush>
          <LanguageTable languages={stats.languages} />
        </Card>
      )}
      <Card title={t.links} actions={<Definition of={t.links} text={t.linksDefinition} />} isFlush>
        <LinkTable links={stats.links} />
      </Card>
    </>
  );
}
