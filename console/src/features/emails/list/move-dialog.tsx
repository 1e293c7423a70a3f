// Files an email in a folder, also in one that is made for it.
import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { keys } from '../../../queries/keys.ts';
import { useApi } from '../../../session/session.tsx';
import { Modal } from '../../../shared/dialog.tsx';
import { t } from '../../../texts/emails.ts';
import { t as words } from '../../../texts/shared.ts';
import { type EmailRow, patchEmail } from '../email-api.ts';
import { useFolders } from '../use-folders.ts';

export function MoveDialog({ email, onClose }: { email: EmailRow; onClose: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const folders = useFolders();
  const [folderId, setFolderId] = useState(email.directoryId);
  const [newName, setNewName] = useState('');
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
      void queries.invalidateQueries({ queryKey: keys.emails.all });
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    move.mutate();
  };
  return (
    <Modal opened onClose={onClose} title={t.moveTo}>
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          <Select
            label={t.folder}
            placeholder={t.noFolder}
            data={folders.choices}
            value={folderId}
            onChange={setFolderId}
            disabled={newName.trim() !== ''}
            clearable
            searchable
            data-autofocus
            clearButtonProps={{ 'aria-label': t.takeOutOfFolder }}
          />
          <TextInput label={t.newFolder} value={newName} onChange={(event) => setNewName(event.currentTarget.value)} />
          {move.error && (
            <Text c="var(--bad)" role="alert">
              {move.error.message}
            </Text>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {words.cancel}
            </Button>
            <Button type="submit" loading={move.isPending}>
              {t.move}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
