import { Modal } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { noTransition } from '../../theme/theme.ts';
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
  const close = () => {
    setMade(undefined);
    onClose();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={made ? titleOnceMade(made) : title}
      {...noTransition}
      {...(made ? staysOpen : {})}
    >
      {made ? <SecretOnce {...secretOf(made)} onDone={close} /> : form(setMade, close)}
    </Modal>
  );
}
