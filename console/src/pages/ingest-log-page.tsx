import { type DataValue, listIngestLog } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { pageOf } from '../api/ask.ts';
import { useApi } from '../api/session/session.tsx';
import { EmptyState } from '../shared/empty-state.tsx';
import { CheckIcon } from '../shared/icons.tsx';
import { Moment } from '../shared/moment.tsx';
import { Page } from '../shared/page.tsx';
import type { Column } from '../shared/table/column.ts';
import { DataTable, pagedQuery } from '../shared/table/data-table.tsx';
import { usePageParams } from '../shared/use-page-params.ts';
import { t } from '../texts/events.ts';
import { t as words } from '../texts/shared.ts';

type Refusal = DataValue<typeof listIngestLog>;

const columns: Column<Refusal>[] = [
  { id: 'reason', title: t.reason, cell: ({ reason }) => reason, width: '38%' },
  { id: 'call', title: t.call, cell: ({ call }) => call },
  {
    id: 'user',
    title: t.userId,
    cell: ({ userId }) => userId ?? words.empty,
    isEmpty: ({ userId }) => userId === null,
  },
  {
    id: 'message',
    title: t.messageId,
    cell: ({ messageId }) => messageId ?? words.empty,
    isEmpty: ({ messageId }) => messageId === null,
  },
  { id: 'at', title: t.received, cell: ({ receivedAt }) => <Moment at={receivedAt} />, width: '9rem' },
];

export default function IngestLogPage() {
  const api = useApi();
  const { pageNumber, setPage } = usePageParams();
  const query = useQuery({
    ...pageOf(api, listIngestLog, { query: { pageNumber, pageSize: 50 } }),
    ...pagedQuery,
  });
  return (
    <Page title={t.ingestLog} lead={t.ingestLead}>
      <DataTable
        label={t.refused}
        query={query}
        onPage={setPage}
        columns={columns}
        // A call has no unique key: the same one may be refused twice.
        rowKey={(row) => JSON.stringify(row)}
        empty={<EmptyState icon={<CheckIcon size={20} />} title={t.nothingRefused} text={t.nothingRefusedText} />}
      />
    </Page>
  );
}
