import { Text } from '@mantine/core';
import { previewSavedEmail } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { dataOf } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { Modal } from '../../../shared/dialog.tsx';
import { ErrorState } from '../../../shared/error-state.tsx';
import { DialogButtons } from '../../../shared/form/dialog-buttons.tsx';
import { LoadingState } from '../../../shared/loading-state.tsx';
import { SafePreview } from '../../../shared/safe-preview.tsx';
import { t } from '../../../texts/journey-simulation.ts';
import { sayMoment } from './clock.ts';
import classes from './email-dialog.module.css';

export interface DatedEmail {
  readonly emailId: string;
  readonly contactId: string;
  readonly at: number;
}

interface EmailDialogProps {
  email: DatedEmail;
  name: string;
  onClose: () => void;
}

/** An email as this contact gets it on that date: the version that is valid then, with their own values. */
export function EmailDialog({ email: { emailId, contactId, at }, name, onClose }: EmailDialogProps) {
  const api = useApi();
  const when = new Date(at).toISOString();
  const { data, error, refetch } = useQuery(
    dataOf(api, previewSavedEmail, { params: { id: emailId }, query: { contactId, at: when } }),
  );
  return (
    <Modal opened onClose={onClose} title={t.emailFor(name)} size="xl">
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} compact />
      ) : !data ? (
        <LoadingState label={t.seeEmail} />
      ) : (
        <>
          <Text fw={600} size="lg">
            {data.subject}
          </Text>
          <Text size="sm" c="dimmed" mb="sm">
            {`${t.emailOn(sayMoment(at))} · ${data.reason}`}
          </Text>
          <div className={classes.paper}>
            <SafePreview html={data.html} title={data.subject} />
          </div>
        </>
      )}
      {/* After the preview: Tab would lead out of it, behind the dialog. */}
      <DialogButtons onCancel={onClose} />
    </Modal>
  );
}
