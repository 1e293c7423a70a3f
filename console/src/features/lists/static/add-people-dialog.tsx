import { MultiSelect } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { listContacts } from '@rapport/contract';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { pageOf } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { contactLabel } from '../../../shared/contact-name.ts';
import { Modal } from '../../../shared/dialog.tsx';
import { TypedNotice } from '../../../shared/drafts/typed-notice.tsx';
import { useTyped } from '../../../shared/drafts/use-typed.ts';
import { DialogForm } from '../../../shared/form/dialog-form.tsx';
import { t } from '../../../texts/lists.ts';
import { useAddMembers } from './static-list-api.ts';

interface Choice {
  value: string;
  label: string;
}

/** Finds people and adds them. Those who were picked stay while somebody searches for more. */
export function AddPeopleDialog({ listId, onClose }: { listId: string; onClose: () => void }) {
  const api = useApi();
  const form = useTyped<{ picked: readonly Choice[] }>(`list-members:${listId}`, { picked: [] });
  const { picked } = form.values;
  const leave = () => {
    form.forget();
    onClose();
  };
  const [text, setText] = useState('');
  const [search] = useDebouncedValue(text.trim(), 250);
  const { data: found = [], isFetching } = useQuery({
    ...pageOf(api, listContacts, { query: { search, pageSize: 20 } }),
    select: ({ rows }) => rows,
    placeholderData: keepPreviousData,
  });
  const addMembers = useAddMembers(listId);
  const add = useMutation({ mutationFn: () => addMembers(picked.map(({ value }) => value)), onSuccess: leave });
  const choices = found.map((contact): Choice => ({ value: contact.id, label: contactLabel(contact) }));
  const known = [...picked, ...choices.filter(({ value }) => !picked.some((each) => each.value === value))];
  return (
    <Modal opened onClose={onClose} title={t.add}>
      <DialogForm
        submit={t.addSelected(picked.length)}
        isBusy={add.isPending}
        fault={add.error?.message}
        onSubmit={() => picked.length > 0 && add.mutate()}
        onCancel={leave}
      >
        <TypedNotice form={form} />
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
          // The API has searched already.
          filter={({ options }) => options}
          nothingFoundMessage={isFetching ? t.searching : t.nobodyFound}
        />
      </DialogForm>
    </Modal>
  );
}
