// Moves an email to a folder, which may be created for it.
import { Select, TextInput } from '@mantine/core';
import { useApi } from '../../../api/session/session.tsx';
import { useFolders } from '../../../shared/folders/use-folders.ts';
import { FormDialog } from '../../../shared/form/form-dialog.tsx';
import { useForm } from '../../../shared/form/use-form.ts';
import { t } from '../../../texts/emails.ts';
import { type EmailRow, patchEmail } from '../email-api.ts';

export function MoveDialog({ email, onClose }: { email: EmailRow; onClose: () => void }) {
  const api = useApi();
  const folders = useFolders();
  const form = useForm({
    draft: `move:email:${email.id}`,
    initial: { folderId: email.directoryId, newName: '' },
    labels: { folderId: t.folder, newName: t.newFolder },
    send: async ({ folderId, newName }) => {
      const name = newName.trim();
      const there = folders.choices.find(({ label }) => label === name)?.value;
      const target = name ? (there ?? (await folders.create(name))) : folderId;
      await patchEmail(api, email.id, { folderId: target });
      return name || folders.nameOf(target) || t.noFolder;
    },
    refresh: ['emails'],
    said: t.moved,
    onClose,
  });
  return (
    <FormDialog form={form} title={t.moveTo} submit={t.move}>
      <Select
        {...form.choice('folderId')}
        placeholder={t.noFolder}
        data={folders.choices}
        onChange={(next) => form.set({ folderId: next })}
        disabled={form.values.newName.trim() !== ''}
        clearable
        searchable
        data-autofocus
        clearButtonProps={{ 'aria-label': t.takeOutOfFolder }}
      />
      <TextInput {...form.text('newName')} />
    </FormDialog>
  );
}
