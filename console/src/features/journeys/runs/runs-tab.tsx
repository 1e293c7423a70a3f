// The runs of a batch journey: when its audience was enrolled, and how many entered.
import type { DataValue, listJourneyRuns } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../../api/session/session.tsx';
import { Card } from '../../../shared/card.tsx';
import { EmptyState } from '../../../shared/empty-state.tsx';
import { ClockIcon } from '../../../shared/icons.tsx';
import { Moment } from '../../../shared/moment.tsx';
import type { Column } from '../../../shared/table/column.ts';
import { DataTable, pagedQuery } from '../../../shared/table/data-table.tsx';
import { ToneBadge } from '../../../shared/tone-badge.tsx';
import { usePageParams } from '../../../shared/use-page-params.ts';
import { t } from '../../../texts/journeys.ts';
import { percent, whole } from '../../../texts/numbers.ts';
import type { JourneyRecord } from '../journey-api.ts';
import { runsQuery } from '../tab-queries.ts';
import classes from './runs-tab.module.css';

type Run = DataValue<typeof listJourneyRuns>;

const columns: readonly Column<Run>[] = [
  { id: 'runAt', title: t.runAt, cell: ({ runAt }) => <Moment at={runAt} /> },
  {
    ...{ id: 'state', title: t.tookTime },
    cell: ({ endedAt }) =>
      endedAt === null ? <ToneBadge tone="info">{t.enrolling}</ToneBadge> : <Moment at={endedAt} />,
  },
  { id: 'version', title: t.version, isNumber: true, cell: ({ version }) => version },
  {
    ...{ id: 'members', title: t.members, definition: t.membersText, isNumber: true },
    cell: ({ members }) => whole(members),
  },
  {
    ...{ id: 'enrolled', title: t.enrolledCount, definition: t.enrolledText, isNumber: true },
    cell: ({ enrolled, members }) => (
      <>
        {whole(enrolled)} <span className={classes.part}>{members > 0 && percent(enrolled / members)}</span>
      </>
    ),
  },
];

export default function RunsTab({ journey }: { journey: JourneyRecord }) {
  const api = useApi();
  const { pageNumber, setPage } = usePageParams();
  const { journeyId, nextRunTime, type } = journey;
  const query = useQuery({
    ...runsQuery(api, journeyId, pageNumber),
    // While a run enrols contacts, their number grows.
    refetchInterval: ({ state }) => (state.data?.rows.some(({ endedAt }) => endedAt === null) ? 3000 : false),
    ...pagedQuery,
  });
  if (type === 'trigger')
    return (
      <Card>
        <EmptyState icon={<ClockIcon size={20} />} title={t.noRunsOfTrigger} text={t.noRunsOfTriggerText} />
      </Card>
    );
  return (
    <>
      {nextRunTime !== null && (
        <p className={classes.next}>
          {t.nextRunAt} <Moment at={nextRunTime} isAhead />.
        </p>
      )}
      <DataTable
        query={query}
        onPage={setPage}
        label={t.runs}
        columns={columns}
        rowKey={({ runId }) => runId}
        empty={<EmptyState icon={<ClockIcon size={20} />} title={t.noRuns} text={t.noRunsText} />}
      />
    </>
  );
}
