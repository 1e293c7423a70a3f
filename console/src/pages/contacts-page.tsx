// All contacts in one table, narrowed by a search and a filter that are in its address.
import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { useRights } from '../api/session/rights.ts';
import { faultsOf } from '../features/audiences/builder/filter-builder.tsx';
import { SaveListDialog } from '../features/audiences/save-list-dialog.tsx';
import { ColumnsMenu } from '../features/contacts/columns/columns-menu.tsx';
import { useColumns } from '../features/contacts/columns/use-columns.ts';
import { ContactsTable } from '../features/contacts/contacts-table.tsx';
import { CreateContactDialog } from '../features/contacts/create-contact-dialog.tsx';
import { ExportMenu } from '../features/contacts/export-menu.tsx';
import { FilterDrawer } from '../features/contacts/filter-drawer.tsx';
import { FilterLine } from '../features/contacts/filter-line.tsx';
import { AddToListDialog } from '../features/contacts/selection/add-to-list-dialog.tsx';
import { nobody, type Selection, sizeOf } from '../features/contacts/selection/selection.ts';
import { SelectionBar } from '../features/contacts/selection/selection-bar.tsx';
import { type ContactView, useContactRows, useContactView } from '../features/contacts/use-contact-view.ts';
import { FileDrop } from '../features/imports/file/file-drop.tsx';
import { BrokenLink } from '../shared/broken-link.tsx';
import { FilterIcon, PlusIcon, UploadIcon } from '../shared/icons.tsx';
import { Page } from '../shared/page.tsx';
import { SearchBox } from '../shared/search-box.tsx';
import toolbar from '../shared/toolbar.module.css';
import { Toolbar } from '../shared/toolbar.tsx';
import { t } from '../texts/contacts.ts';
import { t as words } from '../texts/filter.ts';

type Dialog = 'filter' | 'save' | 'create' | 'add';

export default function ContactsPage() {
  const { canWrite } = useRights();
  const { view, filter, filterFault, isLink, sort, setSearch, setSort, setFilter, clear } = useContactView();
  const rows = useContactRows(view, sort);
  const columns = useColumns();
  const [dialog, setDialog] = useState<Dialog>();
  const [selection, select] = useSelection(view);
  const { search, filterText } = view;
  const total = rows.isPending || rows.error ? undefined : rows.total;
  const isRefused = isLink && faultsOf(rows.error).length > 0;
  const broken = filterFault ? words.unreadableLink : isRefused ? words.refused : undefined;
  const close = () => setDialog(undefined);
  return (
    <Page
      title={t.contacts}
      lead={total === undefined || clear ? t.lead : t.total(total)}
      actions={canWrite && <Actions onCreate={() => setDialog('create')} />}
    >
      <Toolbar
        onClear={clear}
        end={
          <>
            <ColumnsMenu columns={columns} />
            <ExportMenu view={view} columns={columns} />
          </>
        }
      >
        <SearchBox
          label={t.search}
          placeholder={t.searchHint}
          value={search ?? ''}
          onSearch={setSearch}
          className={toolbar.grow}
        />
        <Button variant="default" leftSection={<FilterIcon />} onClick={() => setDialog('filter')}>
          {t.filter}
        </Button>
      </Toolbar>
      {broken && <BrokenLink why={broken} onStart={() => setFilter(undefined)} />}
      {filterText && !broken && (
        <FilterLine
          {...{ filterText, total }}
          canSave={canWrite && filter !== undefined}
          onEdit={() => setDialog('filter')}
          onSave={() => setDialog('save')}
        />
      )}
      {!broken && (
        <ContactsTable
          {...{ rows, columns, sort, selection }}
          onSort={setSort}
          onSelect={canWrite ? select : undefined}
          isNarrowed={clear !== undefined}
        />
      )}
      {canWrite && sizeOf(selection, rows.total) > 0 && (
        <SelectionBar
          {...{ selection, total: rows.total }}
          onSelectAll={() => select({ kind: 'all' })}
          onClear={() => select(nobody)}
          onAdd={() => setDialog('add')}
        />
      )}
      {canWrite && <FileDrop />}
      {dialog === 'filter' && (
        <FilterDrawer
          {...{ filter, total }}
          faults={faultsOf(rows.error)}
          canSave={canWrite}
          onChange={setFilter}
          onClose={close}
          onSave={() => setDialog('save')}
        />
      )}
      {dialog === 'save' && filter && <SaveListDialog filter={filter} onClose={close} />}
      {dialog === 'create' && <CreateContactDialog onClose={close} />}
      {dialog === 'add' && (
        <AddToListDialog {...{ selection, view, total: rows.total }} onClose={close} onDone={() => select(nobody)} />
      )}
    </Page>
  );
}

function Actions({ onCreate }: { onCreate: () => void }) {
  return (
    <>
      <Button variant="default" leftSection={<UploadIcon />} component={Link} href="/contacts/import">
        {t.import}
      </Button>
      <Button leftSection={<PlusIcon />} onClick={onCreate} data-shortcut="create">
        {t.newContact}
      </Button>
    </>
  );
}

/** The selection belongs to the rows that the table had then: another search or filter clears it. */
function useSelection(view: ContactView) {
  const [made, setMade] = useState<{ view: ContactView; selection: Selection }>();
  const selection = made?.view === view ? made.selection : nobody;
  return [selection, (next: Selection) => setMade({ view, selection: next })] as const;
}
