import { Select, TextInput } from '@mantine/core';
import { createWorkspaceHook, type DataValue, type Provider } from '@rapport/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { keys } from '../../../queries/keys.ts';
import { useApi } from '../../../session/session.tsx';
import { Modal } from '../../../shared/dialog.tsx';
import { DialogForm } from '../../../shared/form/dialog-form.tsx';
import { faultsOf } from '../../../shared/form/faults.ts';
import { SecretOnce, staysOpen } from '../../../shared/form/secret-once.tsx';
import { hooks as t } from '../../../texts/settings-sending.ts';

type NewHook = DataValue<typeof createWorkspaceHook>;

export function AddHookDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [made, setMade] = useState<NewHook>();
  const close = () => {
    setMade(undefined);
    onClose();
  };
  return (
    <Modal opened={opened} onClose={close} title={made ? t.made : t.add} {...(made ? staysOpen : {})}>
      {made ? (
        <SecretOnce label={t.url} secret={made.url} note={t.urlNote} onDone={close} />
      ) : (
        <HookForm onMade={setMade} onCancel={close} />
      )}
    </Modal>
  );
}

const providers = Object.keys(t.providers) as Provider[];

/** Providers that sign with a key of their own; with SES it is a choice. */
type Signing = keyof typeof t.keyLabels;
const isSigning = (provider: Provider): provider is Signing => Object.hasOwn(t.keyLabels, provider);

function HookForm({ onMade, onCancel }: { onMade: (made: NewHook) => void; onCancel: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const [provider, setProvider] = useState<Provider>('postmark');
  const [key, setKey] = useState('');
  const [isMissing, setMissing] = useState(false);
  const signing = isSigning(provider) ? provider : undefined;
  const create = useMutation({
    mutationFn: async () => {
      const body = { provider, key: signing && key.trim() ? key.trim() : undefined };
      return (await api.call(createWorkspaceHook, { body })).data;
    },
    onSuccess: (made) => {
      void queries.invalidateQueries({ queryKey: keys.workspace.all });
      onMade(made);
    },
  });
  const faults = faultsOf(create.error, { provider: t.provider, key: t.key });
  const submit = () => {
    const needsKey = signing !== undefined && signing !== 'ses' && key.trim() === '';
    setMissing(needsKey);
    if (!needsKey) create.mutate();
  };
  return (
    <DialogForm submit={t.add} isBusy={create.isPending} fault={faults.form} onSubmit={submit} onCancel={onCancel}>
      <Select
        label={t.provider}
        data={providers.map((value) => ({ value, label: t.providers[value] }))}
        value={provider}
        allowDeselect={false}
        data-autofocus
        error={faults.provider}
        onChange={(value) => setProvider((value as Provider | null) ?? provider)}
      />
      {signing && (
        <TextInput
          label={t.keyLabels[signing]}
          description={t.keyNotes[signing]}
          required={signing !== 'ses'}
          autoComplete="off"
          value={key}
          error={isMissing ? t.enterKey : faults.key}
          onChange={(event) => setKey(event.currentTarget.value)}
        />
      )}
    </DialogForm>
  );
}
