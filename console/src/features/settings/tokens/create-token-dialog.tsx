import { Radio, Select, Stack, TagsInput, TextInput } from '@mantine/core';
import { createPersonalToken, type DataValue } from '@rapport/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { about } from '../../../api/ask.ts';
import { useRights } from '../../../api/session/rights.ts';
import { useApi } from '../../../api/session/session.tsx';
import { TypedNotice } from '../../../shared/drafts/typed-notice.tsx';
import { useTyped } from '../../../shared/drafts/use-typed.ts';
import { DialogForm } from '../../../shared/form/dialog-form.tsx';
import { faultsOf } from '../../../shared/form/faults.ts';
import { SecretDialog } from '../../../shared/form/secret-dialog.tsx';
import { tokens as t } from '../../../texts/settings-access.ts';
import { choicesFor, expiryAfter, type ScopeChoice, scopesOf } from './token-state.ts';

type NewToken = DataValue<typeof createPersonalToken>;

export function CreateTokenDialog(dialog: { opened: boolean; onClose: () => void }) {
  return (
    <SecretDialog<NewToken>
      {...dialog}
      title={t.create}
      titleOnceMade={() => t.made}
      secretOf={({ token }) => ({ label: t.secret, secret: token, note: t.secretNote })}
      form={(onMade, onCancel) => <TokenForm onMade={onMade} onCancel={onCancel} />}
    />
  );
}

const empty = { name: '', scopes: 'read' as ScopeChoice, days: '90', addresses: [] as string[] };
const days = ['30', '90', '365', 'never'] as const;

function TokenForm({ onMade, onCancel }: { onMade: (made: NewToken) => void; onCancel: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const { me } = useRights();
  const form = useTyped('token', empty);
  const fields = form.values;
  const [isMissing, setMissing] = useState(false);
  const { set } = form;
  const create = useMutation({
    mutationFn: async () => {
      const body = {
        name: fields.name.trim(),
        scopes: scopesOf[fields.scopes],
        expiresAt: expiryAfter(fields.days, Date.now()),
        allowedAddresses: fields.addresses.length > 0 ? fields.addresses : undefined,
      };
      return (await api.call(createPersonalToken, { body })).data;
    },
    onSuccess: (made) => {
      form.forget();
      void queries.invalidateQueries(about('tokens'));
      onMade(made);
    },
  });
  const cancel = () => {
    form.forget();
    onCancel();
  };
  const submit = () => {
    setMissing(fields.name.trim() === '');
    if (fields.name.trim() !== '') create.mutate();
  };
  const labels = { name: t.name, scopes: t.scopes, expiresAt: t.expiry, allowedAddresses: t.addresses };
  const faults = faultsOf(create.error, labels);
  return (
    <DialogForm submit={t.create} isBusy={create.isPending} fault={faults.form} onSubmit={submit} onCancel={cancel}>
      <TypedNotice form={form} />
      <TextInput
        label={t.name}
        placeholder={t.nameHint}
        required
        data-autofocus
        value={fields.name}
        error={isMissing ? t.enterName : faults.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <Radio.Group
        label={t.scopes}
        value={fields.scopes}
        error={faults.scopes}
        onChange={(value) => set({ scopes: value as ScopeChoice })}
      >
        <Stack gap="xs" mt="xs">
          {choicesFor(me?.token.scopes ?? ['READ', 'WRITE']).map((choice) => (
            <Radio key={choice} value={choice} label={t.scopeChoices[choice]} description={t.scopeNotes[choice]} />
          ))}
        </Stack>
      </Radio.Group>
      <Select
        label={t.expiry}
        data={days.map((value) => ({ value, label: t.expiries[value] }))}
        value={fields.days}
        error={faults.expiresAt}
        allowDeselect={false}
        onChange={(value) => set({ days: value ?? empty.days })}
      />
      <TagsInput
        label={t.addresses}
        description={t.addressesNote}
        placeholder={fields.addresses.length === 0 ? t.addressesHint : ''}
        value={fields.addresses}
        error={faults.allowedAddresses}
        maxTags={50}
        onChange={(addresses) => set({ addresses })}
      />
    </DialogForm>
  );
}
