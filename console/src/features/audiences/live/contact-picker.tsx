import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type DataValue, getContact, listContacts } from '@rapport/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf, pageOf } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { t } from '../../../texts/audience.ts';

type Contact = DataValue<typeof listContacts>;

/** The label of a contact: its name if there is one. */
export function contactName({ email, properties }: Pick<Contact, 'email' | 'properties'>): string {
  const names = [properties.first_name, properties.last_name].filter((name) => typeof name === 'string' && name !== '');
  return names.length > 0 ? names.join(' ') : email;
}

const labelOf = (contact: Contact) =>
  contactName(contact) === contact.email ? contact.email : `${contactName(contact)} · ${contact.email}`;

/** The contact with the id in an address. */
export function useContact(id: string | undefined) {
  const api = useApi();
  return useQuery({
    ...dataOf(api, getContact, { params: { id: id ?? '' } }),
    enabled: id !== undefined,
  });
}

interface ContactPickerProps {
  label: string;
  contactId: string | undefined;
  onChange: (contactId: string | undefined) => void;
}

/** Finds one contact among millions: the API searches, this shows the first few. */
export function ContactPicker({ label, contactId, onChange }: ContactPickerProps) {
  const api = useApi();
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  const { data: chosen } = useContact(contactId);
  const isSearch = !chosen || text !== labelOf(chosen);
  const [search] = useDebouncedValue(isSearch ? text.trim() : '', 250);
  const { data: found = [], isFetching } = useQuery({
    ...pageOf(api, listContacts, { query: { search, pageSize: 10 } }),
    select: ({ rows }) => rows,
    enabled: isOpen,
    placeholderData: keepPreviousData,
  });
  const contacts = chosen && !found.some(({ id }) => id === chosen.id) ? [chosen, ...found] : found;
  return (
    <Select
      label={label}
      placeholder={t.contactHint}
      data={contacts.map((each) => ({ value: each.id, label: labelOf(each) }))}
      value={contactId ?? null}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t.clearContact }}
      onSearchChange={setText}
      onDropdownOpen={() => setOpen(true)}
      // The API has already searched.
      filter={({ options }) => options}
      nothingFoundMessage={isFetching ? t.searching : t.noContact}
      onChange={(id) => onChange(id ?? undefined)}
    />
  );
}
