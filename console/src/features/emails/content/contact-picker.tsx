import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { listContacts } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { pageOf } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { contactLabel } from '../../../shared/contact-name.ts';
import { t } from '../../../texts/emails.ts';
import type { Contact } from '../email-api.ts';

interface ContactPickerProps {
  label: string;
  labelHidden?: boolean;
  /** In the field while no contact is chosen. */
  hint?: string;
  required?: boolean;
  contact: Contact | undefined;
  onChange: (contact: Contact | undefined) => void;
}

/** Finds one contact among millions: the API searches, this only shows the first few. */
export function ContactPicker(props: ContactPickerProps) {
  const { label, labelHidden = false, hint = t.nobody, required = false, contact, onChange } = props;
  const api = useApi();
  const [text, setText] = useState('');
  const [isOpen, setIsOpen] = useState(false);
  // The label of the selected contact is in the box; it is not a search.
  const isSearch = !contact || text !== contactLabel(contact);
  const [search] = useDebouncedValue(isSearch ? text.trim() : '', 250);
  const { data: found = [], isFetching } = useQuery({
    ...pageOf(api, listContacts, { query: { search, pageSize: 20 } }),
    select: ({ rows }) => rows,
    enabled: isOpen,
    placeholderData: (old) => old,
  });
  const contacts = contact && !found.some(({ id }) => id === contact.id) ? [contact, ...found] : found;
  return (
    <Select
      {...(labelHidden ? { 'aria-label': label } : { label })}
      placeholder={hint}
      required={required}
      data={contacts.map((each) => ({ value: each.id, label: contactLabel(each) }))}
      value={contact?.id ?? null}
      onChange={(id) => onChange(contacts.find((each) => each.id === id))}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t.previewAsNobody }}
      onSearchChange={setText}
      onDropdownOpen={() => setIsOpen(true)}
      // The API has already searched.
      filter={({ options }) => options}
      nothingFoundMessage={isFetching ? t.searching : t.nobodyFound}
      comboboxProps={{ withinPortal: true }}
    />
  );
}
