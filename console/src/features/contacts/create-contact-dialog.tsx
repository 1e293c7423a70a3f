import { TextInput } from '@mantine/core';
import { TransactionFailure } from '@rapport/client';
import { createContact } from '@rapport/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { about } from '../../api/ask.ts';
import { useApi } from '../../api/session/session.tsx';
import { Modal } from '../../shared/dialog.tsx';
import { TypedNotice } from '../../shared/drafts/typed-notice.tsx';
import { useTyped } from '../../shared/drafts/use-typed.ts';
import { DialogForm } from '../../shared/form/dialog-form.tsx';
import { useGoOn } from '../../shared/use-go-on.ts';
import { t } from '../../texts/contacts.ts';

const empty = { email: '', firstName: '', lastName: '' };

export function CreateContactDialog({ onClose }: { onClose: () => void }) {
  const form = useTyped('contact', empty);
  const fields = form.values;
  const [isAsked, setAsked] = useState(false);
  const create = useCreate(form.forget);
  const isEmail = /^\S+@\S+$/.test(fields.email.trim());
  const input = (field: keyof typeof empty) => ({
    value: fields[field],
    onChange: (event: { currentTarget: { value: string } }) => form.set({ [field]: event.currentTarget.value }),
  });
  const cancel = () => {
    form.forget();
    onClose();
  };
  const submit = () => {
    setAsked(true);
    if (isEmail) create.mutate(fields);
  };
  return (
    <Modal opened onClose={onClose} title={t.createTitle}>
      <DialogForm
        submit={t.create}
        isBusy={create.isPending}
        fault={create.error instanceof TransactionFailure ? t.takesAWhile : create.error?.message}
        onSubmit={submit}
        onCancel={cancel}
      >
        <TypedNotice form={form} />
        <TextInput
          label={t.email}
          type="email"
          required
          data-autofocus
          error={isAsked && !isEmail ? t.emailWanted : undefined}
          {...input('email')}
        />
        <TextInput label={t.firstName} maxLength={255} {...input('firstName')} />
        <TextInput label={t.lastName} maxLength={255} {...input('lastName')} />
      </DialogForm>
    </Modal>
  );
}

/** The write is acknowledged first; the page of the contact is there once it is applied. */
function useCreate(onCreated: () => void) {
  const api = useApi();
  const queries = useQueryClient();
  const goOn = useGoOn();
  return useMutation({
    mutationFn: async ({ email, firstName, lastName }: typeof empty) => {
      const names = Object.entries({ first_name: firstName.trim(), last_name: lastName.trim() });
      const properties = Object.fromEntries(names.filter(([, name]) => name !== ''));
      const { data } = await api.call(createContact, { body: { email: email.trim(), properties } });
      const { data: done } = await api.transactions.wait(data.transactionId, { patienceMs: 20_000 });
      const [result] = done?.results ?? [];
      if (!result?.contactId || result.status === 'FAILED') throw new Error(result?.error ?? t.takesAWhile);
      return result.contactId;
    },
    onSuccess: (contactId) => {
      onCreated();
      void queries.invalidateQueries(about('contacts'));
      goOn(`/contacts/${contactId}`);
    },
  });
}
