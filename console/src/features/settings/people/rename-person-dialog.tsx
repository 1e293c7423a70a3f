import { TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { updatePerson } from '@rapport/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { about } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { Modal } from '../../../shared/dialog.tsx';
import { TypedNotice } from '../../../shared/drafts/typed-notice.tsx';
import { useTyped } from '../../../shared/drafts/use-typed.ts';
import { DialogForm } from '../../../shared/form/dialog-form.tsx';
import { faultsOf } from '../../../shared/form/faults.ts';
import { t } from '../../../texts/settings-people.ts';
import type { Person } from './person.ts';

export function RenamePersonDialog(props: { person: Person; opened: boolean; onClose: () => void }) {
  const { person, opened, onClose } = props;
  return (
    <Modal opened={opened} onClose={onClose} title={t.renameTitle(person.name)}>
      <RenameForm person={person} onClose={onClose} />
    </Modal>
  );
}

function RenameForm({ person, onClose }: { person: Person; onClose: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const form = useTyped(`name:person:${person.accountId}`, { name: person.name });
  const { name } = form.values;
  const leave = () => {
    form.forget();
    onClose();
  };
  const [isMissing, setMissing] = useState(false);
  const rename = useMutation({
    mutationFn: () => api.call(updatePerson, { params: { accountId: person.accountId }, body: { name: name.trim() } }),
    onSuccess: () => {
      void queries.invalidateQueries(about('people'));
      void queries.invalidateQueries(about('me'));
      notifications.show({ message: t.renamed });
      leave();
    },
  });
  const faults = faultsOf(rename.error, { name: t.name });
  const submit = () => {
    setMissing(name.trim() === '');
    if (name.trim() !== '') rename.mutate();
  };
  return (
    <DialogForm submit={t.save} isBusy={rename.isPending} fault={faults.form} onSubmit={submit} onCancel={leave}>
      <TypedNotice form={form} />
      <TextInput
        label={t.name}
        required
        data-autofocus
        value={name}
        error={isMissing ? t.enterName : faults.name}
        onChange={(event) => form.set({ name: event.currentTarget.value })}
      />
    </DialogForm>
  );
}
