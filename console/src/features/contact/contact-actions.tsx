import { ActionIcon, Button, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { suppressAddress, unsuppressAddress } from '@rapport/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import { about } from '../../api/ask.ts';
import { useRights } from '../../api/session/rights.ts';
import { useApi } from '../../api/session/session.tsx';
import { ConfirmDialog } from '../../shared/confirm-dialog.tsx';
import {
  BlockIcon,
  CheckIcon,
  CopyIcon,
  DownloadIcon,
  MoreIcon,
  QuestionIcon,
  TrashIcon,
} from '../../shared/icons.tsx';
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
  const [isErasing, erasing] = useDisclosure(false);
  const [isStopping, stopping] = useDisclosure(false);
  const save = useExport(id, contact);
  const stop = useMailSwitch(suppression, contact, stopping.close);
  return (
    <>
      <Button component={Link} href={`/why?contact=${id}`} variant="default" leftSection={<QuestionIcon />}>
        {t.why}
      </Button>
      <Menu position="bottom-end" width={240} transitionProps={{ duration: 0 }}>
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={t.actions}>
            <MoreIcon />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<CopyIcon />} onClick={() => void navigator.clipboard?.writeText(id)}>
            {t.copyId}
          </Menu.Item>
          <Menu.Item leftSection={<DownloadIcon />} onClick={() => save.mutate()}>
            {t.export}
          </Menu.Item>
          {canWrite && contact && suppression !== undefined && (
            <Menu.Item leftSection={suppression ? <CheckIcon /> : <BlockIcon />} onClick={stopping.open}>
              {suppression ? mail.removeConfirm : t.suppress}
            </Menu.Item>
          )}
          {canWrite && contact && (
            <Menu.Item color="var(--bad)" leftSection={<TrashIcon />} onClick={erasing.open}>
              {t.erase}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {contact && <EraseDialog opened={isErasing} contact={contact} onClose={erasing.close} />}
      <ConfirmDialog
        opened={isStopping}
        title={suppression ? mail.removeTitle(contact?.email ?? '') : t.suppressTitle(contact?.email ?? '')}
        text={suppression ? suppressionWords[suppression.reason].care : t.suppressText}
        confirm={suppression ? mail.removeConfirm : t.suppressConfirm}
        busy={stop.isPending}
        error={stop.error}
        onConfirm={() => stop.mutate()}
        onCancel={stopping.close}
      />
    </>
  );
}

function useExport(id: string, contact: Contact | undefined) {
  const api = useApi();
  return useMutation({
    mutationFn: async () => {
      const notice = notifications.show({ message: t.exporting, loading: true, autoClose: false });
      try {
        await saveFile(api, `/v2/contacts/${id}/export`, `${contact?.email ?? id}.json`);
      } finally {
        notifications.hide(notice);
      }
    },
    onError: (error) => notifications.show({ message: error.message, color: 'red' }),
  });
}

/** Stops mail to the address, or lets it get mail again. */
function useMailSwitch(suppression: Suppression | null | undefined, contact: Contact | undefined, onDone: () => void) {
  const api = useApi();
  const queries = useQueryClient();
  const email = contact?.email ?? '';
  return useMutation({
    mutationFn: async () => {
      if (suppression) await api.call(unsuppressAddress, { params: { email } });
      else await api.call(suppressAddress, { params: { email }, body: { reason: 'manual' } });
    },
    onSuccess: async () => {
      onDone();
      notifications.show({ message: suppression ? mail.removed(email) : mail.suppressed(email) });
      await Promise.all([
        queries.invalidateQueries(about('suppressions')),
        queries.invalidateQueries(about('contacts')),
      ]);
    },
  });
}
