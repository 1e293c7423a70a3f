import { Textarea, TextInput } from '@mantine/core';
import type { Typed } from '../../shared/drafts/use-typed.ts';
import { t } from '../../texts/audience.ts';

interface ListFieldsProps {
  form: Typed<{ name: string; description: string }>;
  /** Whether a name that is missing is told already. */
  isAsked: boolean;
}

/** What people call a dynamic list, where it is saved and where it is renamed. */
export function ListFields({ form, isAsked }: ListFieldsProps) {
  const { name, description } = form.values;
  return (
    <>
      <TextInput
        label={t.listName}
        value={name}
        maxLength={255}
        data-autofocus
        error={isAsked && name.trim() === '' ? t.nameWanted : undefined}
        onChange={(event) => form.set({ name: event.currentTarget.value })}
      />
      <Textarea
        label={t.description}
        value={description}
        maxLength={2000}
        autosize
        onChange={(event) => form.set({ description: event.currentTarget.value })}
      />
    </>
  );
}
