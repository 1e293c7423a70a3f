import { Button } from '@mantine/core';
import { type CSSProperties, type ReactNode, useMemo } from 'react';
import { Link } from 'wouter';
import { nameOf } from '../../shared/contact-name.ts';
import { EmptyState } from '../../shared/empty-state.tsx';
import { PeopleIcon } from '../../shared/icons.tsx';
import type { Column } from '../../shared/table/column.ts';
import { DataTable } from '../../shared/table/data-table.tsx';
import type { RowWindow } from '../../shared/table/use-row-window.ts';
import { t } from '../../texts/contacts.ts';
import { t as words } from '../../texts/shared.ts';
import { contactColumns } from './columns/contact-columns.tsx';
import type { Columns } from './columns/use-columns.ts';
import classes from './contacts.module.css';
import { idsOf, type Selection } from './selection/selection.ts';
import type { Contact } from './use-contact-view.ts';

interface ContactsTableProps {
  rows: RowWindow<Contact>;
  columns: Columns;
  sort: string;
  selection: Selection;
  onSort: (sort: string | undefined) => void;
  /** Undefined if there are no actions for a selection. */
  onSelect: ((selection: Selection) => void) | undefined;
  isNarrowed: boolean;
  label?: string;
  /** After those that were chosen. */
  more?: readonly Column<Contact>[];
  /** In place of the words for a workspace without contacts. */
  empty?: ReactNode;
}

// More columns than this do not fit: the table scrolls sideways instead.
const mostInView = 6;

const nothingMore: readonly Column<Contact>[] = [];

export function ContactsTable({
  rows,
  columns,
  sort,
  selection,
  onSort,
  onSelect,
  isNarrowed,
  empty,
  label = t.contacts,
  more = nothingMore,
}: ContactsTableProps) {
  const shown = useMemo(() => [...contactColumns(columns.ids), ...more], [columns.ids, more]);
  const look: CSSProperties & { '--columns': number } = { '--columns': columns.ids.length };
  return (
    <div className={`${classes.wide} ${columns.ids.length > mostInView ? classes.scrolls : ''}`} style={look}>
      <DataTable
        window={rows}
        label={label}
        columns={shown}
        rowKey={({ id }) => id}
        href={({ id }) => `/contacts/${id}`}
        sort={sort}
        onSort={onSort}
        {...(onSelect
          ? {
              picking: {
                picked: idsOf(selection),
                onPick: (ids: Set<string>) => onSelect({ kind: 'some', ids }),
                nameOf: (contact: Contact) => nameOf(contact.properties) ?? contact.email,
              },
            }
          : {})}
        empty={
          isNarrowed ? (
            <EmptyState title={t.noMatch} text={t.noMatchText} />
          ) : (
            (empty ?? <NoContacts canWrite={Boolean(onSelect)} />)
          )
        }
      />
    </div>
  );
}

function NoContacts({ canWrite }: { canWrite: boolean }) {
  return (
    <EmptyState
      icon={<PeopleIcon size={20} />}
      title={t.noContacts}
      text={canWrite ? t.noContactsText : words.addedByOthers}
    >
      {canWrite && (
        <Button component={Link} href="/contacts/import">
          {t.import}
        </Button>
      )}
    </EmptyState>
  );
}
