import { ActionIcon, Menu } from '@mantine/core';
import { deleteDynamicList } from '@rapport/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { about } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { ConfirmDialog } from '../../../shared/confirm-dialog.tsx';
import { Modal } from '../../../shared/dialog.tsx';
import { TypedNotice } from '../../../shared/drafts/typed-notice.tsx';
import { useTyped } from '../../../shared/drafts/use-typed.ts';
import { DialogForm } from '../../../shared/form/dialog-form.tsx';
import { EditIcon, MoreIcon, TrashIcon } from '../../../shared/icons.tsx';
import { t } from '../../../texts/audience.ts';
import { ListFields } from '../list-fields.tsx';
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
  const form = useTyped(`name:dynamic-list:${list.dynamicListId}`, {
    name: list.name ?? '',
    description: list.description ?? '',
  });
  const { name, description } = form.values;
  const leave = () => {
    form.forget();
    onClose();
  };
  const rename = useMutation({
    mutationFn: () => save({ name: name.trim(), description: description.trim() || null }),
    onSuccess: leave,
  });
  return (
    <Modal opened onClose={onClose} title={t.rename}>
      <DialogForm
        submit={t.save}
        isBusy={rename.isPending}
        fault={rename.error?.message}
        onSubmit={() => name.trim() !== '' && rename.mutate()}
        onCancel={leave}
      >
        <TypedNotice form={form} />
        <ListFields form={form} isAsked />
      </DialogForm>
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
      void queries.invalidateQueries(about('lists'));
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
