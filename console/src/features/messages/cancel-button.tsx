import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { cancelMessage } from '@rapport/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { about } from '../../api/ask.ts';
import { useRights } from '../../api/session/rights.ts';
import { useApi } from '../../api/session/session.tsx';
import { ConfirmDialog } from '../../shared/confirm-dialog.tsx';
import { t } from '../../texts/messages.ts';

/** While a message waits it can be stopped, by those who may. */
export function CancelButton({ messageId }: { messageId: string }) {
  const api = useApi();
  const queries = useQueryClient();
  const { canWrite } = useRights();
  const [isAsking, asking] = useDisclosure(false);
  const cancel = useMutation({
    mutationFn: () => api.call(cancelMessage, { params: { messageId } }),
    onSuccess: () => {
      asking.close();
      notifications.show({ message: t.cancelled });
    },
    // Refused once it has left: then the page shows that it has.
    onSettled: () => queries.invalidateQueries(about('messages')),
  });
  if (!canWrite) return null;
  return (
    <>
      <Button variant="default" onClick={asking.open}>
        {t.cancel}
      </Button>
      <ConfirmDialog
        opened={isAsking}
        title={t.cancelTitle}
        text={t.cancelText}
        confirm={t.cancelConfirm}
        cancel={t.cancelKeep}
        busy={cancel.isPending}
        error={cancel.error}
        onConfirm={() => cancel.mutate()}
        onCancel={asking.close}
      />
    </>
  );
}
