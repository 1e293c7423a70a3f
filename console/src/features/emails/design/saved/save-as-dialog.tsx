// A block of this email becomes a saved one, to be used in others.
import { Text, TextInput } from '@mantine/core';
import type { Block } from '@rapport/contract';
import { useApi } from '../../../../api/session/session.tsx';
import { wanted } from '../../../../shared/form/faults.ts';
import { FormDialog } from '../../../../shared/form/form-dialog.tsx';
import { useForm } from '../../../../shared/form/use-form.ts';
import { t, words } from '../../../../texts/designs.ts';
import { createSaved, type StoredBlock } from '../design-api.ts';

interface SaveAsDialogProps {
  block: Block;
  onSaved: (saved: StoredBlock) => void;
  onClose: () => void;
}

export function SaveAsDialog({ block, onSaved, onClose }: SaveAsDialogProps) {
  const api = useApi();
  const form = useForm({
    draft: 'saved-block:new',
    initial: { name: '' },
    labels: { name: t.savedName },
    check: ({ name }) => ({ name: wanted(name, t.savedNameMissing) }),
    send: ({ name }) => createSaved(api, { name, blocks: [block] }),
    said: ({ name }) => t.savedAs(name),
    refresh: ['blocks'],
    onSent: onSaved,
    onClose,
  });
  return (
    <FormDialog form={form} title={words.saveAs} submit={t.saveBlock}>
      <Text c="dimmed">{t.saveAsText}</Text>
      <TextInput {...form.text('name')} maxLength={255} required data-autofocus />
    </FormDialog>
  );
}
