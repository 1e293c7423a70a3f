// The recipient domains: where mail arrives, and where it is unwanted.
import { type DataValue, listStatsDomains } from '@rapport/contract';
import { pageOf } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { GlobeIcon } from '../../../shared/icons.tsx';
import type { Column } from '../../../shared/table/column.ts';
import { usePageParams } from '../../../shared/use-page-params.ts';
import { figures, t } from '../../../texts/reports.ts';
import type { By } from '../by.ts';
import { lossColumns, responseColumns, Share, sentColumns } from '../figure-columns.tsx';
import type { ReportProps } from '../report-props.ts';
import { ReportTable } from '../report-table.tsx';

type Row = DataValue<typeof listStatsDomains>;

function columnsOf(by: By): Column<Row>[] {
  return [
    { id: 'domain', title: t.domain, cell: ({ domain }) => domain },
    ...sentColumns<Row>(),
    ...responseColumns<Row>(by),
    ...lossColumns<Row>(),
    {
      ...{ id: 'complained', title: figures.complained.label, definition: figures.complained.definition },
      isNumber: true,
      cell: ({ complained, complaintRate }) => <Share count={complained} share={complaintRate} />,
    },
  ];
}

export default function DomainsTab({ window, periodKey, by }: ReportProps) {
  const api = useApi();
  const { pageNumber, setPage } = usePageParams();
  return (
    <ReportTable
      page={pageOf(api, listStatsDomains, { query: { ...window, pageNumber } }, { periodKey, pageNumber })}
      onPage={setPage}
      label={t.tabs.domains}
      columns={columnsOf(by)}
      rowKey={({ domain }) => domain}
      empty={{ icon: <GlobeIcon size={20} />, title: t.noDomains, text: t.noDomainsText }}
    />
  );
}
