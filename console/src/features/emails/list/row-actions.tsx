// What can be done to an email from the list: opened from the dots at the end of its row.
import { ActionIcon, Menu } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog } from '../../../shared/confirm-dialog.tsx';
import { CopyIcon, EditIcon, FolderIcon, MoreIcon, TrashIcon } from '../../../shared/icons.tsx';
import { t } from '../../../texts/emails.ts';
import { t as words } from '../../../texts/shared.ts';
import { noTransition } from '../../../theme/theme.ts';
import type { EmailRow } from '../email-api.ts';
import { useDelete, useDuplicate } from '../use-email-moves.ts';
import { MoveDialog } from './move-dialog.tsx';
import { RenameDialog } from './rename-dialog.tsx';

export function RowActions({ email }: { email: EmailRow }) {
  const [asked, setAsked] = useState<'rename' | 'move' | 'delete'>();
  const close = () => setAsked(undefined);
  const duplicate = useDuplicate();
  const remove = useDelete(close);
  return (
    <>
      <Menu position="bottom-end" width={190} {...noTransition}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={t.actionsOf(email.name)}>
            <MoreIcon />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<EditIcon />} onClick={() => setAsked('rename')}>
            {words.rename}
          </Menu.Item>
          <Menu.Item leftSection={<CopyIcon />} onClick={() => duplicate.mutate(email.id)}>
            {t.duplicate}
          </Menu.Item>
          <Menu.Item leftSection={<FolderIcon />} onClick={() => setAsked('move')}>
            {t.moveTo}
          </Menu.Item>
          <Menu.Item color="var(--bad)" leftSection={<TrashIcon />} onClick={() => setAsked('delete')}>
            {t.deleteEmail}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {asked === 'rename' && <RenameDialog email={email} onClose={close} />}
      {asked === 'move' && <MoveDialog email={email} onClose={close} />}
      <ConfirmDialog
        opened={asked === 'delete'}
        title={t.deleteTitle}
        text={t.deleteText(email.name)}
        confirm={t.deleteEmail}
        busy={remove.isPending}
        error={remove.error}
        onCancel={close}
        onConfirm={() => remove.mutate(email.id)}
      />
    </>
  );
}
