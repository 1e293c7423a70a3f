import { TextInput } from '@mantine/core';
import { addWorkspaceDomain } from '@rapport/contract';
import { useApi } from '../../../api/session/session.tsx';
import { FormDialog } from '../../../shared/form/form-dialog.tsx';
import { useForm } from '../../../shared/form/use-form.ts';
import { domains as t } from '../../../texts/settings-sending.ts';
import type { SendingDomain } from './domain-words.ts';

interface AddDomainDialogProps {
  onAdded: (domain: SendingDomain) => void;
  onClose: () => void;
}

export function AddDomainDialog({ onAdded, onClose }: AddDomainDialogProps) {
  const api = useApi();
  const form = useForm({
    draft: 'domain',
    initial: { domain: '' },
    labels: { domain: t.domain },
    check: ({ domain }) => ({ domain: /^[^\s@/]+\.[^\s@/]+$/.test(domain.trim()) ? undefined : t.enterDomain }),
    send: async ({ domain }) => (await api.call(addWorkspaceDomain, { body: { domain: domain.trim() } })).data,
    refresh: ['workspace', 'sending'],
    said: ({ domain }) => t.added(domain),
    onSent: onAdded,
    onClose,
  });
  return (
    <FormDialog form={form} title={t.add} submit={t.add}>
      <TextInput
        {...form.text('domain')}
        description={t.domainNote}
        placeholder={t.domainHint}
        required
        data-autofocus
      />
    </FormDialog>
  );
}
