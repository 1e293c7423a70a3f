import { type DataValue, listOutbox } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { pageOf } from '../api/ask.ts';
import { useApi } from '../api/session/session.tsx';
import { EmptyState } from '../shared/empty-state.tsx';
import { OutboxIcon } from '../shared/icons.tsx';
import classes from '../shared/messages/message-columns.module.css';
import { TestBadge } from '../shared/messages/message-columns.tsx';
import { Moment } from '../shared/moment.tsx';
import { Page } from '../shared/page.tsx';
import type { Column } from '../shared/table/column.ts';
import { DataTable, pagedQuery } from '../shared/table/data-table.tsx';
import { usePageParams } from '../shared/use-page-params.ts';
import { t } from '../texts/messages.ts';

const columns: Column<DataValue<typeof listOutbox>>[] = [
  {
    id: 'subject',
    title: t.subject,
    cell: ({ subject, kind }) => (
      <span className={classes.state}>
        <span>{subject || t.noSubject}</span>
        <TestBadge kind={kind} />
      </span>
    ),
  },
  { id: 'to', title: t.to, cell: ({ to }) => to },
  { id: 'from', title: t.from, cell: ({ from }) => from },
  { id: 'when', title: t.when, cell: ({ createdAt }) => <Moment at={createdAt} /> },
];

export default function OutboxPage() {
  const api = useApi();
  const { pageNumber, setPage } = usePageParams();
  const query = useQuery({
    ...pageOf(api, listOutbox, { query: { pageNumber } }),
    ...pagedQuery,
  });
  return (
    <Page title={t.outbox} lead={t.outboxLead}>
      <DataTable
        label={t.messages}
        query={query}
        onPage={setPage}
        columns={columns}
        rowKey={({ messageId }) => messageId}
        href={({ messageId }) => `/outbox/${encodeURIComponent(messageId)}`}
        empty={<EmptyState icon={<OutboxIcon size={20} />} title={t.emptyOutbox} text={t.emptyOutboxText} />}
      />
    </Page>
  );
}
