import { PasswordInput, Select, Switch, TagsInput, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { createIdentityProvider, getWorkspace, type Role, updateIdentityProvider } from '@rapport/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { about, dataOf } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { CopyButton } from '../../../shared/copy-button.tsx';
import { Modal } from '../../../shared/dialog.tsx';
import { TypedNotice } from '../../../shared/drafts/typed-notice.tsx';
import { useTyped } from '../../../shared/drafts/use-typed.ts';
import { DialogForm } from '../../../shared/form/dialog-form.tsx';
import { type Faults, faultsOf } from '../../../shared/form/faults.ts';
import { roleNames } from '../../../texts/settings.ts';
import { sso as t } from '../../../texts/settings-access.ts';
import {
  bodyOf,
  fieldsOf,
  type IdentityProvider,
  missingIn,
  type ProviderFields,
  withoutSecret,
} from './provider-fields.ts';

interface ProviderDialogProps {
  /** Undefined: a new one. */
  provider?: IdentityProvider;
  opened: boolean;
  onClose: () => void;
}

export function ProviderDialog({ provider, opened, onClose }: ProviderDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={provider ? t.editTitle(provider.name) : t.create}>
      <ProviderForm provider={provider} onClose={onClose} />
    </Modal>
  );
}

const labels = {
  name: t.name,
  issuer: t.issuer,
  clientId: t.clientId,
  clientSecret: t.clientSecret,
  domains: t.domains,
  joinsAs: t.joinsAs,
  isRequired: t.required,
};
const joining = [
  { value: '', label: t.joinsNobody },
  ...(Object.keys(roleNames) as Role[]).map((value) => ({ value, label: t.joinsRole(roleNames[value]) })),
];

/** The provider asks for it when Rapport is registered there, which comes before it gives a client ID. */
function RedirectAddress() {
  const api = useApi();
  const { data } = useQuery(dataOf(api, getWorkspace));
  return (
    <TextInput
      label={t.callbackUrl}
      description={t.callbackNote}
      value={data?.ssoCallbackUrl ?? ''}
      readOnly
      rightSectionWidth="auto"
      rightSection={data && <CopyButton text={data.ssoCallbackUrl} label={t.copy} size="compact-xs" mr={6} />}
    />
  );
}

function ProviderForm({ provider, onClose }: { provider: IdentityProvider | undefined; onClose: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const form = useTyped(`provider:${provider?.providerId ?? ''}`, fieldsOf(provider), withoutSecret);
  const { values: fields, set } = form;
  const [missing, setMissing] = useState<Faults<keyof ProviderFields>>({});
  const save = useMutation({
    mutationFn: async () => {
      const body = bodyOf(fields);
      if (provider) await api.call(updateIdentityProvider, { params: { providerId: provider.providerId }, body });
      else await api.call(createIdentityProvider, { body });
    },
    onSuccess: () => {
      form.forget();
      void queries.invalidateQueries(about('identity-providers'));
      notifications.show({ message: t.saved });
      onClose();
    },
  });
  const cancel = () => {
    form.forget();
    onClose();
  };
  const submit = () => {
    const faults = missingIn(fields);
    setMissing(faults);
    if (Object.keys(faults).length === 0) save.mutate();
  };
  const faults = { ...faultsOf(save.error, labels), ...missing };
  const text = (field: 'name' | 'issuer' | 'clientId' | 'clientSecret') => ({
    label: labels[field],
    value: fields[field],
    error: faults[field],
    onChange: (event: { currentTarget: { value: string } }) => set({ [field]: event.currentTarget.value }),
  });
  return (
    <DialogForm
      submit={provider ? t.save : t.create}
      isBusy={save.isPending}
      fault={faults.form}
      onSubmit={submit}
      onCancel={cancel}
    >
      <TypedNotice form={form} hasSecret />
      {!provider && <RedirectAddress />}
      <TextInput {...text('name')} description={t.nameNote} placeholder={t.nameHint} required data-autofocus />
      <TextInput {...text('issuer')} description={t.issuerNote} placeholder={t.issuerHint} required type="url" />
      <TextInput {...text('clientId')} description={t.clientIdNote} required autoComplete="off" />
      <PasswordInput
        {...text('clientSecret')}
        description={provider?.hasClientSecret ? t.clientSecretKept : t.clientSecretNote}
        autoComplete="new-password"
      />
      <TagsInput
        label={t.domains}
        description={t.domainsNote}
        required
        value={fields.domains}
        error={faults.domains}
        maxTags={20}
        onChange={(domains) => set({ domains })}
      />
      <Select
        label={t.joinsAs}
        data={joining}
        value={fields.joinsAs}
        error={faults.joinsAs}
        allowDeselect={false}
        onChange={(value) => set({ joinsAs: (value as Role | '' | null) ?? '' })}
      />
      <Switch
        label={t.isRequired}
        description={t.isRequiredNote}
        checked={fields.isRequired}
        error={faults.isRequired}
        onChange={(event) => set({ isRequired: event.currentTarget.checked })}
      />
    </DialogForm>
  );
}
