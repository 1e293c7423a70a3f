// Every journey, and all of them together.
import { ApiFailure } from '@rapport/client';
import { type DataValue, getJourneyRollup } from '@rapport/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { dataOf } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { EmptyState } from '../../../shared/empty-state.tsx';
import figureStyles from '../../../shared/figure.module.css';
import { Figure } from '../../../shared/figure.tsx';
import { JourneyIcon } from '../../../shared/icons.tsx';
import type { Column } from '../../../shared/table/column.ts';
import { DataTable } from '../../../shared/table/data-table.tsx';
import { ToneBadge } from '../../../shared/tone-badge.tsx';
import { usePageParams } from '../../../shared/use-page-params.ts';
import { rates as shares } from '../../../texts/figure.ts';
import { points, whole } from '../../../texts/numbers.ts';
import { figures, t } from '../../../texts/reports.ts';
import { t as words } from '../../../texts/shared.ts';
import type { By } from '../by.ts';
import { countColumn, responseColumns, Share } from '../figure-columns.tsx';
import { statusOf } from '../filters.tsx';
import { Meanings } from '../meanings.tsx';
import type { ReportProps } from '../report-props.ts';
import classes from '../reports.module.css';

type Rollup = DataValue<typeof getJourneyRollup>;
type Row = Rollup['journeys'][number];

const statusTones = { active: 'good', draft: 'quiet', inactive: 'warn' } as const;

function columnsOf(by: By): Column<Row>[] {
  return [
    {
      ...{ id: 'name', title: t.journey, width: '30%', sortBy: ({ name }: Row) => name },
      cell: ({ name, status }) => (
        <>
          {name} <ToneBadge tone={statusTones[status]}>{t.statuses[status]}</ToneBadge>
        </>
      ),
    },
    countColumn('entered', figures.entered, (row) => row.entered),
    countColumn('inProgress', figures.inProgress, (row) => row.inProgress),
    {
      ...{ id: 'reachedGoal', title: figures.reachedGoal.label, definition: t.conversionText, isNumber: true },
      sortBy: ({ goalRate }: Row) => goalRate,
      cell: ({ reachedGoal, goalRate }) =>
        goalRate === null ? words.empty : <Share count={reachedGoal} share={goalRate} />,
    },
    {
      ...{ id: 'holdout', title: t.holdout, definition: t.holdoutText, isNumber: true },
      sortBy: ({ holdout }: Row) => holdout?.difference ?? null,
      cell: ({ holdout }) => <Effect holdout={holdout} />,
    },
    countColumn('sent', figures.sent, (row) => row.sent),
    ...responseColumns<Row>(by),
  ];
}

/** How many more of those who got the messages reached the goal, and whether that is certain. */
function Effect({ holdout }: { holdout: Row['holdout'] }) {
  if (!holdout || holdout.difference === null) return words.empty;
  const [low = 0, high = 0] = holdout.interval ?? [];
  const isClear = low > 0 || high < 0;
  return (
    <>
      <span className={classes.share}>{points(holdout.difference)}</span>{' '}
      {!isClear && <span className={classes.part}>{t.notClear}</span>}
    </>
  );
}

export default function JourneysTab({ window, periodKey, by }: ReportProps) {
  const api = useApi();
  const { param, setParam } = usePageParams();
  const status = statusOf(param('status'));
  const asked = {
    ...dataOf(
      ...([
        api,
        getJourneyRollup,
        { query: { ...window, status: status && [status] } },
        { periodKey, status },
      ] as const),
    ),
    placeholderData: keepPreviousData<Rollup>,
  };
  const rows = useQuery({ ...asked, select: ({ journeys }) => journeys });
  const { data: totals } = useQuery({ ...asked, select: ({ totals }) => totals });
  const columns = columnsOf(by);
  const isTooMany = rows.error instanceof ApiFailure && rows.error.errorCode === 'RESULT_SET_TOO_LARGE';
  return (
    <>
      {totals && <Totals totals={totals} by={by} />}
      {isTooMany ? (
        <EmptyState icon={<JourneyIcon size={20} />} title={t.tooManyJourneys} text="" />
      ) : (
        <DataTable
          rows={rows}
          label={t.tabs.journeys}
          columns={columns}
          rowKey={({ journeyId }) => journeyId}
          href={({ journeyId }) => `/journeys/${journeyId}/report`}
          sort={param('sort')}
          onSort={(sort) => setParam('sort', sort)}
          empty={<EmptyState icon={<JourneyIcon size={20} />} title={t.noJourneys} text={t.noJourneysText} />}
        />
      )}
      <Meanings columns={columns} />
    </>
  );
}

function Totals({ totals, by }: { totals: Rollup['totals']; by: By }) {
  // There is no rate of nothing.
  const noteOf = (rate: string) => (totals.delivered === 0 ? words.empty : rate);
  return (
    <section aria-label={t.totals} className={figureStyles.row}>
      <Figure {...figures.entered} value={whole(totals.entered)} />
      <Figure {...figures.inProgress} value={whole(totals.inProgress)} />
      <Figure {...figures.reachedGoal} value={whole(totals.reachedGoal)} />
      <Figure {...figures.sent} value={whole(totals.sent)} />
      {by === 'people' ? (
        <>
          <Figure
            {...figures.opened}
            value={whole(totals.uniqueOpened)}
            note={noteOf(shares.ofDelivered(totals.rates.openRate))}
          />
          <Figure
            {...figures.clicked}
            value={whole(totals.uniqueClicked)}
            note={noteOf(shares.ofDelivered(totals.rates.clickRate))}
          />
        </>
      ) : (
        <>
          <Figure {...figures.machineOpened} value={whole(totals.machineOpened)} note={t.machineNote} />
          <Figure {...figures.machineClicked} value={whole(totals.machineClicked)} note={t.machineNote} />
        </>
      )}
    </section>
  );
}
