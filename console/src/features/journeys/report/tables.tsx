// The emails of a journey, and the arms of its splits, side by side.
import { Text, Title } from '@mantine/core';
import { Definition } from '../../../shared/figure.tsx';
import type { Column } from '../../../shared/table/column.ts';
import { LocalTable } from '../../../shared/table/local-table.tsx';
import { ToneBadge } from '../../../shared/tone-badge.tsx';
import { t } from '../../../texts/journeys.ts';
import type { By } from '../../reports/by.ts';
import { countColumn, lossColumns, responseColumns, Share, sentColumns } from '../../reports/figure-columns.tsx';
import type { JourneyStats } from '../journey-api.ts';
import classes from './report-tab.module.css';
import { sayDecision } from './say-holdout.ts';

type EmailRow = JourneyStats['emails'][number];
type Split = JourneyStats['splits'][number];
type Arm = Split['arms'][number];

export function EmailTable({ emails, by }: { emails: readonly EmailRow[]; by: By }) {
  const columns: Column<EmailRow>[] = [
    { id: 'name', title: t.email, cell: ({ name }) => name, sortBy: ({ name }) => name },
    ...sentColumns<EmailRow>(),
    ...responseColumns<EmailRow>(by),
    ...lossColumns<EmailRow>(),
  ];
  return (
    <>
      <Title order={2}>{t.emails}</Title>
      <LocalTable
        all={emails}
        label={t.emails}
        columns={columns}
        rowKey={({ emailId }) => emailId}
        href={({ emailId }) => `/emails/${emailId}/statistics`}
      />
    </>
  );
}

export function SplitTable({ split: { arms, winner, decision }, name, by }: { split: Split; name: string; by: By }) {
  const columns: Column<Arm>[] = [
    {
      ...{ id: 'arm', title: t.arm, sortBy: ({ name }: Arm) => name },
      cell: ({ name }) => (
        <>
          {name} {name === winner && <ToneBadge tone="good">{t.winner}</ToneBadge>}
        </>
      ),
    },
    countColumn('entered', { label: t.tookArm, definition: t.tookArmText }, (row) => row.entered),
    {
      ...{ id: 'goal', title: t.goalRate, definition: t.goalRateText, isNumber: true },
      cell: ({ reachedGoal, goalRate }) => <Share count={reachedGoal} share={goalRate} />,
      sortBy: ({ goalRate }) => goalRate,
    },
    ...sentColumns<Arm>(),
    ...responseColumns<Arm>(by),
  ];
  return (
    <>
      <div className={classes.heads}>
        <Title order={2}>{t.split(name)}</Title>
        <Definition of={t.split(name)} text={t.splitText} />
        {winner === null && <ToneBadge tone="quiet">{t.noWinner}</ToneBadge>}
      </div>
      {winner !== null && decision && <Text size="sm">{sayDecision(winner, decision)}</Text>}
      <LocalTable all={arms} label={t.split(name)} columns={columns} rowKey={({ name }) => name} />
    </>
  );
}
