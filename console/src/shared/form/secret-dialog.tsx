import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { t } from '../../texts/shared.ts';
import { CopyButton } from '../copy-button.tsx';
import { Modal } from '../dialog.tsx';

export interface Secret {
  title: string;
  label: string;
  secret: string;
  /** What it is for, and that it will not be shown again. */
  note: string;
}

/** A secret that the service shows only once, to be copied now. A stray click or key does not close it. */
export function SecretDialog({ title, label, secret, note, onDone }: Secret & { onDone: () => void }) {
  return (
    <Modal
      opened
      onClose={onDone}
      title={title}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack gap="sm">
        <Text>{note}</Text>
        <TextInput
          label={label}
          value={secret}
          readOnly
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          onFocus={(event) => event.currentTarget.select()}
        />
        <Group justify="flex-end" gap="xs">
          <CopyButton text={secret} size="sm" data-autofocus />
          <Button onClick={onDone}>{t.copiedIt}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
