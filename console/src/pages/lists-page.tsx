import { Button, Select } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link } from 'wouter';
import { useRights } from '../api/session/rights.ts';
import { CreateListDialog } from '../features/lists/create-list-dialog.tsx';
import { Freshness } from '../features/lists/freshness.tsx';
import { hrefOf, type ListRow, type ListState, useListStates, useLists } from '../features/lists/list-rows.ts';
import { EmptyState } from '../shared/empty-state.tsx';
import { useFolders } from '../shared/folders/use-folders.ts';
import { FilterIcon, FolderIcon, ListIcon, PlusIcon } from '../shared/icons.tsx';
import { Moment } from '../shared/moment.tsx';
import { Page } from '../shared/page.tsx';
import { SearchBox } from '../shared/search-box.tsx';
import type { Column } from '../shared/table/column.ts';
import { DataTable } from '../shared/table/data-table.tsx';
import { ToneBadge } from '../shared/tone-badge.tsx';
import toolbar from '../shared/toolbar.module.css';
import { Toolbar } from '../shared/toolbar.tsx';
import { usePageParams } from '../shared/use-page-params.ts';
import { t } from '../texts/lists.ts';
import { whole } from '../texts/numbers.ts';
import { t as shared } from '../texts/shared.ts';

const types = [
  { value: 'static', label: t.static },
  { value: 'dynamic', label: t.dynamic },
];

export default function ListsPage() {
  const { canWrite } = useRights();
  const { param, setParam, clearing } = usePageParams();
  const [isCreating, dialog] = useDisclosure(false);
  const folders = useFolders();
  const states = useListStates();
  const named = param('type');
  const type = named === 'static' || named === 'dynamic' ? named : undefined;
  const rows = useLists(type, param('search'), param('folder'));
  const clear = clearing('search', 'type', 'folder');
  const columns = columnsOf(states, folders.nameOf);
  const actions = <Actions onCreate={dialog.open} />;
  return (
    <Page title={t.lists} lead={t.lead} actions={canWrite && actions}>
      <Toolbar onClear={clear}>
        <SearchBox
          label={t.search}
          placeholder={t.searchHint}
          value={param('search') ?? ''}
          onSearch={(text) => setParam('search', text)}
          className={toolbar.grow}
        />
        <Select
          aria-label={t.type}
          placeholder={t.allTypes}
          className={toolbar.fill ?? ''}
          data={types}
          value={type ?? null}
          onChange={(next) => setParam('type', next ?? undefined)}
          clearable
          clearButtonProps={{ 'aria-label': t.showAllTypes }}
        />
        <Select
          aria-label={t.folder}
          placeholder={t.allFolders}
          className={toolbar.fill ?? ''}
          leftSection={<FolderIcon />}
          data={folders.choices}
          value={param('folder') ?? null}
          onChange={(next) => setParam('folder', next ?? undefined)}
          clearable
          searchable
          clearButtonProps={{ 'aria-label': t.showAllFolders }}
        />
      </Toolbar>
      <DataTable
        rows={rows}
        isCounted
        label={t.lists}
        columns={columns}
        rowKey={({ id }) => id}
        href={hrefOf}
        sort={param('sort')}
        onSort={(sort) => setParam('sort', sort)}
        empty={
          clear ? (
            <EmptyState title={t.noMatch} text={t.noMatchText} />
          ) : (
            <EmptyState
              icon={<ListIcon size={20} />}
              title={t.noLists}
              text={canWrite ? t.noListsText : shared.addedByOthers}
            >
              {canWrite && actions}
            </EmptyState>
          )
        }
      />
      {isCreating && <CreateListDialog folders={folders.choices.map(({ label }) => label)} onClose={dialog.close} />}
    </Page>
  );
}

function Actions({ onCreate }: { onCreate: () => void }) {
  return (
    <>
      <Button variant="default" leftSection={<PlusIcon />} onClick={onCreate} data-shortcut="create-static">
        {t.newStatic}
      </Button>
      <Button leftSection={<FilterIcon />} component={Link} href="/audience" data-shortcut="create">
        {t.newDynamic}
      </Button>
    </>
  );
}

type NameOf = (folderId: string | null) => string | undefined;

function columnsOf(states: ReadonlyMap<string, ListState>, folderName: NameOf): Column<ListRow>[] {
  const membersOf = ({ id, members }: ListRow) => members ?? states.get(id)?.memberCount ?? null;
  return [
    { id: 'name', title: t.name, cell: ({ name }) => name, sortBy: ({ name }) => name },
    {
      id: 'type',
      title: t.type,
      cell: ({ type }) => <ToneBadge tone={type === 'static' ? 'quiet' : 'info'}>{t[type]}</ToneBadge>,
      sortBy: ({ type }) => type,
    },
    {
      id: 'members',
      title: t.contacts,
      cell: (row) => {
        const count = membersOf(row);
        return count === null ? shared.empty : whole(count);
      },
      sortBy: membersOf,
      isNumber: true,
    },
    {
      id: 'freshness',
      title: t.freshness,
      cell: ({ type, id }) => (type === 'static' ? shared.empty : <Freshness state={states.get(id)} />),
      isEmpty: ({ type }) => type === 'static',
    },
    {
      id: 'folder',
      title: t.folder,
      cell: ({ folderId }) => folderName(folderId) ?? shared.empty,
      isEmpty: ({ folderId }) => folderId === null,
      sortBy: ({ folderId }) => folderName(folderId) ?? null,
    },
    {
      id: 'updated',
      title: t.updated,
      cell: ({ updatedAt }) => (updatedAt ? <Moment at={updatedAt} /> : shared.empty),
      sortBy: ({ updatedAt }) => updatedAt,
    },
  ];
}
