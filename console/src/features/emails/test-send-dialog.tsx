import { Anchor, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link } from 'wouter';
import { useApi } from '../../session/session.tsx';
import { noTransition } from '../../theme/theme.ts';
import { ContactPicker } from './content/contact-picker.tsx';
import { type Contact, sendTest } from './email-api.ts';

interface TestSendDialogProps {
  id: string;
  opened: boolean;
  isDirty: boolean;
  onClose: () => void;
}

export function TestSendDialog({ id, opened, isDirty, onClose }: TestSendDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Send a test" {...noTransition}>
      <TestSendForm id={id} isDirty={isDirty} onClose={onClose} />
    </Modal>
  );
}

function TestSendForm({ id, isDirty, onClose }: Omit<TestSendDialogProps, 'opened'>) {
  const api = useApi();
  const queries = useQueryClient();
  const [to, setTo] = useState('');
  const [contact, setContact] = useState<Contact>();
  const send = useMutation({
    mutationFn: () => sendTest(api, id, { to, contactId: contact?.id }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['outbox'] }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send.mutate();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <TextInput
          label="To"
          type="email"
          placeholder="you@example.com"
          required
          data-autofocus
          value={to}
          error={send.error?.message}
          onChange={(event) => setTo(event.currentTarget.value)}
        />
        <ContactPicker label="Rendered for" contact={contact} onChange={setContact} />
        {isDirty && <Text c="dimmed">The email is sent as it was last saved, without your unsaved changes.</Text>}
        <div role="status">{send.data && <Sent {...send.data} />}</div>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {send.data ? 'Done' : 'Cancel'}
          </Button>
          <Button type="submit" loading={send.isPending}>
            {send.data ? 'Send again' : 'Send test'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Sent({ transport, to, messageId }: { transport: 'smtp' | 'outbox'; to: string; messageId: string }) {
  if (transport === 'smtp') return <Text c="var(--good)">Sent to {to}.</Text>;
  return (
    <Text c="var(--good)">
      Kept in the outbox, because no mail server is set up.{' '}
      <Anchor component={Link} href={`/outbox/${encodeURIComponent(messageId)}`} inherit underline="always">
        Look at the message
      </Anchor>
    </Text>
  );
}
