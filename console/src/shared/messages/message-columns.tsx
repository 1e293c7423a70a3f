// How a message looks in a table, wherever there is one.
import type { MessageKind, MessageState } from '@rapport/contract';
import { kept, kinds, reasons, states, t } from '../../texts/messages.ts';
import { t as words } from '../../texts/shared.ts';
import { Moment } from '../moment.tsx';
import type { Names } from '../names/use-names.ts';
import type { Column } from '../table/column.ts';
import { ToneBadge } from '../tone-badge.tsx';
import { isKept, type MessageRow } from './is-kept.ts';
import classes from './message-columns.module.css';

export function MessageStateBadge({ state, reason }: { state: MessageState; reason: string | null }) {
  const { label, tone } = isKept({ state, reason }) ? kept : states[state];
  return <ToneBadge tone={tone}>{label}</ToneBadge>;
}

/** A test that a user sent to themselves or a colleague: it is not counted. */
export function TestBadge({ kind }: { kind: MessageKind | null }) {
  return kind === 'test' ? <ToneBadge tone="info">{kinds.test}</ToneBadge> : null;
}

export const reasonText = (reason: string): string => reasons[reason] ?? reason;
export const messageHref = ({ messageId }: Pick<MessageRow, 'messageId'>): string => `/messages/${messageId}`;

/** The subject, if there is one yet, otherwise the name of the email. */
export const messageTitle = (row: Pick<MessageRow, 'subject' | 'emailId'>, emails: Names): string =>
  row.subject ?? emails.nameOf(row.emailId) ?? t.notYet;

function When({ sentAt, queuedAt }: MessageRow) {
  return (
    <span className={classes.when}>
      <Moment at={sentAt ?? queuedAt} />
    </span>
  );
}

interface Known {
  emails: Names;
  journeys: Names;
  sends: Names;
  /** Left out on the page of one contact, where the recipient is obvious. */
  isOfOne?: boolean;
}

export function messageColumns({ emails, journeys, sends, isOfOne = false }: Known): Column<MessageRow>[] {
  const to: Column<MessageRow> = { id: 'to', title: t.to, width: '22%', cell: ({ email }) => email ?? t.erased };
  return [
    { id: 'subject', title: t.message, width: '24%', cell: (row) => messageTitle(row, emails) },
    ...(isOfOne ? [] : [to]),
    {
      id: 'state',
      title: t.state,
      cell: ({ state, reason, kind }) => (
        <span className={classes.state}>
          <MessageStateBadge state={state} reason={reason} />
          <TestBadge kind={kind} />
          {reason !== null && !isKept({ state, reason }) && <span>{reasonText(reason)}</span>}
        </span>
      ),
    },
    {
      id: 'journey',
      title: t.source,
      width: '14%',
      cell: ({ kind, journeyId }) => (kind === 'broadcast' ? sends : journeys).nameOf(journeyId) ?? words.empty,
      isEmpty: ({ journeyId }) => journeyId === null,
    },
    { id: 'when', title: t.when, cell: When },
  ];
}
