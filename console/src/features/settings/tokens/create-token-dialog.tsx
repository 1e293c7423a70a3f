import { Radio, Select, Stack, TagsInput, TextInput } from '@mantine/core';
import { createPersonalToken } from '@rapport/contract';
import { useRights } from '../../../api/session/rights.ts';
import { useApi } from '../../../api/session/session.tsx';
import { wanted } from '../../../shared/form/faults.ts';
import { FormDialog } from '../../../shared/form/form-dialog.tsx';
import { useForm } from '../../../shared/form/use-form.ts';
import { tokens as t } from '../../../texts/settings-access.ts';
import { choicesFor, expiryAfter, type ScopeChoice, scopesOf } from './token-state.ts';

const days = ['30', '90', '365', 'never'] as const;

export function CreateTokenDialog({ onClose }: { onClose: () => void }) {
  const api = useApi();
  const { me } = useRights();
  const form = useForm({
    draft: 'token',
    initial: {
      name: '',
      scopes: 'read' as ScopeChoice,
      expiresAt: '90' as (typeof days)[number],
      allowedAddresses: [] as string[],
    },
    labels: { name: t.name, scopes: t.scopes, expiresAt: t.expiry, allowedAddresses: t.addresses },
    check: ({ name }) => ({ name: wanted(name, t.enterName) }),
    send: async ({ name, scopes, expiresAt, allowedAddresses }) => {
      const body = {
        name: name.trim(),
        scopes: scopesOf[scopes],
        expiresAt: expiryAfter(expiresAt, Date.now()),
        allowedAddresses: allowedAddresses.length > 0 ? allowedAddresses : undefined,
      };
      return (await api.call(createPersonalToken, { body })).data;
    },
    refresh: ['tokens'],
    staysOpen: 'secret',
    onClose,
  });
  return (
    <FormDialog
      form={form}
      title={t.create}
      submit={t.createIt}
      secret={({ token }) => ({ title: t.made, label: t.secret, secret: token, note: t.secretNote })}
    >
      <TextInput {...form.text('name')} placeholder={t.nameHint} required data-autofocus />
      <Radio.Group {...form.choice('scopes')}>
        <Stack gap="xs" mt="xs">
          {choicesFor(me?.token.scopes ?? ['READ', 'WRITE']).map((choice) => (
            <Radio key={choice} value={choice} label={t.scopeChoices[choice]} description={t.scopeNotes[choice]} />
          ))}
        </Stack>
      </Radio.Group>
      <Select
        {...form.choice('expiresAt')}
        data={days.map((value) => ({ value, label: t.expiries[value] }))}
        allowDeselect={false}
      />
      <TagsInput
        {...form.choice('allowedAddresses')}
        description={t.addressesNote}
        placeholder={form.values.allowedAddresses.length === 0 ? t.addressesHint : ''}
        maxTags={50}
      />
    </FormDialog>
  );
}
