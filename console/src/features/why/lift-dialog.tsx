import { Text, Textarea } from '@mantine/core';
import { unsuppressAddress } from '@rapport/contract';
import { useApi } from '../../api/session/session.tsx';
import { wanted } from '../../shared/form/faults.ts';
import { FormDialog } from '../../shared/form/form-dialog.tsx';
import { useForm } from '../../shared/form/use-form.ts';
import { suppressionWords } from '../../texts/messages.ts';
import { remedies as t } from '../../texts/why.ts';
import type { Fact } from './remedies.ts';
import type { WhyAnswer } from './why-api.ts';

interface LiftDialogProps {
  fact: Fact;
  contact: WhyAnswer['contact'];
  onChanged: () => void;
  onClose: () => void;
}

/** Lets an address get mail again: says what its owner wanted, and asks for the reason. */
export function LiftDialog({
  fact: { reason = 'manual' },
  contact: { contactId, email },
  onChanged,
  onClose,
}: LiftDialogProps) {
  const api = useApi();
  const form = useForm({
    draft: `lift:${contactId}`,
    initial: { note: '' },
    labels: { note: t.note },
    check: ({ note }) => ({ note: wanted(note, t.enterNote) }),
    send: async ({ note }) => {
      await api.call(unsuppressAddress, { params: { email }, query: { note: note.trim() } });
    },
    refresh: ['suppressions'],
    said: t.lifted(email),
    onSent: onChanged,
    onClose,
  });
  return (
    <FormDialog form={form} title={t.liftTitle(email)} submit={t.liftConfirm} isDanger>
      <Text>{suppressionWords[reason].care}</Text>
      <Text c="dimmed">{t.liftText}</Text>
      <Textarea {...form.text('note')} description={t.noteText} required maxLength={500} rows={3} data-autofocus />
    </FormDialog>
  );
}
