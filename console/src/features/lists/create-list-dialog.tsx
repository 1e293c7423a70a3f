import { Autocomplete, Text, TextInput } from '@mantine/core';
import { createList } from '@rapport/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { about } from '../../api/ask.ts';
import { useApi } from '../../api/session/session.tsx';
import { Modal } from '../../shared/dialog.tsx';
import { TypedNotice } from '../../shared/drafts/typed-notice.tsx';
import { useTyped } from '../../shared/drafts/use-typed.ts';
import { DialogForm } from '../../shared/form/dialog-form.tsx';
import { useGoOn } from '../../shared/use-go-on.ts';
import { t } from '../../texts/lists.ts';

export function CreateListDialog({ folders, onClose }: { folders: readonly string[]; onClose: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const goOn = useGoOn();
  const form = useTyped('static-list', { name: '', folder: '' });
  const { name, folder } = form.values;
  const [isAsked, setAsked] = useState(false);
  const isMissing = name.trim() === '';
  const create = useMutation({
    mutationFn: async () => {
      const body = { name: name.trim(), folder: folder.trim() || undefined };
      return (await api.call(createList, { body })).data;
    },
    onSuccess: ({ staticListId }) => {
      form.forget();
      void queries.invalidateQueries(about('lists'));
      // A new name made a folder.
      void queries.invalidateQueries(about('folders'));
      goOn(`/lists/static/${staticListId}`);
    },
  });
  const cancel = () => {
    form.forget();
    onClose();
  };
  const submit = () => {
    setAsked(true);
    if (!isMissing) create.mutate();
  };
  return (
    <Modal opened onClose={onClose} title={t.createTitle}>
      <DialogForm
        submit={t.create}
        isBusy={create.isPending}
        fault={create.error?.message}
        onSubmit={submit}
        onCancel={cancel}
      >
        <TypedNotice form={form} />
        <Text c="dimmed">{t.createText}</Text>
        <TextInput
          label={t.name}
          required
          maxLength={255}
          data-autofocus
          value={name}
          error={isAsked && isMissing ? t.nameWanted : undefined}
          onChange={(event) => form.set({ name: event.currentTarget.value })}
        />
        <Autocomplete
          label={t.folder}
          description={t.folderText}
          placeholder={t.folderHint}
          maxLength={255}
          data={[...new Set(folders)]}
          value={folder}
          onChange={(next) => form.set({ folder: next })}
        />
      </DialogForm>
    </Modal>
  );
}
