import { Button, Select } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { listEmails } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { pageOf } from '../api/ask.ts';
import { useRights } from '../api/session/rights.ts';
import { useApi } from '../api/session/session.tsx';
import type { EmailRow, EmailSort } from '../features/emails/email-api.ts';
import { CreateEmailDialog } from '../features/emails/list/create-email-dialog.tsx';
import classes from '../features/emails/list/emails.module.css';
import { RowActions } from '../features/emails/list/row-actions.tsx';
import { Subject } from '../features/emails/list/subject.tsx';
import { EmptyState } from '../shared/empty-state.tsx';
import { useFolders } from '../shared/folders/use-folders.ts';
import { FolderIcon, MailIcon, PlusIcon } from '../shared/icons.tsx';
import { Moment } from '../shared/moment.tsx';
import { Page } from '../shared/page.tsx';
import { SearchBox } from '../shared/search-box.tsx';
import type { Column } from '../shared/table/column.ts';
import { DataTable, pagedQuery } from '../shared/table/data-table.tsx';
import toolbar from '../shared/toolbar.module.css';
import { Toolbar } from '../shared/toolbar.tsx';
import { usePageParams } from '../shared/use-page-params.ts';
import { t } from '../texts/emails.ts';
import { t as words } from '../texts/shared.ts';

const sorts: readonly string[] = ['name', '-updatedAt', '-createdAt'] satisfies EmailSort[];
const isSort = (text: string | undefined): text is EmailSort => text !== undefined && sorts.includes(text);

export default function EmailsPage() {
  const api = useApi();
  const { canWrite } = useRights();
  const { pageNumber, param, setParam, setPage, clearing } = usePageParams();
  const [creating, dialog] = useDisclosure(false);
  const folders = useFolders();
  const search = param('search');
  const folderId = param('folder');
  const asked = param('sort');
  const sort = isSort(asked) ? asked : undefined;
  const query = useQuery({
    ...pageOf(api, listEmails, { query: { search, folderId, sort, pageNumber } }),
    ...pagedQuery,
  });
  const create = canWrite && (
    <Button leftSection={<PlusIcon />} onClick={dialog.open} data-shortcut="create">
      {t.newEmail}
    </Button>
  );
  return (
    <Page title={t.emails} lead={t.lead} actions={create}>
      <Toolbar onClear={clearing('search', 'folder')}>
        <SearchBox
          label={t.searchEmails}
          placeholder={t.searchHint}
          value={search ?? ''}
          onSearch={(value) => setParam('search', value)}
          className={toolbar.grow}
        />
        <Select
          aria-label={t.folder}
          className={toolbar.fill ?? ''}
          placeholder={t.allFolders}
          leftSection={<FolderIcon />}
          data={folders.choices}
          value={folderId ?? null}
          onChange={(value) => setParam('folder', value ?? undefined)}
          clearable
          searchable
          clearButtonProps={{ 'aria-label': t.showAllFolders }}
        />
      </Toolbar>
      <DataTable
        query={query}
        label={t.emails}
        columns={columnsOf(folders.nameOf, canWrite)}
        rowKey={({ id }) => id}
        href={({ id }) => `/emails/${id}`}
        sort={sort}
        onSort={(next) => setParam('sort', next)}
        onPage={setPage}
        empty={
          search || folderId ? (
            <EmptyState title={t.nothingMatches} text={t.nothingMatchesText} />
          ) : (
            <EmptyState
              icon={<MailIcon size={20} />}
              title={t.noEmails}
              text={canWrite ? t.noEmailsText : words.addedByOthers}
            >
              {create}
            </EmptyState>
          )
        }
      />
      {creating && <CreateEmailDialog onClose={dialog.close} />}
    </Page>
  );
}

function columnsOf(folderName: (id: string | null) => string | undefined, canWrite: boolean): Column<EmailRow>[] {
  const columns: Column<EmailRow>[] = [
    {
      id: 'name',
      title: t.fields.name,
      sort: { up: 'name' },
      cell: (email) => (
        <>
          {email.name}
          <Subject email={email} className={classes.subject} />
        </>
      ),
    },
    { id: 'from', title: t.from, cell: ({ fromEmail }) => fromEmail.email },
    {
      id: 'folder',
      title: t.folder,
      cell: ({ directoryId }) => folderName(directoryId) ?? words.empty,
      isEmpty: ({ directoryId }) => directoryId === null,
    },
    {
      id: 'updated',
      title: t.updated,
      sort: { down: '-updatedAt' },
      cell: ({ updatedAt }) => <Moment at={updatedAt} />,
      width: '9rem',
    },
    {
      id: 'created',
      title: t.created,
      sort: { down: '-createdAt' },
      cell: ({ createdAt }) => <Moment at={createdAt} />,
      width: '9rem',
    },
  ];
  if (!canWrite) return columns;
  return [
    ...columns,
    {
      id: 'actions',
      title: t.actions,
      isUntitled: true,
      isIcon: true,
      cell: (email) => <RowActions email={email} />,
      width: '3.5rem',
    },
  ];
}
