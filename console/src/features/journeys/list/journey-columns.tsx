import { Moment } from '../../../shared/moment.tsx';
import type { Column } from '../../../shared/table/column.ts';
import { ToneBadge } from '../../../shared/tone-badge.tsx';
import { t } from '../../../texts/journeys.ts';
import { percent, whole } from '../../../texts/numbers.ts';
import { type FigureText, figures as meanings } from '../../../texts/reports.ts';
import { t as words } from '../../../texts/shared.ts';
import classes from './journey-columns.module.css';
import { JourneyMenu } from './journey-menu.tsx';
import type { JourneyFigures, JourneyRow } from './journeys-api.ts';

const statusTones = { active: 'good', draft: 'quiet', inactive: 'warn' } as const;

/** The list, with all-time figures if they have loaded. */
export function columnsOf(
  figures: ReadonlyMap<string, JourneyFigures> | undefined,
  isMissing: boolean,
): Column<JourneyRow>[] {
  const figure = (id: string, text: FigureText, of: (row: JourneyFigures) => string): Column<JourneyRow> => ({
    ...{ id, title: text.label, definition: text.definition, isNumber: true },
    cell: ({ journeyId }) => {
      const own = figures?.get(journeyId);
      return <span title={isMissing ? t.countsMissing : undefined}>{own ? of(own) : words.empty}</span>;
    },
    isEmpty: ({ journeyId }) => figures?.get(journeyId) === undefined,
  });
  return [
    { id: 'name', title: t.name, cell: (row) => <Named row={row} /> },
    {
      ...{ id: 'status', title: t.status },
      cell: ({ status }) => <ToneBadge tone={statusTones[status]}>{t.statuses[status]}</ToneBadge>,
    },
    figure('inProgress', meanings.inProgress, (row) => whole(row.inProgress)),
    figure('entered', { ...meanings.entered, definition: t.enteredEver }, (row) => whole(row.entered)),
    figure('sent', meanings.sent, (row) => whole(row.sent)),
    figure('clicked', { ...meanings.clicked, definition: t.clickRateText }, (row) =>
      row.delivered === 0 ? words.empty : percent(row.rates.clickRate),
    ),
    { id: 'created', title: t.created, cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      id: 'menu',
      title: t.more,
      isUntitled: true,
      isIcon: true,
      width: '1px',
      cell: (row) => <JourneyMenu journey={row} />,
    },
  ];
}

function Named({ row: { name, type, tags, directoryName, nextRunTime } }: { row: JourneyRow }) {
  return (
    <>
      {name}
      <span className={classes.more}>
        <span>
          {[t.types[type], ...(directoryName === null ? [] : [directoryName])].join(' · ')}
          {nextRunTime !== null && (
            <>
              {' · '}
              {t.nextRunIs} <Moment at={nextRunTime} isAhead />
            </>
          )}
        </span>
        {tags.map((tag) => (
          <span key={tag} className={classes.tag}>
            {tag}
          </span>
        ))}
      </span>
    </>
  );
}

function Time({ at }: { at: string }) {
  return (
    <span className={classes.time}>
      <Moment at={at} />
    </span>
  );
}
