import { Text } from '@mantine/core';
import { type DataValue, listDynamicMembers } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { pageOf } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { DownloadButton } from '../../../shared/download-button.tsx';
import { EmptyState } from '../../../shared/empty-state.tsx';
import { PeopleIcon } from '../../../shared/icons.tsx';
import { Moment } from '../../../shared/moment.tsx';
import type { Column } from '../../../shared/table/column.ts';
import { DataTable, pagedQuery } from '../../../shared/table/data-table.tsx';
import { Toolbar } from '../../../shared/toolbar.tsx';
import { usePageParams } from '../../../shared/use-page-params.ts';
import { t } from '../../../texts/audience.ts';

type Member = DataValue<typeof listDynamicMembers>;

const columns: readonly Column<Member>[] = [
  { id: 'email', title: t.person, cell: ({ email }) => email },
  { id: 'joined', title: t.joined, cell: ({ joinedAt }) => <Moment at={joinedAt} /> },
];

export function MembersTab({ id, name, isBuilding }: { id: string; name: string; isBuilding: boolean }) {
  const api = useApi();
  const { pageNumber, setPage } = usePageParams();
  const query = useQuery({
    // Fetched once more when the list is built: the last result before that may have been empty.
    ...pageOf(api, listDynamicMembers, { params: { id }, query: { pageNumber } }, { pageNumber, isBuilding }),
    refetchInterval: isBuilding ? 1500 : false,
    ...pagedQuery,
  });
  const path = `/exports/contacts?dynamicListId=${id}`;
  return (
    <>
      <Toolbar end={<DownloadButton path={path} fileName={`${name || t.dynamicList}.csv`} label={t.export} />}>
        {isBuilding && <Text c="dimmed">{t.buildingText}</Text>}
      </Toolbar>
      <DataTable
        query={query}
        onPage={setPage}
        label={t.members}
        columns={columns}
        rowKey={({ contactId }) => contactId}
        href={({ contactId }) => `/contacts/${contactId}`}
        empty={<EmptyState icon={<PeopleIcon size={20} />} title={t.noMembers} text={t.noMembersText} />}
      />
    </>
  );
}
