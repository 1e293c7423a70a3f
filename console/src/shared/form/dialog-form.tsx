import { Button, Group, Stack, Text } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { t } from '../../texts/shared.ts';

interface DialogFormProps {
  submit: string;
  isBusy: boolean;
  /** What is wrong as a whole; faults of a field stand beside it. */
  fault?: string | undefined;
  onSubmit: () => void;
  onCancel: () => void;
  children: ReactNode;
}

/** The inside of a dialog that asks for something and sends it. */
export function DialogForm({ submit, isBusy, fault, onSubmit, onCancel, children }: DialogFormProps) {
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (!isBusy) onSubmit();
  };
  return (
    <form onSubmit={send} noValidate>
      <Stack gap="sm">
        {children}
        {fault && (
          <Text c="var(--bad)" role="alert">
            {fault}
          </Text>
        )}
        <Group justify="flex-end" gap="xs" mt="xs">
          <Button variant="default" onClick={onCancel}>
            {t.cancel}
          </Button>
          <Button type="submit" loading={isBusy}>
            {submit}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
