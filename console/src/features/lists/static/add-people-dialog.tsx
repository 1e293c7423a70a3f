import { Button, Group, MultiSelect, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type DataValue, listContacts } from '@rapport/contract';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { keys } from '../../../queries/keys.ts';
import { useApi } from '../../../session/session.tsx';
import { Modal } from '../../../shared/dialog.tsx';
import { t } from '../../../texts/lists.ts';
import { t as shared } from '../../../texts/shared.ts';
import { nameOf } from '../../contacts/contact-name.ts';
import { useAddMembers } from './static-list-api.ts';

type Contact = DataValue<typeof listContacts>;

function labelOf(contact: Contact): string {
  const name = nameOf(contact);
  return name ? `${name} · ${contact.email}` : contact.email;
}

/** Finds people and adds them. Those who were picked stay while somebody searches for more. */
export function AddPeopleDialog({ listId, onClose }: { listId: string; onClose: () => void }) {
  const api = useApi();
  const [picked, setPicked] = useState<readonly Contact[]>([]);
  const [text, setText] = useState('');
  const [search] = useDebouncedValue(text.trim(), 250);
  const { data: found = [], isFetching } = useQuery({
    queryKey: keys.contacts.any('choices', { search }),
    queryFn: async ({ signal }) => (await api.page(listContacts, { query: { search, pageSize: 20 }, signal })).rows,
    placeholderData: keepPreviousData,
  });
  const addMembers = useAddMembers(listId);
  const add = useMutation({ mutationFn: () => addMembers(picked.map(({ id }) => id)), onSuccess: onClose });
  const known = [...picked, ...found.filter(({ id }) => !picked.some((each) => each.id === id))];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (picked.length > 0) add.mutate();
  };
  return (
    <Modal opened onClose={onClose} title={t.add}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <MultiSelect
            label={t.searchPeople}
            description={t.addText}
            data={known.map((contact) => ({ value: contact.id, label: labelOf(contact) }))}
            value={picked.map(({ id }) => id)}
            onChange={(ids) => setPicked(known.filter(({ id }) => ids.includes(id)))}
            searchValue={text}
            onSearchChange={setText}
            searchable
            hidePickedOptions
            data-autofocus
            // The API has searched already.
            filter={({ options }) => options}
            nothingFoundMessage={isFetching ? t.searching : t.nobodyFound}
          />
          {add.error && (
            <Text c="var(--bad)" role="alert">
              {add.error.message}
            </Text>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {shared.cancel}
            </Button>
            <Button type="submit" disabled={picked.length === 0} loading={add.isPending}>
              {t.addSelected(picked.length)}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
