import { TextInput } from '@mantine/core';
import { createOrganization } from '@rapport/contract';
import { useApi } from '../../api/session/session.tsx';
import { wanted } from '../../shared/form/faults.ts';
import { FormDialog } from '../../shared/form/form-dialog.tsx';
import { useForm } from '../../shared/form/use-form.ts';
import { t } from '../../texts/organizations.ts';

export function CreateOrganizationDialog({ onClose }: { onClose: () => void }) {
  const api = useApi();
  const form = useForm({
    draft: 'organization',
    initial: { name: '', orgId: '' },
    labels: { name: t.name, orgId: t.id },
    check: ({ name }) => ({ name: wanted(name, t.nameWanted) }),
    send: async ({ name, orgId }) =>
      (await api.call(createOrganization, { body: { name: name.trim(), orgId: orgId.trim() || undefined } })).data,
    refresh: ['organizations'],
    goTo: ({ orgId }) => `/organizations/${encodeURIComponent(orgId)}`,
    onClose,
  });
  return (
    <FormDialog form={form} title={t.createTitle} submit={t.create}>
      <TextInput {...form.text('name')} required maxLength={255} data-autofocus />
      <TextInput {...form.text('orgId')} description={t.idText} maxLength={255} />
    </FormDialog>
  );
}
