import { MultiSelect } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { listContacts } from '@rapport/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { pageOf } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { contactLabel } from '../../../shared/contact-name.ts';
import { FormDialog } from '../../../shared/form/form-dialog.tsx';
import { useForm } from '../../../shared/form/use-form.ts';
import { t } from '../../../texts/lists.ts';
import { useAddMembers } from './static-list-api.ts';

interface Choice {
  value: string;
  label: string;
}

/** Finds contacts and adds them. Selected ones stay while searching for more. */
export function AddPeopleDialog({ listId, onClose }: { listId: string; onClose: () => void }) {
  const api = useApi();
  const addMembers = useAddMembers(listId);
  const form = useForm({
    draft: `list-members:${listId}`,
    initial: { picked: [] as readonly Choice[] },
    labels: { picked: t.searchPeople },
    // Without a selection, Enter and the button do nothing.
    check: ({ picked }) => (picked.length === 0 ? { picked: '' } : {}),
    send: ({ picked }) => addMembers(picked.map(({ value }) => value)),
    onClose,
  });
  const { picked } = form.values;
  const [text, setText] = useState('');
  const [search] = useDebouncedValue(text.trim(), 250);
  const { data: found = [], isFetching } = useQuery({
    ...pageOf(api, listContacts, { query: { search, pageSize: 20 } }),
    select: ({ rows }) => rows,
    placeholderData: keepPreviousData,
  });
  const choices = found.map((contact): Choice => ({ value: contact.id, label: contactLabel(contact) }));
  const known = [...picked, ...choices.filter(({ value }) => !picked.some((each) => each.value === value))];
  return (
    <FormDialog form={form} title={t.add} submit={t.addSelected(picked.length)}>
      <MultiSelect
        label={t.searchPeople}
        description={t.addText}
        data={known}
        value={picked.map(({ value }) => value)}
        onChange={(ids) => form.set({ picked: known.filter(({ value }) => ids.includes(value)) })}
        searchValue={text}
        onSearchChange={setText}
        searchable
        hidePickedOptions
        data-autofocus
        // The API has already searched.
        filter={({ options }) => options}
        nothingFoundMessage={isFetching ? t.searching : t.nobodyFound}
      />
    </FormDialog>
  );
}
