// A name that is changed where it stands: the pencil makes a field of the heading, Enter saves, Escape leaves it as it was.
import { ActionIcon, Button, Group, TextInput } from '@mantine/core';
import { type FormEvent, type KeyboardEvent, useState } from 'react';
import { t } from '../texts/shared.ts';
import { useTyped } from './drafts/use-typed.ts';
import classes from './editable-title.module.css';
import { EditIcon } from './icons.tsx';

/** Saves the name; what it answers is why that could not be done. */
export type Rename = (name: string) => Promise<string | undefined>;

/** Beside the heading; while it is open the heading is gone. */
export function RenameButton({ onClick }: { onClick: () => void }) {
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={t.rename} title={t.rename} onClick={onClick}>
      <EditIcon size={16} />
    </ActionIcon>
  );
}

interface RenameFormProps {
  /** What is named, for the draft. */
  of: string;
  name: string;
  rename: Rename;
  onClose: () => void;
}

export function RenameForm({ of, name, rename, onClose }: RenameFormProps) {
  const form = useTyped(`name:${of}`, { text: name });
  const { text } = form.values;
  const leave = () => {
    form.forget();
    onClose();
  };
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === '') return setError(t.enterName);
    if (text.trim() === name) return leave();
    setBusy(true);
    const refusal = await rename(text.trim());
    setBusy(false);
    if (refusal === undefined) leave();
    else setError(refusal);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') leave();
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate className={classes.form}>
      <Group gap="xs" align="flex-start">
        <TextInput
          aria-label={t.name}
          className={classes.field ?? ''}
          value={text}
          error={error}
          maxLength={255}
          data-autofocus
          ref={(field) => field?.focus()}
          onKeyDown={onKey}
          onChange={(event) => {
            form.set({ text: event.currentTarget.value });
            setError(undefined);
          }}
        />
        <Button type="submit" loading={isBusy}>
          {t.rename}
        </Button>
        <Button variant="default" onClick={leave}>
          {t.cancel}
        </Button>
      </Group>
    </form>
  );
}
