import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { isKept } from '../../../shared/messages/is-kept.ts';
import { MessageStateBadge, reasonText } from '../../../shared/messages/message-columns.tsx';
import { Moment } from '../../../shared/moment.tsx';
import type { Column } from '../../../shared/table/column.ts';
import { t } from '../../../texts/recipients.ts';
import { t as words } from '../../../texts/shared.ts';
import classes from './recipient-columns.module.css';
import type { Recipient } from './recipients-query.ts';

function nameOf({ firstName, lastName }: Recipient): string {
  return [firstName, lastName].filter((part) => part?.trim()).join(' ');
}

const when = (at: string | null) =>
  at === null ? (
    words.empty
  ) : (
    <span className={classes.when}>
      <Moment at={at} />
    </span>
  );

export const recipientColumns: readonly Column<Recipient>[] = [
  {
    id: 'contact',
    title: t.contact,
    width: '28%',
    cell: (row) => (
      <>
        {nameOf(row) || row.email || t.erased}
        {nameOf(row) && <span className={classes.address}>{row.email}</span>}
      </>
    ),
  },
  {
    id: 'state',
    title: t.state,
    cell: ({ state, reason }) => (
      <span className={classes.state}>
        <MessageStateBadge state={state} reason={reason} />
        {reason !== null && !isKept({ state, reason }) && <span>{reasonText(reason)}</span>}
      </span>
    ),
  },
  { id: 'sent', title: t.sent, cell: ({ sentAt }) => when(sentAt), isEmpty: ({ sentAt }) => sentAt === null },
  {
    id: 'opened',
    title: t.opened,
    cell: ({ firstOpenedAt }) => when(firstOpenedAt),
    isEmpty: ({ firstOpenedAt }) => firstOpenedAt === null,
  },
  {
    id: 'clicked',
    title: t.clicked,
    cell: ({ firstClickedAt }) => when(firstClickedAt),
    isEmpty: ({ firstClickedAt }) => firstClickedAt === null,
  },
  {
    id: 'why',
    title: t.why,
    isUntitled: true,
    width: '5rem',
    cell: (row) =>
      row.contactId && (
        <Anchor
          component={Link}
          href={`/why?contact=${row.contactId}&message=${row.messageId}`}
          aria-label={t.whyOf(nameOf(row) || row.email || '')}
          inherit
        >
          {t.why}
        </Anchor>
      ),
  },
];
