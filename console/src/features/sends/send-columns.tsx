import { Moment } from '../../shared/moment.tsx';
import type { Column } from '../../shared/table/column.ts';
import { ToneBadge } from '../../shared/tone-badge.tsx';
import { percent, whole } from '../../texts/numbers.ts';
import { statuses, t } from '../../texts/sends.ts';
import { t as words } from '../../texts/shared.ts';
import type { SendRow } from './send-api.ts';
import classes from './sends.module.css';

const share = (part: number, of: number) => (of === 0 ? words.empty : percent(Math.min(1, part / of)));

export const columns: Column<SendRow>[] = [
  {
    id: 'name',
    title: t.name,
    cell: ({ name, sendsAt }) => (
      <>
        {name}
        {sendsAt !== null && (
          <span className={classes.quiet}>
            {t.startsAt} <Moment at={sendsAt} isAhead />
          </span>
        )}
      </>
    ),
  },
  {
    id: 'status',
    title: t.status,
    cell: ({ status }) => <ToneBadge tone={statuses[status].tone}>{statuses[status].label}</ToneBadge>,
  },
  {
    ...{ id: 'total', title: t.recipients, definition: t.recipientsMeaning, isNumber: true },
    cell: ({ total }) => (total === null ? words.empty : whole(total)),
    isEmpty: ({ total }) => total === null,
  },
  {
    ...{ id: 'sent', title: t.sent, definition: t.sentMeaning, isNumber: true },
    cell: ({ figures }) => whole(figures.sent),
  },
  {
    ...{ id: 'opened', title: t.opened, definition: t.openedMeaning, isNumber: true },
    cell: ({ figures }) => share(figures.opened, figures.delivered),
    isEmpty: ({ figures }) => figures.delivered === 0,
  },
  {
    ...{ id: 'clicked', title: t.clicked, definition: t.clickedMeaning, isNumber: true },
    cell: ({ figures }) => share(figures.clicked, figures.delivered),
    isEmpty: ({ figures }) => figures.delivered === 0,
  },
  { id: 'created', title: t.created, cell: ({ createdAt }) => <Moment at={createdAt} /> },
];
