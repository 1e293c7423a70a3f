import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { ApiFailure } from '@rapport/client';
import { useMutation } from '@tanstack/react-query';
import { useApi } from '../../../api/session/session.tsx';
import { ConfirmDialog } from '../../../shared/confirm-dialog.tsx';
import { t } from '../../../texts/emails.ts';
import { restoreSave } from '../email-api.ts';
import { fieldErrorsOf } from '../field-errors.ts';
import type { EmailDraft } from '../use-email-draft.ts';

interface RestoreButtonProps {
  work: EmailDraft;
  revision: number;
  onRestored: () => void;
}

/** Makes the save current again. Not while there is unsaved work: that would have nowhere to go. */
export function RestoreButton({ work, revision, onRestored }: RestoreButtonProps) {
  const api = useApi();
  const [asking, dialog] = useDisclosure(false);
  const restore = useMutation({
    mutationFn: () => restoreSave(api, work.email.id, revision, work.etag),
    onSuccess: (answer) => {
      work.adoptStored(answer);
      notifications.show({ message: t.restored(revision) });
      onRestored();
    },
  });
  if (work.isDirty) return <Text c="dimmed">{t.saveFirst}</Text>;
  return (
    <>
      <Button onClick={dialog.open}>{t.restore}</Button>
      <ConfirmDialog
        opened={asking}
        title={t.restoreTitle(revision)}
        text={t.restoreText}
        confirm={t.restoreConfirm}
        busy={restore.isPending}
        error={restore.error && new Error(refusalOf(restore.error))}
        onCancel={dialog.close}
        onConfirm={() => restore.mutate()}
      />
    </>
  );
}

function refusalOf(error: Error): string {
  if (!(error instanceof ApiFailure)) return error.message;
  return error.status === 412 ? error.message : Object.values(fieldErrorsOf(error)).join(' ');
}
