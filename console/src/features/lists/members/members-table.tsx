// The members of a list: the table of contacts, narrowed to them, with its search, columns and export.
import { Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { about } from '../../../api/ask.ts';
import { SearchBox } from '../../../shared/search-box.tsx';
import type { Column } from '../../../shared/table/column.ts';
import toolbar from '../../../shared/toolbar.module.css';
import { Toolbar } from '../../../shared/toolbar.tsx';
import { t } from '../../../texts/lists.ts';
import { ColumnsMenu } from '../../contacts/columns/columns-menu.tsx';
import { useColumns } from '../../contacts/columns/use-columns.ts';
import { ContactsTable } from '../../contacts/contacts-table.tsx';
import { ExportMenu } from '../../contacts/export-menu.tsx';
import { nobody } from '../../contacts/selection/selection.ts';
import { type Contact, useContactRows, useContactView } from '../../contacts/use-contact-view.ts';
import { idOf, isStatic, type ListKey } from '../list-key.ts';

interface MembersTableProps {
  list: ListKey;
  name: string;
  /** Its size as the list says it, and whether its filter is still running: when they change, the table is read again. */
  size: number;
  isBuilding?: boolean;
  more?: readonly Column<Contact>[];
  empty: ReactNode;
}

export function MembersTable({ list, name, size, isBuilding = false, more, empty }: MembersTableProps) {
  const { view, sort, setSearch, setSort, clear } = useContactView();
  const [id, ofStatic] = [idOf(list), isStatic(list)];
  const members = useMemo(() => {
    const filterText = JSON.stringify(ofStatic ? { staticListId: id } : { dynamicListId: id });
    return { search: view.search, filterText };
  }, [id, ofStatic, view.search]);
  const rows = useContactRows(members, sort);
  const columns = useColumns();
  useFresh(`${size} ${isBuilding}`);
  return (
    <>
      <Toolbar
        onClear={clear}
        end={
          <>
            <ColumnsMenu columns={columns} />
            <ExportMenu view={members} columns={columns} fileName={`${name || t.members}.csv`} />
          </>
        }
      >
        <SearchBox
          label={t.searchMembers}
          placeholder={t.searchMembersHint}
          value={view.search ?? ''}
          onSearch={setSearch}
          className={toolbar.grow}
        />
      </Toolbar>
      {isBuilding && <Text c="dimmed">{t.buildingText}</Text>}
      <ContactsTable
        {...{ rows, columns, sort, empty }}
        {...(more ? { more } : {})}
        label={t.members}
        selection={nobody}
        onSort={setSort}
        onSelect={undefined}
        isNarrowed={view.search !== undefined}
      />
    </>
  );
}

/** Contacts are read again when this changes. */
function useFresh(state: string): void {
  const queries = useQueryClient();
  const seen = useRef(state);
  useEffect(() => {
    if (seen.current === state) return;
    seen.current = state;
    void queries.invalidateQueries(about('contacts'));
  }, [queries, state]);
}
