import type { ContactView } from './use-contact-view.ts';

/** The path of the contacts file. Without `columns` it has the email and every property. */
export function exportPath({ search, filterText }: ContactView, columns?: string): string {
  const query = new URLSearchParams();
  if (search) query.set('search', search);
  if (filterText) query.set('filter', filterText);
  if (columns) query.set('columns', columns);
  const text = query.toString();
  return text ? `/exports/contacts?${text}` : '/exports/contacts';
}
