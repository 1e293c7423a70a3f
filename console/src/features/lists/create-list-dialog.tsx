import { Autocomplete, Text, TextInput } from '@mantine/core';
import { createList } from '@rapport/contract';
import { useApi } from '../../api/session/session.tsx';
import { wanted } from '../../shared/form/faults.ts';
import { FormDialog } from '../../shared/form/form-dialog.tsx';
import { useForm } from '../../shared/form/use-form.ts';
import { t } from '../../texts/lists.ts';

export function CreateListDialog({ folders, onClose }: { folders: readonly string[]; onClose: () => void }) {
  const api = useApi();
  const form = useForm({
    draft: 'static-list',
    initial: { name: '', folder: '' },
    labels: { name: t.name, folder: t.folder },
    check: ({ name }) => ({ name: wanted(name, t.nameWanted) }),
    send: async ({ name, folder }) =>
      (await api.call(createList, { body: { name: name.trim(), folder: folder.trim() || undefined } })).data,
    // A new name created a folder.
    refresh: ['lists', 'folders'],
    goTo: ({ staticListId }) => `/lists/static/${staticListId}`,
    onClose,
  });
  return (
    <FormDialog form={form} title={t.createTitle} submit={t.create}>
      <Text c="dimmed">{t.createText}</Text>
      <TextInput {...form.text('name')} required maxLength={255} data-autofocus />
      <Autocomplete
        {...form.choice('folder')}
        description={t.folderText}
        placeholder={t.folderHint}
        maxLength={255}
        data={[...new Set(folders)]}
      />
    </FormDialog>
  );
}
