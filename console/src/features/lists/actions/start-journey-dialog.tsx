import { Radio, Stack, TextInput } from '@mantine/core';
import { createJourney } from '@rapport/contract';
import { useApi } from '../../../api/session/session.tsx';
import { wanted } from '../../../shared/form/faults.ts';
import { FormDialog } from '../../../shared/form/form-dialog.tsx';
import { useForm } from '../../../shared/form/use-form.ts';
import { t } from '../../../texts/lists.ts';
import { type ListKey, sayKey } from '../list-key.ts';

const starts = ['everyone', 'joining'] as const;
type Start = (typeof starts)[number];

/** A draft of a journey that begins with the list: for its members of one moment, or for everyone who joins it. */
export function StartJourneyDialog({ list, name, onClose }: { list: ListKey; name: string; onClose: () => void }) {
  const api = useApi();
  const form = useForm({
    draft: `journey-of:${sayKey(list)}`,
    initial: { name: t.journeyOf(name).slice(0, 255), start: 'everyone' as Start },
    labels: { name: t.name, start: t.whoEnters },
    check: (values) => ({ name: wanted(values.name, t.nameWanted) }),
    send: async (values) => {
      const isBatch = values.start === 'everyone';
      const definition = { entry: isBatch ? { audience: list } : { joined: list }, steps: [] };
      const body = { name: values.name.trim(), type: isBatch ? ('batch' as const) : ('trigger' as const), definition };
      return (await api.call(createJourney, { body })).data;
    },
    refresh: ['journeys'],
    goTo: ({ journeyId }) => `/journeys/${journeyId}`,
    onClose,
  });
  return (
    <FormDialog form={form} title={t.startJourney} submit={t.createDraft}>
      <TextInput {...form.text('name')} required maxLength={255} data-autofocus />
      <Radio.Group {...form.choice('start')}>
        <Stack gap="xs" mt={4}>
          {starts.map((start) => (
            <Radio key={start} value={start} label={t.starts[start].title} description={t.starts[start].text} />
          ))}
        </Stack>
      </Radio.Group>
    </FormDialog>
  );
}
