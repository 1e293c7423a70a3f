import { ActionIcon } from '@mantine/core';
import { useMemo } from 'react';
import { useRights } from '../api/session/rights.ts';
import { StaticListActions } from '../features/lists/static/static-list-actions.tsx';
import {
  type Member,
  nameOf,
  type StaticList,
  useMembers,
  useRemoveMember,
  useStaticList,
} from '../features/lists/static/static-list-api.ts';
import { BackLink } from '../shared/back-link.tsx';
import { DownloadButton } from '../shared/download-button.tsx';
import { EmptyState } from '../shared/empty-state.tsx';
import { ErrorState } from '../shared/error-state.tsx';
import { useFolders } from '../shared/folders/use-folders.ts';
import { CloseIcon, PeopleIcon } from '../shared/icons.tsx';
import { Page } from '../shared/page.tsx';
import type { PageParams } from '../shared/page-params.ts';
import type { Column } from '../shared/table/column.ts';
import { DataTable } from '../shared/table/data-table.tsx';
import { usePageParams } from '../shared/use-page-params.ts';
import { t } from '../texts/lists.ts';
import { t as shared } from '../texts/shared.ts';

export default function StaticListPage({ params: { id = '' } }: PageParams) {
  const { canWrite } = useRights();
  const { pageNumber, setPage } = usePageParams();
  const { data: list, error, refetch } = useStaticList(id);
  const members = useMembers(id, pageNumber);
  const folders = useFolders();
  const { mutate: remove } = useRemoveMember(id, pageNumber);
  const columns = useMemo(() => columnsOf(canWrite ? remove : undefined), [canWrite, remove]);
  const above = <BackLink href="/lists" label={t.lists} />;
  if (error && !list)
    return (
      <Page title={t.staticList} above={above}>
        <ErrorState error={error} onRetry={() => void refetch()} />
      </Page>
    );
  return (
    <Page
      title={list?.name ?? t.staticList}
      above={above}
      lead={list ? leadOf(list, folders.nameOf(list.directoryId ?? null)) : t.staticList}
      actions={
        <>
          <DownloadButton
            path={`/exports/contacts?listId=${encodeURIComponent(id)}`}
            fileName={`${list?.name ?? t.staticList}.csv`}
            label={t.export}
          />
          {list && canWrite && <StaticListActions list={list} />}
        </>
      }
    >
      <DataTable
        query={members}
        onPage={setPage}
        label={t.members}
        columns={columns}
        rowKey={({ contactId }) => contactId}
        href={({ contactId }) => `/contacts/${contactId}`}
        empty={<EmptyState icon={<PeopleIcon size={20} />} title={t.noMembers} text={t.noMembersText} />}
      />
    </Page>
  );
}

function leadOf({ numRecords }: StaticList, folder: string | undefined): string {
  return [t.staticList, t.memberCount(numRecords), ...(folder ? [t.inFolder(folder)] : [])].join(' · ');
}

function columnsOf(remove: ((member: Member) => void) | undefined): Column<Member>[] {
  const text = (id: keyof Member, title: string): Column<Member> => ({
    id,
    title,
    cell: (member) => member[id] ?? shared.empty,
    isEmpty: (member) => member[id] === null,
  });
  return [
    { id: 'email', title: t.email, cell: ({ email }) => email },
    {
      id: 'name',
      title: t.name,
      cell: (member) => nameOf(member) || shared.empty,
      isEmpty: (member) => nameOf(member) === '',
    },
    text('companyName', t.company),
    text('title', t.title),
    text('phoneNumber', t.phone),
    ...(remove ? [removal(remove)] : []),
  ];
}

function removal(remove: (member: Member) => void): Column<Member> {
  return {
    id: 'remove',
    title: t.removeColumn,
    isUntitled: true,
    isIcon: true,
    width: '3.5rem',
    cell: (member) => (
      <ActionIcon variant="subtle" color="gray" aria-label={t.remove(member.email)} onClick={() => remove(member)}>
        <CloseIcon size={14} />
      </ActionIcon>
    ),
  };
}
