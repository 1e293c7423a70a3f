import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { t } from '../../texts/shared.ts';
import { CopyButton } from '../copy-button.tsx';

/** For the dialog around it: a stray click must not take away what is never shown again. */
export const staysOpen = { closeOnClickOutside: false, closeOnEscape: false, withCloseButton: false };

export interface SecretOnceProps {
  label: string;
  secret: string;
  /** What it is for, and that it is gone afterwards. */
  note: string;
  onDone: () => void;
}

/** A secret that the service shows this once: to be copied now. */
export function SecretOnce({ label, secret, note, onDone }: SecretOnceProps) {
  return (
    <Stack gap="sm">
      <Text>{note}</Text>
      <TextInput
        label={label}
        value={secret}
        readOnly
        ff="monospace"
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        onFocus={(event) => event.currentTarget.select()}
      />
      <Group justify="flex-end" gap="xs">
        <CopyButton text={secret} size="sm" data-autofocus />
        <Button onClick={onDone}>{t.copiedIt}</Button>
      </Group>
    </Stack>
  );
}
