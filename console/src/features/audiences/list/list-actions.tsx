import { ActionIcon, Button, Group, Menu, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { deleteDynamicList } from '@rapport/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { keys } from '../../../queries/keys.ts';
import { useApi } from '../../../session/session.tsx';
import { ConfirmDialog } from '../../../shared/confirm-dialog.tsx';
import { Modal } from '../../../shared/dialog.tsx';
import { EditIcon, MoreIcon, TrashIcon } from '../../../shared/icons.tsx';
import { t } from '../../../texts/audience.ts';
import { t as shared } from '../../../texts/shared.ts';
import { type DynamicList, useSaveList } from './list-api.ts';

export function ListActions({ list }: { list: DynamicList }) {
  const [open, setOpen] = useState<'rename' | 'delete'>();
  const close = () => setOpen(undefined);
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={t.actions}>
            <MoreIcon />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<EditIcon />} onClick={() => setOpen('rename')}>
            {t.rename}
          </Menu.Item>
          <Menu.Item leftSection={<TrashIcon />} color="red" onClick={() => setOpen('delete')}>
            {t.delete}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {open === 'rename' && <RenameDialog list={list} onClose={close} />}
      {open === 'delete' && <DeleteDialog list={list} onClose={close} />}
    </>
  );
}

function RenameDialog({ list, onClose }: { list: DynamicList; onClose: () => void }) {
  const save = useSaveList(list.dynamicListId ?? '');
  const [name, setName] = useState(list.name ?? '');
  const [description, setDescription] = useState(list.description ?? '');
  const rename = useMutation({
    mutationFn: () => save({ name: name.trim(), description: description.trim() || null }),
    onSuccess: onClose,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== '') rename.mutate();
  };
  return (
    <Modal opened onClose={onClose} title={t.rename}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <TextInput
            label={t.listName}
            value={name}
            maxLength={255}
            data-autofocus
            error={name.trim() === '' ? t.nameWanted : undefined}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Textarea
            label={t.description}
            value={description}
            maxLength={2000}
            autosize
            onChange={(event) => setDescription(event.currentTarget.value)}
          />
          {rename.error && (
            <Text c="var(--bad)" role="alert">
              {rename.error.message}
            </Text>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {shared.cancel}
            </Button>
            <Button type="submit" loading={rename.isPending}>
              {t.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function DeleteDialog({ list, onClose }: { list: DynamicList; onClose: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const remove = useMutation({
    mutationFn: () => api.call(deleteDynamicList, { params: { id: list.dynamicListId ?? '' } }),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: keys.lists.all });
      navigate('/lists');
    },
  });
  return (
    <ConfirmDialog
      opened
      title={t.deleteTitle}
      text={t.deleteText(list.name ?? '')}
      confirm={t.delete}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onCancel={onClose}
    />
  );
}
