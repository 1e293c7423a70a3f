import { ActionIcon, Autocomplete, Button, Menu } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { ConfirmDialog } from '../../../shared/confirm-dialog.tsx';
import { Modal } from '../../../shared/dialog.tsx';
import { TypedNotice } from '../../../shared/drafts/typed-notice.tsx';
import { useTyped } from '../../../shared/drafts/use-typed.ts';
import { useFolders } from '../../../shared/folders/use-folders.ts';
import { DialogForm } from '../../../shared/form/dialog-form.tsx';
import { EditIcon, FolderIcon, MoreIcon, PlusIcon, TrashIcon } from '../../../shared/icons.tsx';
import { NameDialog } from '../../../shared/name-dialog.tsx';
import { t } from '../../../texts/lists.ts';
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
        <NameDialog
          of={`static-list:${list.staticListId}`}
          title={t.rename}
          name={list.name}
          onSave={(name) => save({ name })}
          onClose={close}
        />
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
  const form = useTyped(`move:static-list:${list.staticListId}`, {
    folder: folders.nameOf(list.directoryId ?? null) ?? '',
  });
  const { folder } = form.values;
  const leave = () => {
    form.forget();
    onClose();
  };
  const save = useSaveList(list.staticListId);
  const move = useMutation({ mutationFn: () => save({ folder: folder.trim() || null }), onSuccess: leave });
  return (
    <Modal opened onClose={onClose} title={t.move}>
      <DialogForm
        submit={t.save}
        isBusy={move.isPending}
        fault={move.error?.message}
        onSubmit={() => move.mutate()}
        onCancel={leave}
      >
        <TypedNotice form={form} />
        <Autocomplete
          label={t.folder}
          description={t.folderText}
          placeholder={t.folderHint}
          maxLength={255}
          data-autofocus
          data={[...new Set(folders.choices.map(({ label }) => label))]}
          value={folder}
          onChange={(next) => form.set({ folder: next })}
        />
      </DialogForm>
    </Modal>
  );
}
