import { Button, Checkbox, Stack, TextInput } from '@mantine/core';
import { createWebhook, type DataValue, type WebhookEvent } from '@rapport/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { about } from '../../api/ask.ts';
import { useApi } from '../../api/session/session.tsx';
import { TypedNotice } from '../../shared/drafts/typed-notice.tsx';
import { useTyped } from '../../shared/drafts/use-typed.ts';
import { DialogForm } from '../../shared/form/dialog-form.tsx';
import { type Faults, faultsOf } from '../../shared/form/faults.ts';
import { SecretDialog } from '../../shared/form/secret-dialog.tsx';
import { eventNames, t } from '../../texts/webhooks.ts';

type NewWebhook = DataValue<typeof createWebhook>;

export function CreateWebhookDialog(dialog: { opened: boolean; onClose: () => void }) {
  return (
    <SecretDialog<NewWebhook>
      {...dialog}
      title={t.create}
      titleOnceMade={() => t.made}
      secretOf={({ secret }) => ({ label: t.secret, secret, note: t.secretNote })}
      form={(onMade, onCancel) => <WebhookForm onMade={onMade} onCancel={onCancel} />}
    />
  );
}

const allEvents = Object.keys(eventNames) as WebhookEvent[];

function WebhookForm({ onMade, onCancel }: { onMade: (made: NewWebhook) => void; onCancel: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const form = useTyped('webhook', { url: '', events: [] as WebhookEvent[] });
  const { url, events } = form.values;
  const [missing, setMissing] = useState<Faults<'url' | 'events'>>({});
  const create = useMutation({
    mutationFn: async () => (await api.call(createWebhook, { body: { url: url.trim(), events } })).data,
    onSuccess: (made) => {
      form.forget();
      void queries.invalidateQueries(about('webhooks'));
      onMade(made);
    },
  });
  const cancel = () => {
    form.forget();
    onCancel();
  };
  const submit = () => {
    const faults = {
      ...(/^https?:\/\/./i.test(url.trim()) ? {} : { url: t.enterAddress }),
      ...(events.length > 0 ? {} : { events: t.chooseHappening }),
    };
    setMissing(faults);
    if (Object.keys(faults).length === 0) create.mutate();
  };
  const faults = { ...faultsOf(create.error, { url: t.address, events: t.happenings }), ...missing };
  return (
    <DialogForm submit={t.create} isBusy={create.isPending} fault={faults.form} onSubmit={submit} onCancel={cancel}>
      <TypedNotice form={form} />
      <TextInput
        label={t.address}
        description={t.addressNote}
        placeholder={t.addressHint}
        type="url"
        required
        data-autofocus
        value={url}
        error={faults.url}
        onChange={(event) => form.set({ url: event.currentTarget.value })}
      />
      <Checkbox.Group
        label={t.happeningsNote}
        required
        value={events}
        error={faults.events}
        onChange={(chosen) => form.set({ events: chosen as WebhookEvent[] })}
      >
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
    </DialogForm>
  );
}
