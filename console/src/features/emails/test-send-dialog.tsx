import { Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { ApiFailure } from '@rapport/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link } from 'wouter';
import { about } from '../../api/ask.ts';
import { useRights } from '../../api/session/rights.ts';
import { useApi } from '../../api/session/session.tsx';
import { Modal } from '../../shared/dialog.tsx';
import { useTyped } from '../../shared/drafts/use-typed.ts';
import { faults, t } from '../../texts/emails.ts';
import { t as words } from '../../texts/shared.ts';
import { ContactPicker } from './content/contact-picker.tsx';
import { type Contact, sendTest } from './email-api.ts';
import { fieldErrorsOf } from './field-errors.ts';
import type { EmailDraft } from './use-email-draft.ts';

interface TestSendDialogProps {
  work: EmailDraft;
  opened: boolean;
  onClose: () => void;
}

export function TestSendDialog({ work, opened, onClose }: TestSendDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={t.sendTestTitle}>
      <TestSendForm work={work} onClose={onClose} />
    </Modal>
  );
}

function TestSendForm({ work, onClose }: Omit<TestSendDialogProps, 'opened'>) {
  const api = useApi();
  const queries = useQueryClient();
  const { me } = useRights();
  // Most often to oneself.
  const form = useTyped(`test-send:${work.email.id}`, { to: me?.account.email ?? '' });
  const { to } = form.values;
  const leave = () => {
    form.forget();
    onClose();
  };
  const [fault, setFault] = useState<string>();
  const [contact, setContact] = useState<Contact>();
  const { subject, preheader, html } = work.draft;
  const send = useMutation({
    mutationFn: () =>
      sendTest(api, work.email.id, {
        to,
        ...(contact ? { contactId: contact.id } : {}),
        ...(work.isDirty ? { draft: { subject, preheader, html } } : {}),
      }),
    onSuccess: () => queries.invalidateQueries(about('outbox')),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (to.trim() === '') setFault(faults.to);
    else if (!/^[^\s@]+@[^\s@]+$/.test(to.trim())) setFault(faults.notAnAddress);
    else send.mutate();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <TextInput
          label={t.to}
          type="email"
          placeholder={t.toHint}
          required
          data-autofocus
          value={to}
          error={fault}
          onChange={(event) => {
            form.set({ to: event.currentTarget.value });
            setFault(undefined);
          }}
        />
        <ContactPicker label={t.renderedFor} contact={contact} onChange={setContact} />
        {work.isDirty && <Text c="dimmed">{t.testDraft}</Text>}
        {send.error && (
          <Text c="var(--bad)" role="alert">
            {refusalOf(send.error)}
          </Text>
        )}
        <div role="status">{send.data && <Sent {...send.data} />}</div>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={leave}>
            {send.data ? t.done : words.cancel}
          </Button>
          <Button type="submit" loading={send.isPending}>
            {send.data ? t.sendAgain : t.sendTest}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function refusalOf(error: Error): string {
  if (!(error instanceof ApiFailure)) return error.message;
  return Object.values(fieldErrorsOf(error)).join(' ');
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
