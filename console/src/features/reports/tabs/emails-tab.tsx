// Emails side by side, from journeys and single sends together.
import { type DataValue, listStatsEmails } from '@rapport/contract';
import { pageOf } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { MailIcon } from '../../../shared/icons.tsx';
import type { Column } from '../../../shared/table/column.ts';
import { usePageParams } from '../../../shared/use-page-params.ts';
import { t } from '../../../texts/reports.ts';
import type { By } from '../by.ts';
import { lossColumns, responseColumns, sentColumns } from '../figure-columns.tsx';
import type { ReportProps } from '../report-props.ts';
import { ReportTable } from '../report-table.tsx';

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
  return (
    <ReportTable
      page={pageOf(api, listStatsEmails, { query: { ...window, pageNumber } }, { periodKey, pageNumber })}
      onPage={setPage}
      label={t.tabs.emails}
      columns={columnsOf(by)}
      rowKey={({ emailId }) => emailId}
      href={({ emailId }) => `/emails/${emailId}/statistics`}
      empty={{ icon: <MailIcon size={20} />, title: t.noEmails, text: t.noEmailsText }}
    />
  );
}
