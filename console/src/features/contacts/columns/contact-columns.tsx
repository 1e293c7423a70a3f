import { nameOf } from '../../../shared/contact-name.ts';
import { Moment } from '../../../shared/moment.tsx';
import { PropertyValue } from '../../../shared/property-value.tsx';
import type { Column } from '../../../shared/table/column.ts';
import { t } from '../../../texts/contacts.ts';
import classes from '../contacts.module.css';
import type { Contact } from '../use-contact-view.ts';
import type { ColumnId } from './chosen-columns.ts';
import { ownTitles } from './own-titles.ts';

const email: Column<Contact> = {
  id: 'email',
  title: t.email,
  // People look for addresses, so these get the space.
  width: '15rem',
  cell: (contact) => (
    <span className={classes.line} title={contact.email}>
      {contact.email}
    </span>
  ),
  sort: { up: 'email', down: '-email' },
};

// `59 minutes ago` on one line: a row that wraps would be taller than the others.
const whenWidth = '9rem';
const When = ({ at }: { at: string }) => (
  <span className={classes.line}>
    <Moment at={at} />
  </span>
);

export function contactColumns(ids: readonly ColumnId[]): Column<Contact>[] {
  return [email, ...ids.map(columnOf)];
}

function columnOf(id: ColumnId): Column<Contact> {
  switch (id) {
    case 'name':
      return {
        id,
        title: ownTitles.name,
        cell: (contact) => <PropertyValue value={nameOf(contact.properties)} />,
        isEmpty: (contact) => !nameOf(contact.properties),
      };
    case 'createdAt':
      return {
        id,
        title: ownTitles.createdAt,
        cell: ({ createdAt }) => <When at={createdAt} />,
        sort: { up: 'createdAt', down: '-createdAt' },
        width: whenWidth,
      };
    case 'updatedAt':
      return { id, title: ownTitles.updatedAt, cell: ({ updatedAt }) => <When at={updatedAt} />, width: whenWidth };
    case 'id':
      return {
        id,
        title: ownTitles.id,
        cell: (contact) => <code className={classes.line}>{contact.id}</code>,
        width: '19rem',
      };
    default:
      return propertyColumn(id.slice(2));
  }
}

function propertyColumn(key: string): Column<Contact> {
  const valueIn = ({ properties }: Contact) => (Object.hasOwn(properties, key) ? properties[key] : null);
  return {
    id: `p:${key}`,
    title: key,
    cell: (contact) => <PropertyValue value={valueIn(contact)} />,
    isEmpty: (contact) => valueIn(contact) === null,
  };
}
