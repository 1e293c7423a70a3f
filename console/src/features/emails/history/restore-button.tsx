import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useApi } from '../../../api/session/session.tsx';
import { ConfirmDialog } from '../../../shared/form/confirm-dialog.tsx';
import { t } from '../../../texts/emails.ts';
import { restoreSave } from '../email-api.ts';
import { refusalOf } from '../field-errors.ts';
import type { EmailDraft } from '../use-email-draft.ts';

interface RestoreButtonProps {
  work: EmailDraft;
  revision: number;
  onRestored: () => void;
}

/** Makes the save current again. Disabled while there is unsaved work, which would be lost. */
export function RestoreButton({ work, revision, onRestored }: RestoreButtonProps) {
  const api = useApi();
  const [asking, dialog] = useDisclosure(false);
  const restore = async () => {
    const answer = await restoreSave(api, work.email.id, revision, work.etag).catch((error) => {
      throw new Error(refusalOf(error));
    });
    work.adoptStored(answer);
  };
  if (work.isDirty) return <Text c="dimmed">{t.saveFirst}</Text>;
  return (
    <>
      <Button onClick={dialog.open}>{t.restore}</Button>
      {asking && (
        <ConfirmDialog
          title={t.restoreTitle(revision)}
          text={t.restoreText}
          confirm={t.restoreConfirm}
          act={restore}
          onDone={onRestored}
          said={t.restored(revision)}
          onClose={dialog.close}
        />
      )}
    </>
  );
}
