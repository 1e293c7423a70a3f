import { TextInput } from '@mantine/core';
import { TransactionFailure } from '@rapport/client';
import { createContact } from '@rapport/contract';
import { useApi } from '../../api/session/session.tsx';
import { faultsOf } from '../../shared/form/faults.ts';
import { FormDialog } from '../../shared/form/form-dialog.tsx';
import { useForm } from '../../shared/form/use-form.ts';
import { t } from '../../texts/contacts.ts';

const labels = { email: t.email, firstName: t.firstName, lastName: t.lastName };

export function CreateContactDialog({ onClose }: { onClose: () => void }) {
  const api = useApi();
  const form = useForm({
    draft: 'contact',
    initial: { email: '', firstName: '', lastName: '' },
    labels,
    check: ({ email }) => ({ email: /^\S+@\S+$/.test(email.trim()) ? undefined : t.emailWanted }),
    // The write is acknowledged first; the contact's page exists once it is applied.
    send: async ({ email, firstName, lastName }) => {
      const names = Object.entries({ first_name: firstName.trim(), last_name: lastName.trim() });
      const properties = Object.fromEntries(names.filter(([, name]) => name !== ''));
      const { data } = await api.call(createContact, { body: { email: email.trim(), properties } });
      const { data: done } = await api.transactions.wait(data.transactionId, { patienceMs: 20_000 });
      const [result] = done?.results ?? [];
      if (!result?.contactId || result.status === 'FAILED') throw new Error(result?.error ?? t.takesAWhile);
      return result.contactId;
    },
    refused: (error) => (error instanceof TransactionFailure ? { form: t.takesAWhile } : faultsOf(error, labels)),
    refresh: ['contacts'],
    goTo: (contactId) => `/contacts/${contactId}`,
    onClose,
  });
  return (
    <FormDialog form={form} title={t.createTitle} submit={t.create}>
      <TextInput {...form.text('email')} type="email" required data-autofocus />
      <TextInput {...form.text('firstName')} maxLength={255} />
      <TextInput {...form.text('lastName')} maxLength={255} />
    </FormDialog>
  );
}
