import { Radio, Text, TextInput } from '@mantine/core';
import { useApi } from '../../../api/session/session.tsx';
import { wanted } from '../../../shared/form/faults.ts';
import { FormDialog } from '../../../shared/form/form-dialog.tsx';
import { useForm } from '../../../shared/form/use-form.ts';
import { ToneBadge } from '../../../shared/tone-badge.tsx';
import { t } from '../../../texts/journeys.ts';
import classes from './create-journey-dialog.module.css';
import { makeJourney } from './journeys-api.ts';
import { beginnings } from './templates.ts';

export function CreateJourneyDialog({ onClose }: { onClose: () => void }) {
  const api = useApi();
  const form = useForm({
    draft: 'journey',
    initial: { name: '', chosen: 'empty' },
    labels: { name: t.name, chosen: t.startWith },
    check: ({ name }) => ({ name: wanted(name, t.enterName) }),
    send: ({ name, chosen }) => {
      const beginning = beginnings.find(({ id }) => id === chosen);
      const definition = beginning?.definition;
      return makeJourney(api, {
        name: name.trim(),
        type: beginning?.type ?? 'trigger',
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
          {beginnings.map(({ id, type, title, text, needs }) => (
            <Radio.Card key={id} value={id} className={classes.template} aria-label={title}>
              <div className={classes.head}>
                <strong>{title}</strong>
                <ToneBadge tone="quiet">{t.types[type]}</ToneBadge>
              </div>
              <span className={classes.text}>{text}</span>
              {needs && <span className={classes.text}>{needs}</span>}
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
