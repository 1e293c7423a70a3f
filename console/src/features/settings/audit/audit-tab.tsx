import { listAuditLog } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { pageOf } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { CsvButton } from '../../../shared/csv-button.tsx';
import { EmptyState } from '../../../shared/empty-state.tsx';
import { LogIcon } from '../../../shared/icons.tsx';
import { exactTime } from '../../../shared/relative-time.ts';
import type { Column } from '../../../shared/table/column.ts';
import { DataTable, pagedQuery } from '../../../shared/table/data-table.tsx';
import { usePageParams } from '../../../shared/use-page-params.ts';
import { actionNames, audit as t } from '../../../texts/settings-access.ts';
import { t as words } from '../../../texts/shared.ts';
import { AdminOnly } from '../admin-only.tsx';
import { TabHead } from '../tab-head.tsx';
import { AuditFilters, filterNames } from './audit-filters.tsx';
import { endOfDay, startOfDay } from './days.ts';
import { EntryDrawer } from './entry-drawer.tsx';
import { exportPath } from './export-path.ts';
import { type AuditEntry, subjectText } from './subject.ts';

const columns: Column<AuditEntry>[] = [
  { id: 'action', title: t.action, cell: ({ action }) => actionNames[action] ?? action },
  { id: 'who', title: t.who, cell: ({ account }) => account?.name ?? t.nobody },
  {
    id: 'subject',
    title: t.subject,
    cell: (entry) => subjectText(entry) ?? words.empty,
    isEmpty: ({ subject }) => subject === null,
  },
  {
    id: 'address',
    title: t.address,
    cell: ({ address }) => address ?? words.empty,
    isEmpty: ({ address }) => address === null,
  },
  { id: 'at', title: t.when, cell: ({ at }) => <time dateTime={at}>{exactTime(at)}</time> },
];

export default function AuditTab() {
  return (
    <AdminOnly>
      <TabHead text={t.about} />
      <AuditLog />
    </AdminOnly>
  );
}

function AuditLog() {
  const api = useApi();
  const { pageNumber, param, setPage, clearing } = usePageParams();
  const [opened, setOpened] = useState<AuditEntry>();
  const filter = {
    action: param('action'),
    accountId: param('account'),
    from: startOfDay(param('from')),
    to: endOfDay(param('to')),
  };
  const query = useQuery({
    ...pageOf(api, listAuditLog, { query: { ...filter, pageNumber, pageSize: 50 } }),
    ...pagedQuery,
  });
  return (
    <>
      <AuditFilters>
        <CsvButton path={exportPath(filter)} />
      </AuditFilters>
      <DataTable
        label={t.list}
        query={query}
        onPage={setPage}
        columns={columns}
        rowKey={({ entryNo }) => String(entryNo)}
        onOpen={setOpened}
        empty={
          clearing(...filterNames) ? (
            <EmptyState title={t.nothingMatches} text={t.nothingMatchesText} />
          ) : (
            <EmptyState icon={<LogIcon size={20} />} title={t.none} text={t.noneText} />
          )
        }
      />
      <EntryDrawer entry={opened} onClose={() => setOpened(undefined)} />
    </>
  );
}
