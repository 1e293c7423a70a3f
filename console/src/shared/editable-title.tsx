// A name that is edited in place: the pencil turns the heading into a field, Enter saves, Escape cancels.
import { ActionIcon, Button, Group, TextInput } from '@mantine/core';
import { t } from '../texts/shared.ts';
import classes from './editable-title.module.css';
import { wanted } from './form/faults.ts';
import { useForm } from './form/use-form.ts';
import { EditIcon } from './icons.tsx';

/** Saves the name, or throws an error that says why it could not. */
export type Rename = (name: string) => Promise<unknown>;

/** Beside the heading; hidden while the name is being edited. */
export function RenameButton({ onClick }: { onClick: () => void }) {
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={t.rename} title={t.rename} onClick={onClick}>
      <EditIcon size={16} />
    </ActionIcon>
  );
}

interface RenameFormProps {
  /** What is being named, for the draft. */
  of: string;
  name: string;
  rename: Rename;
  onClose: () => void;
}

export function RenameForm({ of, name, rename, onClose }: RenameFormProps) {
  const form = useForm({
    draft: `name:${of}`,
    initial: { name },
    labels: { name: t.name },
    check: (fields) => ({ name: wanted(fields.name, t.enterName) }),
    send: async (fields) => fields.name.trim() !== name && rename(fields.name.trim()),
    refused: ({ message }) => ({ name: message }),
    onClose,
  });
  const { label, ...field } = form.text('name');
  return (
    <form
      noValidate
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        form.submit();
      }}
    >
      <Group gap="xs" align="flex-start">
        <TextInput
          {...field}
          aria-label={label}
          className={classes.field ?? ''}
          maxLength={255}
          ref={(input) => input?.focus()}
          onKeyDown={(event) => event.key === 'Escape' && form.cancel?.()}
        />
        <Button type="submit" loading={form.isBusy}>
          {t.rename}
        </Button>
        <Button variant="default" onClick={form.cancel}>
          {t.cancel}
        </Button>
      </Group>
    </form>
  );
}
