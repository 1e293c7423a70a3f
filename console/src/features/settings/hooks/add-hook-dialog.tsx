import { Select, TextInput } from '@mantine/core';
import { createWorkspaceHook, mailProviders, type Provider, providerNames } from '@rapport/contract';
import { useApi } from '../../../api/session/session.tsx';
import { wanted } from '../../../shared/form/faults.ts';
import { FormDialog } from '../../../shared/form/form-dialog.tsx';
import { useForm } from '../../../shared/form/use-form.ts';
import { hooks as t } from '../../../texts/settings-sending.ts';

export function AddHookDialog({ onClose }: { onClose: () => void }) {
  const api = useApi();
  const form = useForm({
    draft: 'mail-hook',
    initial: { provider: 'postmark' as Provider, key: '' },
    withoutSecrets: ({ key: _key, ...rest }) => rest,
    notKept: t.keyNotKept,
    labels: { provider: t.provider, key: t.key },
    check: ({ provider, key }) => ({
      key: mailProviders[provider].key?.isRequired ? wanted(key, t.enterKey) : undefined,
    }),
    send: async ({ provider, key }) => {
      const body = { provider, key: (mailProviders[provider].key && key.trim()) || undefined };
      return (await api.call(createWorkspaceHook, { body })).data;
    },
    refresh: ['workspace'],
    staysOpen: 'secret',
    onClose,
  });
  const signing = mailProviders[form.values.provider].key;
  return (
    <FormDialog
      form={form}
      title={t.add}
      submit={t.createIt}
      secret={({ url }) => ({ title: t.made, label: t.url, secret: url, note: t.urlNote })}
    >
      <Select
        {...form.choice('provider')}
        data={providerNames.map((value) => ({ value, label: mailProviders[value].label }))}
        allowDeselect={false}
        data-autofocus
      />
      {signing && (
        <TextInput
          {...form.text('key')}
          label={signing.label}
          description={signing.hint}
          required={signing.isRequired}
          autoComplete="off"
        />
      )}
    </FormDialog>
  );
}
