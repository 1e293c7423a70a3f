import { Button, Checkbox, Stack, TextInput } from '@mantine/core';
import { createWebhook, updateWebhook, type WebhookEvent } from '@rapport/contract';
import { useApi } from '../../api/session/session.tsx';
import { FormDialog } from '../../shared/form/form-dialog.tsx';
import { type Form, useForm } from '../../shared/form/use-form.ts';
import { eventNames, t } from '../../texts/webhooks.ts';
import type { Webhook } from './webhook-state.tsx';

const allEvents = Object.keys(eventNames) as WebhookEvent[];

interface Fields {
  url: string;
  events: WebhookEvent[];
}
type Field = keyof Fields;

/** What creating and editing have in common. */
const common = {
  labels: { url: t.address, events: t.happenings },
  check: ({ url, events }: Fields) => ({
    url: /^https?:\/\/./i.test(url.trim()) ? undefined : t.enterAddress,
    events: events.length > 0 ? undefined : t.chooseHappening,
  }),
};

export function CreateWebhookDialog({ onClose }: { onClose: () => void }) {
  const api = useApi();
  const form = useForm({
    ...common,
    draft: 'webhook',
    initial: { url: '', events: [] as WebhookEvent[] },
    send: async ({ url, events }) => (await api.call(createWebhook, { body: { url: url.trim(), events } })).data,
    refresh: ['webhooks'],
    staysOpen: 'secret',
    onClose,
  });
  return (
    <FormDialog
      form={form}
      title={t.create}
      submit={t.createIt}
      secret={({ secret }) => ({ title: t.made, label: t.secret, secret, note: t.secretNote })}
    >
      <WebhookFields form={form} />
    </FormDialog>
  );
}

export function EditWebhookDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const api = useApi();
  const { webhookId: id, url, events } = webhook;
  const form = useForm({
    ...common,
    draft: `webhook:${id}`,
    initial: { url, events: [...events] },
    send: (fields) =>
      api.call(updateWebhook, { params: { id }, body: { url: fields.url.trim(), events: fields.events } }),
    refresh: ['webhooks'],
    said: t.saved,
    onClose,
  });
  return (
    <FormDialog form={form} title={t.editTitle} submit={t.save}>
      <WebhookFields form={form} />
    </FormDialog>
  );
}

function WebhookFields({ form }: { form: Pick<Form<Fields, Field>, 'text' | 'choice' | 'set'> }) {
  return (
    <>
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
    </>
  );
}
