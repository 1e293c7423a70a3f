import { Autocomplete, Button, Menu } from '@mantine/core';
import { deleteList } from '@rapport/contract';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { about } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { useFolders } from '../../../shared/folders/use-folders.ts';
import { ConfirmDialog } from '../../../shared/form/confirm-dialog.tsx';
import { FormDialog } from '../../../shared/form/form-dialog.tsx';
import { NameDialog } from '../../../shared/form/name-dialog.tsx';
import { useForm } from '../../../shared/form/use-form.ts';
import { BroadcastIcon, EditIcon, FolderIcon, PlusIcon, TrashIcon } from '../../../shared/icons.tsx';
import { MoreMenu } from '../../../shared/more-menu.tsx';
import { t } from '../../../texts/lists.ts';
import { AddPeopleDialog } from './add-people-dialog.tsx';
import { type StaticList, useSaveList } from './static-list-api.ts';

export function StaticListActions({ list, more }: { list: StaticList; more: ReactNode }) {
  const api = useApi();
  const queries = useQueryClient();
  const [open, setOpen] = useState<'add' | 'rename' | 'move' | 'delete'>();
  const [, navigate] = useLocation();
  const { staticListId: id, name } = list;
  const save = useSaveList(id);
  const close = () => setOpen(undefined);
  return (
    <>
      <Button leftSection={<PlusIcon />} onClick={() => setOpen('add')} data-shortcut="create">
        {t.add}
      </Button>
      <Button component={Link} href={`/sends/new?list=static:${id}`} variant="default" leftSection={<BroadcastIcon />}>
        {t.sendEmail}
      </Button>
      <MoreMenu label={t.more} isOfPage>
        {more}
        <Menu.Item leftSection={<EditIcon />} onClick={() => setOpen('rename')}>
          {t.rename}
        </Menu.Item>
        <Menu.Item leftSection={<FolderIcon />} onClick={() => setOpen('move')}>
          {t.move}
        </Menu.Item>
        <Menu.Item color="var(--bad)" leftSection={<TrashIcon />} onClick={() => setOpen('delete')}>
          {t.delete}
        </Menu.Item>
      </MoreMenu>
      {open === 'add' && <AddPeopleDialog listId={id} onClose={close} />}
      {open === 'rename' && (
        <NameDialog
          of={`static-list:${id}`}
          title={t.rename}
          name={name}
          onSave={(next) => save({ name: next })}
          onClose={close}
        />
      )}
      {open === 'move' && <MoveDialog list={list} onClose={close} />}
      {open === 'delete' && (
        <ConfirmDialog
          title={t.deleteTitle}
          text={t.deleteText(name)}
          confirm={t.delete}
          act={() => api.call(deleteList, { params: { id } })}
          onDone={() => {
            navigate('/lists', { replace: true });
            queries.removeQueries(about('lists', id));
          }}
          refresh={['lists']}
          onClose={close}
        />
      )}
    </>
  );
}

function MoveDialog({ list, onClose }: { list: StaticList; onClose: () => void }) {
  const folders = useFolders();
  const save = useSaveList(list.staticListId);
  const form = useForm({
    draft: `move:static-list:${list.staticListId}`,
    initial: { folder: folders.nameOf(list.directoryId ?? null) ?? '' },
    labels: { folder: t.folder },
    send: ({ folder }) => save({ folder: folder.trim() || null }),
    onClose,
  });
  return (
    <FormDialog form={form} title={t.move} submit={t.save}>
      <Autocomplete
        {...form.choice('folder')}
        description={t.folderText}
        placeholder={t.folderHint}
        maxLength={255}
        data-autofocus
        data={[...new Set(folders.choices.map(({ label }) => label))]}
      />
    </FormDialog>
  );
}
