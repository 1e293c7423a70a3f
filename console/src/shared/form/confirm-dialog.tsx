import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Modal } from '../dialog.tsx';
import { DialogButtons } from './dialog-buttons.tsx';
import { type Secret, SecretDialog } from './secret-dialog.tsx';
import { type Action, useAction } from './use-action.ts';

interface ConfirmDialogProps<Result> extends Pick<Action<void, Result>, 'act' | 'onDone' | 'refresh' | 'said'> {
  title: string;
  text: ReactNode;
  confirm: string;
  cancel?: string;
  isDisabled?: boolean;
  /** What the response shows, only once. */
  secret?: (result: Result) => Secret;
  onClose: () => void;
  children?: ReactNode;
}

/** Asks before something is lost, does it, and closes. Errors are shown in the dialog. */
export function ConfirmDialog<Result>(props: ConfirmDialogProps<Result>) {
  const { title, text, act, onDone, refresh, said, onClose, secret, children, ...buttons } = props;
  const action = useAction<Result>({
    act,
    refresh,
    said,
    onDone: async (result) => {
      await onDone?.(result);
      if (!secret) onClose();
    },
    isToldInPlace: true,
  });
  if (secret && action.data !== undefined) return <SecretDialog {...secret(action.data)} onDone={onClose} />;
  return (
    <Modal opened onClose={onClose} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!buttons.isDisabled && !action.isPending) action.mutate();
        }}
      >
        <Stack gap="md">
          <Text>{text}</Text>
          {children}
          <DialogButtons
            {...buttons}
            fault={action.error?.message}
            onCancel={onClose}
            isBusy={action.isPending}
            isDanger
            focus="cancel"
          />
        </Stack>
      </form>
    </Modal>
  );
}
