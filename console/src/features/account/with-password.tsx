// A change that needs the password, so that a browser that was left open is not enough.
import { PasswordInput, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { FormDialog } from '../../shared/form/form-dialog.tsx';
import { useForm } from '../../shared/form/use-form.ts';
import { t } from '../../texts/account.ts';
import { t as signIn } from '../../texts/sign-in.ts';
import { useChange } from './use-change.ts';

interface WithPasswordProps {
  title: string;
  text: string;
  submit: string;
  isDanger?: boolean;
  what: 'renew-codes' | 'remove-second-factor';
  hasPassword: boolean;
  onCodes: (codes: string[]) => void;
  onClose: () => void;
}

export function WithPassword(props: WithPasswordProps) {
  const { title, text, submit, isDanger = false, what, hasPassword, onCodes, onClose } = props;
  const change = useChange();
  const form = useForm({
    draft: `own-${what}`,
    initial: { current: '' },
    withoutSecrets: () => ({}),
    labels: { current: t.currentPassword },
    check: ({ current }) => ({ current: hasPassword && current === '' ? t.enterCurrent : undefined }),
    send: ({ current }) => change({ do: what, ...(hasPassword && { current }) }),
    onSent: ({ good, codes }) => {
      if (codes) onCodes(codes);
      if (good) notifications.show({ message: good });
    },
    onClose,
  });
  return (
    <FormDialog form={form} title={title} submit={submit} isDanger={isDanger}>
      <Text>{text}</Text>
      {hasPassword && (
        <PasswordInput
          {...form.text('current')}
          autoComplete="current-password"
          maxLength={256}
          visibilityToggleButtonProps={{ 'aria-label': signIn.showPassword }}
          required
          data-autofocus
        />
      )}
    </FormDialog>
  );
}
