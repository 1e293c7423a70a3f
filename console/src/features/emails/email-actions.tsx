import { Button, Menu } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { useApi } from '../../api/session/session.tsx';
import { ConfirmDialog } from '../../shared/form/confirm-dialog.tsx';
import { CopyIcon, SendIcon, TrashIcon } from '../../shared/icons.tsx';
import { CopyIdItem, MoreMenu } from '../../shared/more-menu.tsx';
import { t } from '../../texts/emails.ts';
import { removeEmail } from './email-api.ts';
import { SaveStatus } from './save-status.tsx';
import { TestSendDialog } from './test-send-dialog.tsx';
import { useDuplicate } from './use-duplicate.ts';
import type { EmailDraft } from './use-email-draft.ts';

export function EmailActions({ work, onLeave }: { work: EmailDraft; onLeave: () => void }) {
  const api = useApi();
  const [open, setOpen] = useState<'test' | 'delete'>();
  const [isDeleted, setDeleted] = useState(false);
  const { id, name } = work.email;
  const duplicate = useDuplicate();
  const [, navigate] = useLocation();
  const close = () => setOpen(undefined);
  // After the leave guard has been released, which takes a render.
  useEffect(() => {
    if (isDeleted) navigate('/emails', { replace: true });
  }, [isDeleted, navigate]);
  return (
    <>
      <SaveStatus work={work} />
      <Button variant="default" leftSection={<SendIcon />} onClick={() => setOpen('test')}>
        {t.sendTest}
      </Button>
      <Button onClick={() => void work.save()} disabled={!work.isDirty} loading={work.saveState === 'saving'}>
        {t.save}
      </Button>
      <MoreMenu label={t.moreActions} isOfPage>
        <Menu.Item leftSection={<CopyIcon />} onClick={() => duplicate.mutate(id)}>
          {t.duplicate}
        </Menu.Item>
        <CopyIdItem id={id} />
        <Menu.Item color="var(--bad)" leftSection={<TrashIcon />} onClick={() => setOpen('delete')}>
          {t.deleteEmail}
        </Menu.Item>
      </MoreMenu>
      {open === 'test' && <TestSendDialog work={work} onClose={close} />}
      {open === 'delete' && (
        <ConfirmDialog
          title={t.deleteTitle}
          text={t.deleteText(name)}
          confirm={t.deleteEmail}
          act={() => removeEmail(api, id)}
          onDone={() => {
            work.forget();
            onLeave();
            setDeleted(true);
          }}
          refresh={['emails']}
          onClose={close}
        />
      )}
    </>
  );
}
