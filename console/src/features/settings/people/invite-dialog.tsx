import { Radio, Stack, TextInput } from '@mantine/core';
import { createInvitation, type DataValue, type Role } from '@rapport/contract';
import { useApi } from '../../../api/session/session.tsx';
import { FormDialog } from '../../../shared/form/form-dialog.tsx';
import { useForm } from '../../../shared/form/use-form.ts';
import { roleNames, roleNotes } from '../../../texts/settings.ts';
import { t } from '../../../texts/settings-people.ts';

/** How the link of an invitation is shown. */
export function linkOf({ email, isMailed, link }: DataValue<typeof createInvitation>) {
  return { label: t.link, secret: link, note: isMailed ? t.mailedNote(email) : t.notMailedNote(email) };
}

export function InviteDialog({ onClose }: { onClose: () => void }) {
  const api = useApi();
  const form = useForm({
    draft: 'invitation',
    initial: { email: '', role: 'member' as Role },
    labels: { email: t.email, role: t.role },
    check: ({ email }) => ({ email: /^[^\s@]+@[^\s@]+$/.test(email.trim()) ? undefined : t.enterEmail }),
    send: async ({ email, role }) => (await api.call(createInvitation, { body: { email: email.trim(), role } })).data,
    refresh: ['people', 'invitations'],
    staysOpen: 'secret',
    onClose,
  });
  return (
    <FormDialog
      form={form}
      title={t.invite}
      submit={t.sendInvitation}
      secret={(made) => ({ title: t.invited(made.email), ...linkOf(made) })}
    >
      <TextInput {...form.text('email')} type="email" placeholder={t.emailHint} required data-autofocus />
      <Radio.Group {...form.choice('role')}>
        <Stack gap="xs" mt="xs">
          {(Object.keys(roleNames) as Role[]).map((each) => (
            <Radio key={each} value={each} label={roleNames[each]} description={roleNotes[each]} />
          ))}
        </Stack>
      </Radio.Group>
    </FormDialog>
  );
}
