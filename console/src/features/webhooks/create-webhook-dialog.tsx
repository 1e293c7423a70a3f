import { Button, Checkbox, Stack, TextInput } from '@mantine/core';
import { createWebhook, type DataValue, type WebhookEvent } from '@rapport/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { keys } from '../../queries/keys.ts';
import { useApi } from '../../session/session.tsx';
import { Modal } from '../../shared/dialog.tsx';
import { TypedNotice } from '../../shared/drafts/typed-notice.tsx';
import { useTyped } from '../../shared/drafts/use-typed.ts';
import { DialogForm } from '../../shared/form/dialog-form.tsx';
import { type Faults, faultsOf } from '../../shared/form/faults.ts';
import { SecretOnce, staysOpen } from '../../shared/form/secret-once.tsx';
import { eventNames, t } from '../../texts/webhooks.ts';

type NewWebhook = DataValue<typeof createWebhook>;

export function CreateWebhookDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [made, setMade] = useState<NewWebhook>();
  const close = () => {
    setMade(undefined);
    onClose();
  };
  return (
    <Modal opened={opened} onClose={close} title={made ? t.made : t.create} {...(made ? staysOpen : {})}>
      {made ? (
        <SecretOnce label={t.secret} secret={made.secret} note={t.secretNote} onDone={close} />
      ) : (
        <WebhookForm onMade={setMade} onCancel={close} />
      )}
    </Modal>
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
      void queries.invalidateQueries({ queryKey: keys.webhooks.all });
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
