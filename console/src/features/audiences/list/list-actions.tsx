import { Button, Menu } from '@mantine/core';
import { deleteDynamicList } from '@rapport/contract';
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useApi } from '../../../api/session/session.tsx';
import { ConfirmDialog } from '../../../shared/form/confirm-dialog.tsx';
import { BroadcastIcon, EditIcon, TrashIcon } from '../../../shared/icons.tsx';
import { MoreMenu } from '../../../shared/more-menu.tsx';
import { t } from '../../../texts/audience.ts';
import { ListDialog } from '../list-dialog.tsx';
import { type DynamicList, useSaveList } from './list-api.ts';

/** `more`: what can be done with lists of either kind, before renaming and deleting. */
export function ListActions({ list, more }: { list: DynamicList; more: ReactNode }) {
  const api = useApi();
  const [open, setOpen] = useState<'rename' | 'delete'>();
  const [, navigate] = useLocation();
  const id = list.dynamicListId ?? '';
  const save = useSaveList(id);
  const close = () => setOpen(undefined);
  return (
    <>
      <Button component={Link} href={`/sends/new?list=dynamic:${id}`} variant="default" leftSection={<BroadcastIcon />}>
        {t.sendEmail}
      </Button>
      <MoreMenu label={t.actions} isOfPage>
        {more}
        <Menu.Item leftSection={<EditIcon />} onClick={() => setOpen('rename')}>
          {t.rename}
        </Menu.Item>
        <Menu.Item leftSection={<TrashIcon />} color="red" onClick={() => setOpen('delete')}>
          {t.delete}
        </Menu.Item>
      </MoreMenu>
      {open === 'rename' && (
        <ListDialog
          draft={`name:dynamic-list:${id}`}
          title={t.rename}
          initial={{ name: list.name ?? '', description: list.description ?? '' }}
          send={(name, description) => save({ name, description })}
          onClose={close}
        />
      )}
      {open === 'delete' && (
        <ConfirmDialog
          title={t.deleteTitle}
          text={t.deleteText(list.name ?? '')}
          confirm={t.delete}
          act={() => api.call(deleteDynamicList, { params: { id } })}
          onDone={() => navigate('/lists')}
          refresh={['lists']}
          onClose={close}
        />
      )}
    </>
  );
}
