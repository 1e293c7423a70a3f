import { Textarea, TextInput } from '@mantine/core';
import { wanted } from '../../shared/form/faults.ts';
import { FormDialog } from '../../shared/form/form-dialog.tsx';
import { type FormOptions, useForm } from '../../shared/form/use-form.ts';
import { t } from '../../texts/audience.ts';

interface Fields {
  name: string;
  description: string;
}

interface ListDialogProps<Result>
  extends Pick<FormOptions<Fields, keyof Fields, Result>, 'draft' | 'refused' | 'refresh' | 'goTo' | 'onClose'> {
  title: string;
  initial?: Fields;
  send: (name: string, description: string | null) => Promise<Result>;
}

/** The name of a dynamic list, when it is saved or renamed. */
export function ListDialog<Result>({ title, initial, send, ...options }: ListDialogProps<Result>) {
  const form = useForm({
    ...options,
    initial: initial ?? { name: '', description: '' },
    labels: { name: t.listName, description: t.description },
    check: ({ name }) => ({ name: wanted(name, t.nameWanted) }),
    send: ({ name, description }) => send(name.trim(), description.trim() || null),
  });
  return (
    <FormDialog form={form} title={title} submit={t.save}>
      <TextInput {...form.text('name')} maxLength={255} data-autofocus />
      <Textarea {...form.text('description')} maxLength={2000} autosize />
    </FormDialog>
  );
}
