import { Radio, Stack, TextInput } from '@mantine/core';
import { createInvitation, type DataValue, type Role } from '@rapport/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { about } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { TypedNotice } from '../../../shared/drafts/typed-notice.tsx';
import { useTyped } from '../../../shared/drafts/use-typed.ts';
import { DialogForm } from '../../../shared/form/dialog-form.tsx';
import { faultsOf } from '../../../shared/form/faults.ts';
import { SecretDialog } from '../../../shared/form/secret-dialog.tsx';
import { roleNames, roleNotes } from '../../../texts/settings.ts';
import { t } from '../../../texts/settings-people.ts';

export type NewInvitation = DataValue<typeof createInvitation>;

export function InviteDialog(dialog: { opened: boolean; onClose: () => void }) {
  return (
    <SecretDialog<NewInvitation>
      {...dialog}
      title={t.invite}
      titleOnceMade={({ email }) => t.invited(email)}
      secretOf={linkOf}
      form={(onMade, onCancel) => <InviteForm onMade={onMade} onCancel={onCancel} />}
    />
  );
}

/** How the link of an invitation is shown. */
export function linkOf({ email, isMailed, link }: NewInvitation) {
  return { label: t.link, secret: link, note: isMailed ? t.mailedNote(email) : t.notMailedNote(email) };
}

function InviteForm({ onMade, onCancel }: { onMade: (made: NewInvitation) => void; onCancel: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const form = useTyped('invitation', { email: '', role: 'member' as Role });
  const { email, role } = form.values;
  const [isMissing, setMissing] = useState(false);
  const invite = useMutation({
    mutationFn: async () => (await api.call(createInvitation, { body: { email: email.trim(), role } })).data,
    onSuccess: (made) => {
      form.forget();
      void queries.invalidateQueries(about('people'));
      void queries.invalidateQueries(about('invitations'));
      onMade(made);
    },
  });
  const faults = faultsOf(invite.error, { email: t.email, role: t.role });
  const submit = () => {
    const isAddress = /^[^\s@]+@[^\s@]+$/.test(email.trim());
    setMissing(!isAddress);
    if (isAddress) invite.mutate();
  };
  return (
    <DialogForm
      submit={t.sendInvitation}
      isBusy={invite.isPending}
      fault={faults.form}
      onSubmit={submit}
      onCancel={() => {
        form.forget();
        onCancel();
      }}
    >
      <TypedNotice form={form} />
      <TextInput
        label={t.email}
        type="email"
        placeholder={t.emailHint}
        required
        data-autofocus
        value={email}
        error={isMissing ? t.enterEmail : faults.email}
        onChange={(event) => form.set({ email: event.currentTarget.value })}
      />
      <Radio.Group
        label={t.role}
        value={role}
        error={faults.role}
        onChange={(value) => form.set({ role: value as Role })}
      >
        <Stack gap="xs" mt="xs">
          {(Object.keys(roleNames) as Role[]).map((each) => (
            <Radio key={each} value={each} label={roleNames[each]} description={roleNotes[each]} />
          ))}
        </Stack>
      </Radio.Group>
    </DialogForm>
  );
}
