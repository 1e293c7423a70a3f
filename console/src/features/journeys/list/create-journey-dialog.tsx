import { Button, Group, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { about } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { Modal } from '../../../shared/dialog.tsx';
import { TypedNotice } from '../../../shared/drafts/typed-notice.tsx';
import { useTyped } from '../../../shared/drafts/use-typed.ts';
import { ToneBadge } from '../../../shared/tone-badge.tsx';
import { useGoOn } from '../../../shared/use-go-on.ts';
import { t } from '../../../texts/journeys.ts';
import { t as words } from '../../../texts/shared.ts';
import type { JsonObject } from '../journey-api.ts';
import classes from './create-journey-dialog.module.css';
import { makeJourney } from './journeys-api.ts';
import { type TemplateId, templates } from './templates.ts';

export function CreateJourneyDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal opened={opened} onClose={onClose} title={t.create} size="lg">
      <CreateJourneyForm onClose={onClose} />
    </Modal>
  );
}

function CreateJourneyForm({ onClose }: { onClose: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const goOn = useGoOn();
  const form = useTyped('journey', { name: '', chosen: 'empty' as TemplateId });
  const { name, chosen } = form.values;
  const [fault, setFault] = useState<string>();
  const create = useMutation({
    mutationFn: () => {
      const template = templates.find(({ id }) => id === chosen);
      const definition = template?.definition as JsonObject | undefined;
      return makeJourney(api, {
        name: name.trim(),
        type: template?.type ?? 'trigger',
        ...(definition ? { definition } : {}),
      });
    },
    onSuccess: ({ journeyId }) => {
      form.forget();
      void queries.invalidateQueries(about('journeys'));
      goOn(`/journeys/${journeyId}`);
    },
  });
  const cancel = () => {
    form.forget();
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '') return setFault(t.enterName);
    create.mutate();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <TypedNotice form={form} />
        <TextInput
          label={t.name}
          description={t.nameHint}
          required
          data-autofocus
          maxLength={255}
          value={name}
          error={fault}
          onChange={(event) => {
            form.set({ name: event.currentTarget.value });
            setFault(undefined);
          }}
        />
        <Radio.Group label={t.startWith} value={chosen} onChange={(value) => form.set({ chosen: value as TemplateId })}>
          <div className={classes.templates}>
            {templates.map(({ id, type }) => (
              <Radio.Card key={id} value={id} className={classes.template} aria-label={t.templates[id].title}>
                <div className={classes.head}>
                  <strong>{t.templates[id].title}</strong>
                  <ToneBadge tone="quiet">{t.types[type]}</ToneBadge>
                </div>
                <span className={classes.text}>{t.templates[id].text}</span>
              </Radio.Card>
            ))}
          </div>
        </Radio.Group>
        <Text size="sm" c="dimmed">
          {t.forYou}
        </Text>
        {create.error && (
          <Text c="var(--bad)" role="alert">
            {create.error.message}
          </Text>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={cancel}>
            {words.cancel}
          </Button>
          <Button type="submit" loading={create.isPending}>
            {t.createIt}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
