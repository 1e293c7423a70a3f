// Emails side by side, from journeys and single sends together.
import { type DataValue, listStatsEmails } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { pageOf } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { EmptyState } from '../../../shared/empty-state.tsx';
import { MailIcon } from '../../../shared/icons.tsx';
import type { Column } from '../../../shared/table/column.ts';
import { DataTable, pagedQuery } from '../../../shared/table/data-table.tsx';
import { usePageParams } from '../../../shared/use-page-params.ts';
import { t } from '../../../texts/reports.ts';
import type { By } from '../by.ts';
import { lossColumns, responseColumns, sentColumns } from '../figure-columns.tsx';
import { Meanings } from '../meanings.tsx';
import type { ReportProps } from '../report-props.ts';

type Row = DataValue<typeof listStatsEmails>;

function columnsOf(by: By): Column<Row>[] {
  return [
    { id: 'name', title: t.email, cell: ({ name }) => name || t.deleted },
    ...sentColumns<Row>(),
    ...responseColumns<Row>(by),
    ...lossColumns<Row>(),
  ];
}

export default function EmailsTab({ window, periodKey, by }: ReportProps) {
  const api = useApi();
  const { pageNumber, setPage } = usePageParams();
  const query = useQuery({
    ...pageOf(api, listStatsEmails, { query: { ...window, pageNumber } }, { periodKey, pageNumber }),
    ...pagedQuery,
  });
  const columns = columnsOf(by);
  return (
    <>
      <DataTable
        query={query}
        onPage={setPage}
        label={t.tabs.emails}
        columns={columns}
        rowKey={({ emailId }) => emailId}
        href={({ emailId }) => `/emails/${emailId}/statistics`}
        empty={<EmptyState icon={<MailIcon size={20} />} title={t.noEmails} text={t.noEmailsText} />}
      />
      <Meanings columns={columns} />
    </>
  );
}
