import { TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { addWorkspaceDomain } from '@rapport/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { about } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { Modal } from '../../../shared/dialog.tsx';
import { TypedNotice } from '../../../shared/drafts/typed-notice.tsx';
import { useTyped } from '../../../shared/drafts/use-typed.ts';
import { DialogForm } from '../../../shared/form/dialog-form.tsx';
import { faultsOf } from '../../../shared/form/faults.ts';
import { domains as t } from '../../../texts/settings-sending.ts';
import type { SendingDomain } from './domain-words.ts';

interface AddProps {
  onClose: () => void;
  onAdded: (domain: SendingDomain) => void;
}

export function AddDomainDialog({ opened, ...rest }: AddProps & { opened: boolean }) {
  return (
    <Modal opened={opened} onClose={rest.onClose} title={t.add}>
      <DomainForm {...rest} />
    </Modal>
  );
}

function DomainForm({ onClose, onAdded }: AddProps) {
  const api = useApi();
  const queries = useQueryClient();
  const form = useTyped('domain', { domain: '' });
  const { domain } = form.values;
  const [isMissing, setMissing] = useState(false);
  const add = useMutation({
    mutationFn: async () => (await api.call(addWorkspaceDomain, { body: { domain: domain.trim() } })).data,
    onSuccess: (added) => {
      form.forget();
      void queries.invalidateQueries(about('workspace'));
      void queries.invalidateQueries(about('sending'));
      notifications.show({ message: t.added(added.domain) });
      onAdded(added);
      onClose();
    },
  });
  const faults = faultsOf(add.error, { domain: t.domain });
  const cancel = () => {
    form.forget();
    onClose();
  };
  const submit = () => {
    const isDomain = /^[^\s@/]+\.[^\s@/]+$/.test(domain.trim());
    setMissing(!isDomain);
    if (isDomain) add.mutate();
  };
  return (
    <DialogForm submit={t.add} isBusy={add.isPending} fault={faults.form} onSubmit={submit} onCancel={cancel}>
      <TypedNotice form={form} />
      <TextInput
        label={t.domain}
        description={t.domainNote}
        placeholder={t.domainHint}
        required
        data-autofocus
        value={domain}
        error={isMissing ? t.enterDomain : faults.domain}
        onChange={(event) => form.set({ domain: event.currentTarget.value })}
      />
    </DialogForm>
  );
}
