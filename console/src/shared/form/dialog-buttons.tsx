import { Button, Group, Text } from '@mantine/core';
import { t } from '../../texts/shared.ts';

interface DialogButtonsProps {
  /** Why the action was refused. */
  fault?: string | undefined;
  onCancel?: (() => void) | undefined;
  cancel?: string;
  /** If missing, there is nothing to confirm. */
  confirm?: string;
  /** If missing, the button submits the form around it. */
  onConfirm?: () => void;
  isBusy?: boolean;
  isDisabled?: boolean;
  isDanger?: boolean;
  focus?: 'cancel' | 'confirm';
}

/** The footer of a dialog. The harmless choice comes first. */
export function DialogButtons(props: DialogButtonsProps) {
  const { fault, onCancel, confirm, onConfirm, isBusy = false, isDisabled = false, isDanger = false, focus } = props;
  return (
    <>
      <Fault text={fault} />
      <Group justify="flex-end" gap="xs" mt="xs">
        {onCancel && (
          <Button variant="default" onClick={onCancel} data-autofocus={focus === 'cancel' || undefined}>
            {props.cancel ?? (confirm ? t.cancel : t.close)}
          </Button>
        )}
        {confirm && (
          <Button
            {...(onConfirm ? { onClick: onConfirm } : { type: 'submit' })}
            {...(isDanger ? { color: 'red.8' } : {})}
            loading={isBusy}
            disabled={isDisabled}
            data-autofocus={focus === 'confirm' || undefined}
          >
            {confirm}
          </Button>
        )}
      </Group>
    </>
  );
}

/** An error, announced to screen readers at once. */
export function Fault({ text }: { text: string | undefined }) {
  if (!text) return null;
  return (
    <Text c="var(--bad)" role="alert">
      {text}
    </Text>
  );
}
