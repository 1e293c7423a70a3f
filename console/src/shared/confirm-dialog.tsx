import { Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../texts/shared.ts';
import { Modal } from './dialog.tsx';

interface ConfirmDialogProps {
  opened: boolean;
  title: string;
  text: ReactNode;
  confirm: string;
  cancel?: string;
  busy?: boolean;
  error?: Error | null;
  onConfirm: () => void;
  onCancel: () => void;
}

/** Asks before something is lost. The harmless answer comes first. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { opened, title, text, confirm, cancel = t.cancel, busy = false, error, onConfirm, onCancel } = props;
  return (
    <Modal opened={opened} onClose={onCancel} title={title}>
      <Stack gap="md">
        <Text>{text}</Text>
        {error && (
          <Text c="var(--bad)" role="alert">
            {error.message}
          </Text>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel} data-autofocus>
            {cancel}
          </Button>
          <Button color="red.8" loading={busy} onClick={onConfirm}>
            {confirm}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
