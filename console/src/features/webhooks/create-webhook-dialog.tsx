import { Button, Checkbox, Stack, TextInput } from '@mantine/core';
import { createWebhook, type WebhookEvent } from '@rapport/contract';
import { useApi } from '../../api/session/session.tsx';
import { FormDialog } from '../../shared/form/form-dialog.tsx';
import { useForm } from '../../shared/form/use-form.ts';
import { eventNames, t } from '../../texts/webhooks.ts';

const allEvents = Object.keys(eventNames) as WebhookEvent[];

export function CreateWebhookDialog({ onClose }: { onClose: () => void }) {
  const api = useApi();
  const form = useForm({
    draft: 'webhook',
    initial: { url: '', events: [] as WebhookEvent[] },
    labels: { url: t.address, events: t.happenings },
    check: ({ url, events }) => ({
      url: /^https?:\/\/./i.test(url.trim()) ? undefined : t.enterAddress,
      events: events.length > 0 ? undefined : t.chooseHappening,
    }),
    send: async ({ url, events }) => (await api.call(createWebhook, { body: { url: url.trim(), events } })).data,
    refresh: ['webhooks'],
    staysOpen: 'secret',
    onClose,
  });
  return (
    <FormDialog
      form={form}
      title={t.create}
      submit={t.create}
      secret={({ secret }) => ({ title: t.made, label: t.secret, secret, note: t.secretNote })}
    >
      <TextInput
        {...form.text('url')}
        description={t.addressNote}
        placeholder={t.addressHint}
        type="url"
        required
        data-autofocus
      />
      <Checkbox.Group {...form.choice('events')} label={t.happeningsNote} required>
        <Stack gap="xs" my="xs">
          {allEvents.map((event) => (
            <Checkbox key={event} value={event} label={eventNames[event]} />
          ))}
          <Button
            variant="subtle"
            size="xs"
            style={{ alignSelf: 'start' }}
            onClick={() => form.set({ events: allEvents })}
          >
            {t.allHappenings}
          </Button>
        </Stack>
      </Checkbox.Group>
    </FormDialog>
  );
}
