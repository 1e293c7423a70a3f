import { ActionIcon, Button, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { ConfirmDialog } from '../../shared/confirm-dialog.tsx';
import { CopyIcon, KeyIcon, MoreIcon, SendIcon, TrashIcon } from '../../shared/icons.tsx';
import { t } from '../../texts/emails.ts';
import { noTransition } from '../../theme/theme.ts';
import { SaveStatus } from './save-status.tsx';
import { TestSendDialog } from './test-send-dialog.tsx';
import type { EmailDraft } from './use-email-draft.ts';
import { useDelete, useDuplicate } from './use-email-moves.ts';

export function EmailActions({ work, onLeave }: { work: EmailDraft; onLeave: () => void }) {
  const [sending, test] = useDisclosure(false);
  const [deleting, removal] = useDisclosure(false);
  const { id, name } = work.email;
  const duplicate = useDuplicate();
  const [, navigate] = useLocation();
  const remove = useDelete(() => {
    work.forget();
    onLeave();
  });
  // After the guard has been let go of, which takes a render.
  useEffect(() => {
    if (remove.isSuccess) navigate('/emails', { replace: true });
  }, [remove.isSuccess, navigate]);
  return (
    <>
      <SaveStatus work={work} />
      <Button variant="default" leftSection={<SendIcon />} onClick={test.open}>
        {t.sendTest}
      </Button>
      <Button onClick={() => void work.save()} disabled={!work.isDirty} loading={work.saveState === 'saving'}>
        {t.save}
      </Button>
      <Menu position="bottom-end" width={190} {...noTransition}>
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={t.moreActions}>
            <MoreIcon />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<CopyIcon />} onClick={() => duplicate.mutate(id)}>
            {t.duplicate}
          </Menu.Item>
          <Menu.Item leftSection={<KeyIcon />} onClick={() => void copyId(id)}>
            {t.copyId}
          </Menu.Item>
          <Menu.Item color="var(--bad)" leftSection={<TrashIcon />} onClick={removal.open}>
            {t.deleteEmail}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <TestSendDialog opened={sending} onClose={test.close} work={work} />
      <ConfirmDialog
        opened={deleting}
        title={t.deleteTitle}
        text={t.deleteText(name)}
        confirm={t.deleteEmail}
        busy={remove.isPending}
        error={remove.error}
        onCancel={removal.close}
        onConfirm={() => remove.mutate(id)}
      />
    </>
  );
}

/** Without HTTPS a browser may offer no clipboard: then the id is shown to be copied by hand. */
async function copyId(id: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(id);
    notifications.show({ message: t.copied });
  } catch {
    notifications.show({ message: id });
  }
}
