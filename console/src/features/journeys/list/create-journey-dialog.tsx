import { Radio, Text, TextInput } from '@mantine/core';
import { useApi } from '../../../api/session/session.tsx';
import { wanted } from '../../../shared/form/faults.ts';
import { FormDialog } from '../../../shared/form/form-dialog.tsx';
import { useForm } from '../../../shared/form/use-form.ts';
import { ToneBadge } from '../../../shared/tone-badge.tsx';
import { t } from '../../../texts/journeys.ts';
import type { JsonObject } from '../journey-api.ts';
import classes from './create-journey-dialog.module.css';
import { makeJourney } from './journeys-api.ts';
import { type TemplateId, templates } from './templates.ts';

export function CreateJourneyDialog({ onClose }: { onClose: () => void }) {
  const api = useApi();
  const form = useForm({
    draft: 'journey',
    initial: { name: '', chosen: 'empty' as TemplateId },
    labels: { name: t.name, chosen: t.startWith },
    check: ({ name }) => ({ name: wanted(name, t.enterName) }),
    send: ({ name, chosen }) => {
      const template = templates.find(({ id }) => id === chosen);
      const definition = template?.definition as JsonObject | undefined;
      return makeJourney(api, {
        name: name.trim(),
        type: template?.type ?? 'trigger',
        ...(definition ? { definition } : {}),
      });
    },
    refresh: ['journeys'],
    goTo: ({ journeyId }) => `/journeys/${journeyId}`,
    onClose,
  });
  return (
    <FormDialog form={form} title={t.create} size="lg" submit={t.createIt}>
      <TextInput {...form.text('name')} description={t.nameHint} required data-autofocus maxLength={255} />
      <Radio.Group {...form.choice('chosen')}>
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
    </FormDialog>
  );
}
