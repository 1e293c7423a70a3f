// Files an email in a folder, also in one that is made for it.
import { Select, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { about } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { Modal } from '../../../shared/dialog.tsx';
import { TypedNotice } from '../../../shared/drafts/typed-notice.tsx';
import { useTyped } from '../../../shared/drafts/use-typed.ts';
import { useFolders } from '../../../shared/folders/use-folders.ts';
import { DialogForm } from '../../../shared/form/dialog-form.tsx';
import { t } from '../../../texts/emails.ts';
import { type EmailRow, patchEmail } from '../email-api.ts';

export function MoveDialog({ email, onClose }: { email: EmailRow; onClose: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const folders = useFolders();
  const form = useTyped(`move:email:${email.id}`, { folderId: email.directoryId, newName: '' });
  const { folderId, newName } = form.values;
  const leave = () => {
    form.forget();
    onClose();
  };
  const move = useMutation({
    mutationFn: async () => {
      const name = newName.trim();
      const there = folders.choices.find(({ label }) => label === name)?.value;
      const target = name ? (there ?? (await folders.create(name))) : folderId;
      await patchEmail(api, email.id, { folderId: target });
      return name || folders.nameOf(target) || t.noFolder;
    },
    onSuccess: (name) => {
      notifications.show({ message: t.moved(name) });
      void queries.invalidateQueries(about('emails'));
      leave();
    },
  });
  return (
    <Modal opened onClose={onClose} title={t.moveTo}>
      <DialogForm
        submit={t.move}
        isBusy={move.isPending}
        fault={move.error?.message}
        onSubmit={() => move.mutate()}
        onCancel={leave}
      >
        <TypedNotice form={form} />
        <Select
          label={t.folder}
          placeholder={t.noFolder}
          data={folders.choices}
          value={folderId}
          onChange={(next) => form.set({ folderId: next })}
          disabled={newName.trim() !== ''}
          clearable
          searchable
          data-autofocus
          clearButtonProps={{ 'aria-label': t.takeOutOfFolder }}
        />
        <TextInput
          label={t.newFolder}
          value={newName}
          onChange={(event) => form.set({ newName: event.currentTarget.value })}
        />
      </DialogForm>
    </Modal>
  );
}
