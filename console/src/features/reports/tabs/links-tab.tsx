// The addresses that were clicked, of all emails or of one.
import { Anchor } from '@mantine/core';
import { type DataValue, listStatsLinks } from '@rapport/contract';
import { Link } from 'wouter';
import { pageOf } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { LinkIcon } from '../../../shared/icons.tsx';
import { useEmailNames } from '../../../shared/names/use-names.ts';
import type { Column } from '../../../shared/table/column.ts';
import { usePageParams } from '../../../shared/use-page-params.ts';
import { t as words } from '../../../texts/figure.ts';
import { figures, t } from '../../../texts/reports.ts';
import type { By } from '../by.ts';
import { countColumn } from '../figure-columns.tsx';
import type { ReportProps } from '../report-props.ts';
import { ReportTable } from '../report-table.tsx';

type Row = DataValue<typeof listStatsLinks>;

function columnsOf(by: By, nameOf: (id: string) => string): Column<Row>[] {
  const clicked = { label: words.messagesClicked, definition: t.uniqueOfLink };
  return [
    { id: 'url', title: t.link, cell: ({ url }) => <Address url={url} /> },
    {
      ...{ id: 'email', title: t.email },
      cell: ({ emailId }) => (
        <Anchor component={Link} href={`/emails/${emailId}/statistics`} inherit>
          {nameOf(emailId)}
        </Anchor>
      ),
    },
    ...(by === 'people'
      ? [
          countColumn<Row>('uniqueClicked', clicked, (row) => row.uniqueClicked),
          countColumn<Row>('clicked', figures.clicks, (row) => row.clicked),
        ]
      : [countColumn<Row>('machineClicked', figures.machineClicked, (row) => row.machineClicked)]),
  ];
}

function Address({ url }: { url: string }) {
  if (!/^https?:/.test(url)) return url;
  return (
    <Anchor href={url} target="_blank" rel="noreferrer" inherit>
      {url}
    </Anchor>
  );
}

export default function LinksTab({ window, periodKey, by }: ReportProps) {
  const api = useApi();
  const { pageNumber, setPage, param } = usePageParams();
  const emailId = param('email');
  const emails = useEmailNames();
  return (
    <ReportTable
      page={pageOf(
        api,
        listStatsLinks,
        { query: { ...window, emailId, pageNumber } },
        { periodKey, emailId, pageNumber },
      )}
      onPage={setPage}
      label={t.tabs.links}
      columns={columnsOf(by, (id) => emails.nameOf(id) ?? t.deleted)}
      rowKey={(row) => `${row.emailId} ${row.url}`}
      empty={{ icon: <LinkIcon size={20} />, title: t.noLinks, text: t.noLinksText }}
    />
  );
}
