import type { DataValue, getEnrolment, listEnrolments } from '@rapport/contract';
import { Moment } from '../../../shared/moment.tsx';
import type { Column } from '../../../shared/table/column.ts';
import { ToneBadge } from '../../../shared/tone-badge.tsx';
import { reasons } from '../../../texts/journey-timeline.ts';
import { t } from '../../../texts/journeys.ts';
import { t as words } from '../../../texts/shared.ts';
import classes from './enrolment-columns.module.css';

export type EnrolmentRow = DataValue<typeof listEnrolments>;
export type EnrolmentRecord = DataValue<typeof getEnrolment>;
const stateTones = { active: 'info', completed: 'good', exited: 'quiet' } as const;

export function State({ enrolment: { state, reason } }: { enrolment: Pick<EnrolmentRow, 'state' | 'reason'> }) {
  return (
    <span title={reason === null ? undefined : sayReason(reason)}>
      <ToneBadge tone={stateTones[state]}>{t.states[state]}</ToneBadge>
    </span>
  );
}

/** Why a contact left: one of our reasons in words, or the reason of an exit step. */
export const sayReason = (reason: string): string => reasons[reason] ?? reason;

export function columnsOf(
  namesOf: (version: number) => ReadonlyMap<string, string>,
  menu: Column<EnrolmentRow>['cell'],
): Column<EnrolmentRow>[] {
  return [
    { id: 'contact', title: t.contact, width: '28%', cell: ({ email }) => email ?? t.erased },
    { id: 'state', title: t.state, cell: (row) => <State enrolment={row} /> },
    {
      ...{ id: 'step', title: t.step, isEmpty: ({ stepId }: EnrolmentRow) => stepId === null },
      cell: ({ stepId, version }) => (stepId === null ? words.empty : (namesOf(version).get(stepId) ?? stepId)),
    },
    { id: 'entered', title: t.entered, cell: ({ enteredAt }) => <Time at={enteredAt} /> },
    {
      ...{ id: 'next', title: t.nextOrEnded, isEmpty: (row: EnrolmentRow) => (row.endedAt ?? row.dueAt) === null },
      cell: ({ dueAt, endedAt }) => <Time at={endedAt ?? dueAt} isAhead={endedAt === null} />,
    },
    {
      ...{ id: 'goal', title: t.goalReached, isEmpty: ({ goalAt }: EnrolmentRow) => goalAt === null },
      cell: ({ goalAt }) => <Time at={goalAt} />,
    },
    { ...{ id: 'menu', title: t.more, width: '1px', cell: menu }, isUntitled: true, isIcon: true },
  ];
}

function Time({ at, isAhead = false }: { at: string | null; isAhead?: boolean }) {
  return <span className={classes.time}>{at === null ? words.empty : <Moment at={at} isAhead={isAhead} />}</span>;
}
