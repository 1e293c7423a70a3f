import { TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { t } from '../texts/name-dialog.ts';
import { Modal } from './dialog.tsx';
import { TypedNotice } from './drafts/typed-notice.tsx';
import { useTyped } from './drafts/use-typed.ts';
import { DialogForm } from './form/dialog-form.tsx';

interface NameDialogProps {
  /** What is named, for the draft: `organization:acme`. */
  of: string;
  title: string;
  name: string;
  /** Closes the dialog once it is done; a refusal is shown in it. */
  onSave: (name: string) => Promise<unknown>;
  onClose: () => void;
}

/** Another name for something. */
export function NameDialog({ of, title, name, onSave, onClose }: NameDialogProps) {
  const form = useTyped(`name:${of}`, { name });
  const text = form.values.name.trim();
  const leave = () => {
    form.forget();
    onClose();
  };
  const save = useMutation({ mutationFn: () => onSave(text), onSuccess: leave });
  return (
    <Modal opened onClose={onClose} title={title}>
      <DialogForm
        submit={t.save}
        isBusy={save.isPending}
        fault={save.error?.message}
        onSubmit={() => text !== '' && save.mutate()}
        onCancel={leave}
      >
        <TypedNotice form={form} />
        <TextInput
          label={t.name}
          value={form.values.name}
          maxLength={255}
          data-autofocus
          error={text === '' ? t.nameWanted : undefined}
          onChange={(event) => form.set({ name: event.currentTarget.value })}
        />
      </DialogForm>
    </Modal>
  );
}
