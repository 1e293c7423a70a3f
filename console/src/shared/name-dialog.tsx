import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { t } from '../texts/name-dialog.ts';
import { t as shared } from '../texts/shared.ts';
import { Modal } from './dialog.tsx';

interface NameDialogProps {
  title: string;
  name: string;
  /** Closes the dialog once it is done; a refusal is shown in it. */
  onSave: (name: string) => Promise<unknown>;
  onClose: () => void;
}

/** Another name for something. */
export function NameDialog({ title, name, onSave, onClose }: NameDialogProps) {
  const [text, setText] = useState(name);
  const save = useMutation({ mutationFn: () => onSave(text.trim()), onSuccess: onClose });
  const isMissing = text.trim() === '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isMissing) save.mutate();
  };
  return (
    <Modal opened onClose={onClose} title={title}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <TextInput
            label={t.name}
            value={text}
            maxLength={255}
            data-autofocus
            error={isMissing ? t.nameWanted : undefined}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          {save.error && (
            <Text c="var(--bad)" role="alert">
              {save.error.message}
            </Text>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {shared.cancel}
            </Button>
            <Button type="submit" loading={save.isPending}>
              {t.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
