import { notifications } from '@mantine/notifications';
import { type ReactNode, useState } from 'react';
import { t } from '../../texts/shared.ts';
import { Modal } from '../dialog.tsx';
import { useIsHere } from '../use-go-on.ts';
import { SecretOnce, type SecretOnceProps, staysOpen } from './secret-once.tsx';

interface SecretDialogProps<Made> {
  opened: boolean;
  onClose: () => void;
  title: string;
  titleOnceMade: (made: Made) => string;
  /** What is shown of it, this once. */
  secretOf: (made: Made) => Omit<SecretOnceProps, 'onDone'>;
  form: (onMade: (made: Made) => void, onCancel: () => void) => ReactNode;
}

/** Makes something that has a secret: first its form, then the secret. */
export function SecretDialog<Made>({ opened, onClose, title, titleOnceMade, secretOf, form }: SecretDialogProps<Made>) {
  const [made, setMade] = useState<Made>();
  const isHere = useIsHere();
  const show = (next: Made) => {
    if (isHere()) setMade(next);
    else notifications.show({ color: 'yellow', message: t.secretUnseen, autoClose: false });
  };
  const close = () => {
    setMade(undefined);
    onClose();
  };
  return (
    <Modal opened={opened} onClose={close} title={made ? titleOnceMade(made) : title} {...(made ? staysOpen : {})}>
      {made ? <SecretOnce {...secretOf(made)} onDone={close} /> : form(show, close)}
    </Modal>
  );
}
