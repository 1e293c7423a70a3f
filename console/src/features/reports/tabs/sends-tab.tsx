// Sends side by side.
import { type DataValue, listStatsBroadcasts } from '@rapport/contract';
import { pageOf } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { SendIcon } from '../../../shared/icons.tsx';
import { Moment } from '../../../shared/moment.tsx';
import type { Column } from '../../../shared/table/column.ts';
import { usePageParams } from '../../../shared/use-page-params.ts';
import { t } from '../../../texts/reports.ts';
import type { By } from '../by.ts';
import { lossColumns, responseColumns, sentColumns } from '../figure-columns.tsx';
import type { ReportProps } from '../report-props.ts';
import { ReportTable } from '../report-table.tsx';

type Row = DataValue<typeof listStatsBroadcasts>;

function columnsOf(by: By): Column<Row>[] {
  return [
    { id: 'name', title: t.send, cell: ({ name }) => name },
    { id: 'began', title: t.began, cell: ({ startedAt }) => <Moment at={startedAt} /> },
    ...sentColumns<Row>(),
    ...responseColumns<Row>(by),
    ...lossColumns<Row>(),
  ];
}

export default function SendsTab({ window, periodKey, by }: ReportProps) {
  const api = useApi();
  const { pageNumber, setPage } = usePageParams();
  return (
    <ReportTable
      page={pageOf(api, listStatsBroadcasts, { query: { ...window, pageNumber } }, { periodKey, pageNumber })}
      onPage={setPage}
      label={t.tabs.sends}
      columns={columnsOf(by)}
      rowKey={({ broadcastId }) => broadcastId}
      href={({ broadcastId }) => `/sends/${broadcastId}`}
      empty={{ icon: <SendIcon size={20} />, title: t.noSends, text: t.noSendsText }}
    />
  );
}
