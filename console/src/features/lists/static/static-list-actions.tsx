import { ActionIcon, Autocomplete, Button, Group, Menu, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { ConfirmDialog } from '../../../shared/confirm-dialog.tsx';
import { Modal } from '../../../shared/dialog.tsx';
import { EditIcon, FolderIcon, MoreIcon, PlusIcon, TrashIcon } from '../../../shared/icons.tsx';
import { NameDialog } from '../../../shared/name-dialog.tsx';
import { t } from '../../../texts/lists.ts';
import { t as shared } from '../../../texts/shared.ts';
import { useFolders } from '../../emails/use-folders.ts';
import { AddPeopleDialog } from './add-people-dialog.tsx';
import { type StaticList, useDeleteList, useSaveList } from './static-list-api.ts';

export function StaticListActions({ list }: { list: StaticList }) {
  const [open, setOpen] = useState<'add' | 'rename' | 'move' | 'delete'>();
  const [, navigate] = useLocation();
  const save = useSaveList(list.staticListId);
  const remove = useDeleteList(list.staticListId, () => navigate('/lists', { replace: true }));
  const close = () => setOpen(undefined);
  return (
    <>
      <Button leftSection={<PlusIcon />} onClick={() => setOpen('add')} data-shortcut="create">
        {t.add}
      </Button>
      <Menu position="bottom-end" transitionProps={{ duration: 0 }}>
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={t.more}>
            <MoreIcon />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<EditIcon />} onClick={() => setOpen('rename')}>
            {t.rename}
          </Menu.Item>
          <Menu.Item leftSection={<FolderIcon />} onClick={() => setOpen('move')}>
            {t.move}
          </Menu.Item>
          <Menu.Item color="var(--bad)" leftSection={<TrashIcon />} onClick={() => setOpen('delete')}>
            {t.delete}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {open === 'add' && <AddPeopleDialog listId={list.staticListId} onClose={close} />}
      {open === 'rename' && (
        <NameDialog title={t.rename} name={list.name} onSave={(name) => save({ name })} onClose={close} />
      )}
      {open === 'move' && <MoveDialog list={list} onClose={close} />}
      {open === 'delete' && (
        <ConfirmDialog
          opened
          title={t.deleteTitle}
          text={t.deleteText(list.name)}
          confirm={t.delete}
          busy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate()}
          onCancel={close}
        />
      )}
    </>
  );
}

function MoveDialog({ list, onClose }: { list: StaticList; onClose: () => void }) {
  const folders = useFolders();
  const [folder, setFolder] = useState(folders.nameOf(list.directoryId ?? null) ?? '');
  const save = useSaveList(list.staticListId);
  const move = useMutation({ mutationFn: () => save({ folder: folder.trim() || null }), onSuccess: onClose });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    move.mutate();
  };
  return (
    <Modal opened onClose={onClose} title={t.move}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <Autocomplete
            label={t.folder}
            description={t.folderText}
            placeholder={t.folderHint}
            maxLength={255}
            data-autofocus
            data={[...new Set(folders.choices.map(({ label }) => label))]}
            value={folder}
            onChange={setFolder}
          />
          {move.error && (
            <Text c="var(--bad)" role="alert">
              {move.error.message}
            </Text>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {shared.cancel}
            </Button>
            <Button type="submit" loading={move.isPending}>
              {t.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
