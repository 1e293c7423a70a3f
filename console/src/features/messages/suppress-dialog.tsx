import { Select, Text, TextInput } from '@mantine/core';
import { ApiFailure } from '@rapport/client';
import { type SuppressionReason, suppressAddress } from '@rapport/contract';
import { useApi } from '../../api/session/session.tsx';
import { FormDialog } from '../../shared/form/form-dialog.tsx';
import { useForm } from '../../shared/form/use-form.ts';
import { suppressionWords, t } from '../../texts/messages.ts';

/** A 400 is about the address: there is no other input. */
const isOurs = (error: Error) => error instanceof ApiFailure && error.status === 400;
const reasons = Object.entries(suppressionWords).map(([value, { label }]) => ({
  value: value as SuppressionReason,
  label,
}));

export function SuppressDialog({ onClose }: { onClose: () => void }) {
  const api = useApi();
  const form = useForm({
    draft: 'suppression',
    initial: { email: '', reason: 'manual' as SuppressionReason },
    labels: { email: t.address, reason: t.reason },
    check: ({ email }) => ({ email: /^\S+@\S+$/.test(email.trim()) ? undefined : t.addressMissing }),
    send: async ({ email, reason }) =>
      (await api.call(suppressAddress, { params: { email: email.trim() }, body: { reason } })).data,
    refused: (error) => ({ email: isOurs(error) ? t.addressMissing : error.message }),
    refresh: ['suppressions'],
    said: ({ email }) => t.suppressed(email),
    onClose,
  });
  return (
    <FormDialog form={form} title={t.add} submit={t.add}>
      <Text>{t.addText}</Text>
      <TextInput {...form.text('email')} type="email" data-autofocus />
      <Select {...form.choice('reason')} data={reasons} allowDeselect={false} />
    </FormDialog>
  );
}
