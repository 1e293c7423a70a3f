import { Anchor, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { useRights } from '../../api/session/rights.ts';
import { useApi } from '../../api/session/session.tsx';
import { wanted } from '../../shared/form/faults.ts';
import { FormDialog } from '../../shared/form/form-dialog.tsx';
import { useForm } from '../../shared/form/use-form.ts';
import { faults, t } from '../../texts/emails.ts';
import { t as words } from '../../texts/shared.ts';
import { ContactPicker } from './content/contact-picker.tsx';
import { type Contact, sendTest } from './email-api.ts';
import { refusalOf } from './field-errors.ts';
import type { EmailDraft } from './use-email-draft.ts';

export function TestSendDialog({ work, onClose }: { work: EmailDraft; onClose: () => void }) {
  const api = useApi();
  const { me } = useRights();
  const [contact, setContact] = useState<Contact>();
  const { subject, preheader, html } = work.draft;
  const form = useForm({
    draft: `test-send:${work.email.id}`,
    // Usually to oneself.
    initial: { to: me?.account.email ?? '' },
    labels: { to: t.to },
    check: ({ to }) => ({
      to: wanted(to, faults.to) ?? (/^[^\s@]+@[^\s@]+$/.test(to.trim()) ? undefined : faults.notAnAddress),
    }),
    send: ({ to }) =>
      sendTest(api, work.email.id, {
        to,
        ...(contact ? { contactId: contact.id } : {}),
        ...(work.isDirty ? { draft: { subject, preheader, html } } : {}),
      }),
    refused: (error) => ({ form: refusalOf(error) }),
    refresh: ['outbox'],
    staysOpen: 'answer',
    onClose,
  });
  const { result } = form;
  return (
    <FormDialog
      form={form}
      title={t.sendTestTitle}
      submit={result ? t.sendAgain : t.sendTest}
      cancel={result ? t.done : words.cancel}
    >
      <TextInput {...form.text('to')} type="email" placeholder={t.toHint} required data-autofocus />
      <ContactPicker label={t.renderedFor} contact={contact} onChange={setContact} />
      {work.isDirty && <Text c="dimmed">{t.testDraft}</Text>}
      <div role="status">{result && <Sent {...result} />}</div>
    </FormDialog>
  );
}

function Sent({ transport, to, messageId }: { transport: 'smtp' | 'outbox'; to: string; messageId: string }) {
  if (transport === 'smtp') return <Text c="var(--good)">{t.sentTo(to)}</Text>;
  return (
    <Text c="var(--good)">
      {t.keptInOutbox}{' '}
      <Anchor component={Link} href={`/outbox/${encodeURIComponent(messageId)}`} inherit underline="always">
        {t.lookAtMessage}
      </Anchor>
    </Text>
  );
}
