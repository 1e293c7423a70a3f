// Actions on an email from the list: opened from the dots at the end of its row.
import { Menu } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { about } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { ConfirmDialog } from '../../../shared/form/confirm-dialog.tsx';
import { NameDialog } from '../../../shared/form/name-dialog.tsx';
import { CopyIcon, EditIcon, FolderIcon, TrashIcon } from '../../../shared/icons.tsx';
import { MoreMenu } from '../../../shared/more-menu.tsx';
import { t } from '../../../texts/emails.ts';
import { t as words } from '../../../texts/shared.ts';
import { type EmailRow, patchEmail, removeEmail } from '../email-api.ts';
import { refusalOf } from '../field-errors.ts';
import { useDuplicate } from '../use-duplicate.ts';
import { MoveDialog } from './move-dialog.tsx';

export function RowActions({ email }: { email: EmailRow }) {
  const api = useApi();
  const queries = useQueryClient();
  const [asked, setAsked] = useState<'rename' | 'move' | 'delete'>();
  const close = () => setAsked(undefined);
  const duplicate = useDuplicate();
  const rename = async (name: string) => {
    await patchEmail(api, email.id, { name });
    await queries.invalidateQueries(about('emails'));
  };
  return (
    <>
      <MoreMenu label={t.actionsOf(email.name)}>
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
      </MoreMenu>
      {asked === 'rename' && (
        <NameDialog
          of={`email:${email.id}`}
          title={words.rename}
          name={email.name}
          onSave={rename}
          refusal={(error, name) => refusalOf(error, { name })}
          onClose={close}
        />
      )}
      {asked === 'move' && <MoveDialog email={email} onClose={close} />}
      {asked === 'delete' && (
        <ConfirmDialog
          title={t.deleteTitle}
          text={t.deleteText(email.name)}
          confirm={t.deleteEmail}
          act={() => removeEmail(api, email.id)}
          refresh={['emails']}
          onClose={close}
        />
      )}
    </>
  );
}
