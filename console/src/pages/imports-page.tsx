import { Button } from '@mantine/core';
import { listImports } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { pageOf } from '../api/ask.ts';
import { useRights } from '../api/session/rights.ts';
import { useApi } from '../api/session/session.tsx';
import { FileDrop } from '../features/imports/file/file-drop.tsx';
import type { ContactImport } from '../features/imports/import-api.ts';
import { EmptyState } from '../shared/empty-state.tsx';
import { UploadIcon } from '../shared/icons.tsx';
import { Moment } from '../shared/moment.tsx';
import { Page } from '../shared/page.tsx';
import type { Column } from '../shared/table/column.ts';
import { DataTable, pagedQuery } from '../shared/table/data-table.tsx';
import { ToneBadge } from '../shared/tone-badge.tsx';
import { usePageParams } from '../shared/use-page-params.ts';
import { t } from '../texts/imports.ts';
import { whole } from '../texts/numbers.ts';

const columns: readonly Column<ContactImport>[] = [
  { id: 'file', title: t.file, cell: ({ fileName }) => fileName ?? t.noName },
  { id: 'started', title: t.started, cell: ({ createdAt }) => <Moment at={createdAt} /> },
  { id: 'state', title: t.state, cell: (row) => <State row={row} /> },
  { id: 'rows', title: t.rows, isNumber: true, cell: ({ progress }) => whole(progress.total) },
  { id: 'created', title: t.created, isNumber: true, cell: ({ counts }) => whole(counts.CREATED) },
  { id: 'updated', title: t.updated, isNumber: true, cell: ({ counts }) => whole(counts.UPDATED) },
  { id: 'failed', title: t.failed, isNumber: true, cell: ({ counts }) => whole(counts.FAILED) },
  { id: 'by', title: t.by, cell: ({ createdBy }) => createdBy?.name ?? '' },
  { id: 'format', title: t.format, cell: ({ format }) => t.formats[format] },
];

export default function ImportsPage() {
  const api = useApi();
  const { canWrite } = useRights();
  const { pageNumber, setPage } = usePageParams();
  const query = useQuery({
    ...pageOf(api, listImports, { query: { pageNumber } }),
    // While an import runs, its row changes.
    refetchInterval: ({ state }) => (state.data?.rows.some(({ status }) => status === 'PENDING') ? 2000 : false),
    ...pagedQuery,
  });
  const start = canWrite && (
    <Button component={Link} href="/contacts/import" leftSection={<UploadIcon />} data-shortcut="create">
      {t.newFile}
    </Button>
  );
  return (
    <Page title={t.imports} lead={t.importsLead} actions={start}>
      <DataTable
        query={query}
        onPage={setPage}
        label={t.imports}
        columns={columns}
        rowKey={({ transactionId }) => transactionId}
        href={({ transactionId }) => `/imports/${transactionId}`}
        empty={
          <EmptyState
            icon={<UploadIcon size={20} />}
            title={t.noImports}
            text={canWrite ? t.noImportsText : t.noImportsFact}
          >
            {start}
          </EmptyState>
        }
      />
      {canWrite && <FileDrop />}
    </Page>
  );
}

function State({ row: { status, progress } }: { row: ContactImport }) {
  if (status === 'DONE') return <ToneBadge tone="good">{t.done}</ToneBadge>;
  return <ToneBadge tone="info">{`${t.pending} · ${t.of(progress.done, progress.total)}`}</ToneBadge>;
}
