import { renewWebhookSecret } from '@rapport/contract';
import { useMutation } from '@tanstack/react-query';
import { useApi } from '../../api/session/session.tsx';
import { ConfirmDialog } from '../../shared/confirm-dialog.tsx';
import { Modal } from '../../shared/dialog.tsx';
import { SecretOnce, staysOpen } from '../../shared/form/secret-once.tsx';
import { t } from '../../texts/webhooks.ts';

/** Asks first: servers that check signatures have a day to change over. */
export function RenewSecretDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const api = useApi();
  const renew = useMutation({ mutationFn: async () => (await api.call(renewWebhookSecret)).data });
  const close = () => {
    renew.reset();
    onClose();
  };
  return (
    <>
      <ConfirmDialog
        opened={opened && !renew.data}
        title={t.renewTitle}
        text={t.renewText}
        confirm={t.renewConfirm}
        busy={renew.isPending}
        error={renew.error}
        onConfirm={() => renew.mutate()}
        onCancel={close}
      />
      <Modal opened={opened && renew.data !== undefined} onClose={close} title={t.renewed} {...staysOpen}>
        <SecretOnce label={t.secret} secret={renew.data?.secret ?? ''} note={t.secretNote} onDone={close} />
      </Modal>
    </>
  );
}
