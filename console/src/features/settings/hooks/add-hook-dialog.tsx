import { Select, TextInput } from '@mantine/core';
import { createWorkspaceHook, type DataValue, mailProviders, type Provider, providerNames } from '@rapport/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { about } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { TypedNotice } from '../../../shared/drafts/typed-notice.tsx';
import { useTyped } from '../../../shared/drafts/use-typed.ts';
import { DialogForm } from '../../../shared/form/dialog-form.tsx';
import { faultsOf } from '../../../shared/form/faults.ts';
import { SecretDialog } from '../../../shared/form/secret-dialog.tsx';
import { hooks as t } from '../../../texts/settings-sending.ts';

type NewHook = DataValue<typeof createWorkspaceHook>;

export function AddHookDialog(dialog: { opened: boolean; onClose: () => void }) {
  return (
    <SecretDialog<NewHook>
      {...dialog}
      title={t.add}
      titleOnceMade={() => t.made}
      secretOf={({ url }) => ({ label: t.url, secret: url, note: t.urlNote })}
      form={(onMade, onCancel) => <HookForm onMade={onMade} onCancel={onCancel} />}
    />
  );
}

interface HookFields {
  provider: Provider;
  key: string;
}

const withoutKey = ({ key: _key, ...rest }: Partial<HookFields>): Partial<HookFields> => rest;

function HookForm({ onMade, onCancel }: { onMade: (made: NewHook) => void; onCancel: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const form = useTyped<HookFields>('mail-hook', { provider: 'postmark', key: '' }, withoutKey);
  const { provider, key } = form.values;
  const [isMissing, setMissing] = useState(false);
  const signing = mailProviders[provider].key;
  const create = useMutation({
    mutationFn: async () => {
      const body = { provider, key: signing && key.trim() ? key.trim() : undefined };
      return (await api.call(createWorkspaceHook, { body })).data;
    },
    onSuccess: (made) => {
      form.forget();
      void queries.invalidateQueries(about('workspace'));
      onMade(made);
    },
  });
  const faults = faultsOf(create.error, { provider: t.provider, key: t.key });
  const cancel = () => {
    form.forget();
    onCancel();
  };
  const submit = () => {
    const lacksKey = signing?.isRequired === true && key.trim() === '';
    setMissing(lacksKey);
    if (!lacksKey) create.mutate();
  };
  return (
    <DialogForm submit={t.add} isBusy={create.isPending} fault={faults.form} onSubmit={submit} onCancel={cancel}>
      <TypedNotice form={form} hasSecret />
      <Select
        label={t.provider}
        data={providerNames.map((value) => ({ value, label: mailProviders[value].label }))}
        value={provider}
        allowDeselect={false}
        data-autofocus
        error={faults.provider}
        onChange={(value) => form.set({ provider: (value as Provider | null) ?? provider })}
      />
      {signing && (
        <TextInput
          label={signing.label}
          description={signing.hint}
          required={signing.isRequired}
          autoComplete="off"
          value={key}
          error={isMissing ? t.enterKey : faults.key}
          onChange={(event) => form.set({ key: event.currentTarget.value })}
        />
      )}
    </DialogForm>
  );
}
