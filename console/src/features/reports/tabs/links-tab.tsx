// The addresses that were clicked, of all emails or of one.
import { Anchor, Select } from '@mantine/core';
import { type DataValue, listEmails, listStatsLinks } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { allOf } from '../../../api.ts';
import { keys } from '../../../queries/keys.ts';
import { useApi } from '../../../session/session.tsx';
import { EmptyState } from '../../../shared/empty-state.tsx';
import { LinkIcon } from '../../../shared/icons.tsx';
import type { Column } from '../../../shared/table/column.ts';
import { DataTable, pagedQuery } from '../../../shared/table/data-table.tsx';
import { Toolbar } from '../../../shared/toolbar.tsx';
import { usePageParams } from '../../../shared/use-page-params.ts';
import { figures, t } from '../../../texts/reports.ts';
import type { By } from '../by.ts';
import { countColumn } from '../figure-columns.tsx';
import { Meanings } from '../meanings.tsx';
import type { ReportProps } from '../report-props.ts';

type Row = DataValue<typeof listStatsLinks>;

function columnsOf(by: By, nameOf: (id: string) => string): Column<Row>[] {
  const clicked = { label: figures.clicked.label, definition: t.uniqueOfLink };
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
  const { pageNumber, setPage, param, setParam } = usePageParams();
  const emailId = param('email');
  const query = useQuery({
    queryKey: keys.stats.any('links', { periodKey, emailId, pageNumber }),
    queryFn: ({ signal }) => api.page(listStatsLinks, { query: { ...window, emailId, pageNumber }, signal }),
    ...pagedQuery,
  });
  const { data: emails = [] } = useQuery({
    queryKey: keys.emails.any('names'),
    queryFn: () => allOf(api.rows(listEmails, { query: { pageSize: 100 } })),
    staleTime: 60_000,
  });
  const names = new Map(emails.map((email) => [email.emailId, email.name]));
  const columns = columnsOf(by, (id) => names.get(id) ?? t.deleted);
  return (
    <>
      <Toolbar>
        <Select
          aria-label={t.email}
          placeholder={t.allEmails}
          data={[...names].map(([value, label]) => ({ value, label }))}
          value={emailId ?? null}
          onChange={(value) => setParam('email', value ?? undefined)}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': t.allEmails }}
        />
      </Toolbar>
      <DataTable
        query={query}
        onPage={setPage}
        label={t.tabs.links}
        columns={columns}
        rowKey={(row) => `${row.emailId} ${row.url}`}
        empty={<EmptyState icon={<LinkIcon size={20} />} title={t.noLinks} text={t.noLinksText} />}
      />
      <Meanings columns={columns} />
    </>
  );
}
