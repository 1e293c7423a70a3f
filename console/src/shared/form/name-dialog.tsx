import { TextInput } from '@mantine/core';
import { t } from '../../texts/shared.ts';
import { faultsOf, wanted } from './faults.ts';
import { FormDialog } from './form-dialog.tsx';
import type { Action } from './use-action.ts';
import { useForm } from './use-form.ts';

interface NameDialogProps {
  /** What is being named, for the draft: `organization:acme`. */
  of: string;
  title: string;
  name: string;
  onSave: (name: string) => Promise<unknown>;
  /** The error message, if not the API's. */
  refusal?: (error: Error, name: string) => string;
  refresh?: Action<unknown, unknown>['refresh'];
  said?: string;
  onClose: () => void;
}

const labels = { name: t.name };

/** Renames something. */
export function NameDialog({ of, title, name, onSave, refusal, refresh, said, onClose }: NameDialogProps) {
  const form = useForm({
    draft: `name:${of}`,
    initial: { name },
    labels,
    check: (fields) => ({ name: wanted(fields.name, t.enterName) }),
    send: (fields) => onSave(fields.name.trim()),
    refused: (error, fields) => (refusal ? { name: refusal(error, fields.name) } : faultsOf(error, labels)),
    refresh,
    said,
    onClose,
  });
  return (
    <FormDialog form={form} title={title} submit={t.save}>
      <TextInput {...form.text('name')} required maxLength={255} data-autofocus />
    </FormDialog>
  );
}
