// The recipient domains: where mail arrives, and where it is unwanted.
import { type DataValue, listStatsDomains } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { pageOf } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { EmptyState } from '../../../shared/empty-state.tsx';
import { GlobeIcon } from '../../../shared/icons.tsx';
import type { Column } from '../../../shared/table/column.ts';
import { DataTable, pagedQuery } from '../../../shared/table/data-table.tsx';
import { usePageParams } from '../../../shared/use-page-params.ts';
import { figures, t } from '../../../texts/reports.ts';
import type { By } from '../by.ts';
import { lossColumns, responseColumns, Share, sentColumns } from '../figure-columns.tsx';
import { Meanings } from '../meanings.tsx';
import type { ReportProps } from '../report-props.ts';

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
  const query = useQuery({
    ...pageOf(api, listStatsDomains, { query: { ...window, pageNumber } }, { periodKey, pageNumber }),
    ...pagedQuery,
  });
  const columns = columnsOf(by);
  return (
    <>
      <DataTable
        query={query}
        onPage={setPage}
        label={t.tabs.domains}
        columns={columns}
        rowKey={({ domain }) => domain}
        empty={<EmptyState icon={<GlobeIcon size={20} />} title={t.noDomains} text={t.noDomainsText} />}
      />
      <Meanings columns={columns} />
    </>
  );
}
