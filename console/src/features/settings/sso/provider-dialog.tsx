import { PasswordInput, Select, Switch, TagsInput, TextInput } from '@mantine/core';
import { createIdentityProvider, type Role, updateIdentityProvider } from '@rapport/contract';
import { useApi } from '../../../api/session/session.tsx';
import { FormDialog } from '../../../shared/form/form-dialog.tsx';
import { useForm } from '../../../shared/form/use-form.ts';
import { roleNames } from '../../../texts/settings.ts';
import { sso as t } from '../../../texts/settings-access.ts';
import { bodyOf, fieldsOf, type IdentityProvider, missingIn } from './provider-fields.ts';
import { RedirectAddress } from './redirect-address.tsx';

const labels = {
  name: t.name,
  issuer: t.issuer,
  clientId: t.clientId,
  clientSecret: t.clientSecret,
  domains: t.domains,
  joinsAs: t.joinsAs,
  isRequired: t.required,
};
const joining: { value: Role | ''; label: string }[] = [
  { value: '', label: t.joinsNobody },
  ...(Object.keys(roleNames) as Role[]).map((value) => ({ value, label: t.joinsRole(roleNames[value]) })),
];

/** Edits a provider, or adds one if none is given. */
export function ProviderDialog({ provider, onClose }: { provider?: IdentityProvider; onClose: () => void }) {
  const api = useApi();
  const form = useForm({
    draft: `provider:${provider?.providerId ?? ''}`,
    initial: fieldsOf(provider),
    withoutSecrets: ({ clientSecret: _secret, ...rest }) => rest,
    notKept: t.clientSecretNotKept,
    labels,
    check: missingIn,
    send: async (fields) => {
      const body = bodyOf(fields);
      if (provider) await api.call(updateIdentityProvider, { params: { providerId: provider.providerId }, body });
      else await api.call(createIdentityProvider, { body });
    },
    refresh: ['identity-providers'],
    said: t.saved,
    onClose,
  });
  return (
    <FormDialog
      form={form}
      title={provider ? t.editTitle(provider.name) : t.create}
      submit={provider ? t.save : t.create}
    >
      {!provider && <RedirectAddress />}
      <TextInput {...form.text('name')} description={t.nameNote} placeholder={t.nameHint} required data-autofocus />
      <TextInput {...form.text('issuer')} description={t.issuerNote} placeholder={t.issuerHint} required type="url" />
      <TextInput {...form.text('clientId')} description={t.clientIdNote} required autoComplete="off" />
      <PasswordInput
        {...form.text('clientSecret')}
        description={provider?.hasClientSecret ? t.clientSecretKept : t.clientSecretNote}
        autoComplete="new-password"
      />
      <TagsInput {...form.choice('domains')} description={t.domainsNote} required maxTags={20} />
      <Select {...form.choice('joinsAs')} data={joining} allowDeselect={false} />
      <Switch
        label={t.isRequired}
        description={t.isRequiredNote}
        checked={form.values.isRequired}
        error={form.faults.isRequired}
        onChange={(event) => form.set({ isRequired: event.currentTarget.checked })}
      />
    </FormDialog>
  );
}
