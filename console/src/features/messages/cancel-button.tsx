import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { cancelMessage } from '@rapport/contract';
import { useQueryClient } from '@tanstack/react-query';
import { about } from '../../api/ask.ts';
import { useRights } from '../../api/session/rights.ts';
import { useApi } from '../../api/session/session.tsx';
import { ConfirmDialog } from '../../shared/form/confirm-dialog.tsx';
import { t } from '../../texts/messages.ts';

/** A waiting message can be cancelled, by users who may. */
export function CancelButton({ messageId }: { messageId: string }) {
  const api = useApi();
  const queries = useQueryClient();
  const { canWrite } = useRights();
  const [isAsking, asking] = useDisclosure(false);
  // Refused once it has been sent: then the page shows that.
  const cancel = () =>
    api.call(cancelMessage, { params: { messageId } }).finally(() => void queries.invalidateQueries(about('messages')));
  if (!canWrite) return null;
  return (
    <>
      <Button variant="default" onClick={asking.open}>
        {t.cancel}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t.cancelTitle}
          text={t.cancelText}
          confirm={t.cancelConfirm}
          cancel={t.cancelKeep}
          act={cancel}
          said={t.cancelled}
          onClose={asking.close}
        />
      )}
    </>
  );
}
