import { Button, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { suppressAddress, unsuppressAddress } from '@rapport/contract';
import { useState } from 'react';
import { Link } from 'wouter';
import { useRights } from '../../api/session/rights.ts';
import { useApi } from '../../api/session/session.tsx';
import { ConfirmDialog } from '../../shared/form/confirm-dialog.tsx';
import { useAction } from '../../shared/form/use-action.ts';
import { BlockIcon, CheckIcon, DownloadIcon, QuestionIcon, TrashIcon } from '../../shared/icons.tsx';
import { CopyIdItem, MoreMenu } from '../../shared/more-menu.tsx';
import { saveFile } from '../../shared/save-file.ts';
import { t } from '../../texts/contact.ts';
import { t as mail, suppressionWords } from '../../texts/messages.ts';
import type { Contact, Suppression } from './contact-api.ts';
import { EraseDialog } from './erase-dialog.tsx';

interface ActionsProps {
  id: string;
  contact: Contact | undefined;
  suppression: Suppression | null | undefined;
}

export function ContactActions({ id, contact, suppression }: ActionsProps) {
  const { canWrite } = useRights();
  const [open, setOpen] = useState<'erase' | 'mail'>();
  const close = () => setOpen(undefined);
  const save = useExport(id, contact);
  return (
    <>
      <Button component={Link} href={`/why?contact=${id}`} variant="default" leftSection={<QuestionIcon />}>
        {t.why}
      </Button>
      <MoreMenu label={t.actions} isOfPage>
        <CopyIdItem id={id} />
        <Menu.Item leftSection={<DownloadIcon />} onClick={() => save.mutate()}>
          {t.export}
        </Menu.Item>
        {canWrite && contact && suppression !== undefined && (
          <Menu.Item leftSection={suppression ? <CheckIcon /> : <BlockIcon />} onClick={() => setOpen('mail')}>
            {suppression ? mail.removeConfirm : t.suppress}
          </Menu.Item>
        )}
        {canWrite && contact && (
          <Menu.Item color="var(--bad)" leftSection={<TrashIcon />} onClick={() => setOpen('erase')}>
            {t.erase}
          </Menu.Item>
        )}
      </MoreMenu>
      {contact && open === 'erase' && <EraseDialog contact={contact} onClose={close} />}
      {contact && open === 'mail' && <MailSwitch email={contact.email} suppression={suppression} onClose={close} />}
    </>
  );
}

function useExport(id: string, contact: Contact | undefined) {
  const api = useApi();
  return useAction({
    act: async () => {
      const notice = notifications.show({ message: t.exporting, loading: true, autoClose: false });
      try {
        await saveFile(api, `/v2/contacts/${id}/export`, `${contact?.email ?? id}.json`);
      } finally {
        notifications.hide(notice);
      }
    },
  });
}

interface MailSwitchProps {
  email: string;
  suppression: Suppression | null | undefined;
  onClose: () => void;
}

/** Stops mail to the address, or allows it again. */
function MailSwitch({ email, suppression, onClose }: MailSwitchProps) {
  const api = useApi();
  const common = { refresh: ['suppressions', 'contacts'] as const, onClose };
  return suppression ? (
    <ConfirmDialog
      {...common}
      title={mail.removeTitle(email)}
      text={suppressionWords[suppression.reason].care}
      confirm={mail.removeConfirm}
      act={() => api.call(unsuppressAddress, { params: { email } })}
      said={mail.removed(email)}
    />
  ) : (
    <ConfirmDialog
      {...common}
      title={t.suppressTitle(email)}
      text={t.suppressText}
      confirm={t.suppressConfirm}
      act={() => api.call(suppressAddress, { params: { email }, body: { reason: 'manual' } })}
      said={mail.suppressed(email)}
    />
  );
}
