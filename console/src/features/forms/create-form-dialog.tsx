import { MultiSelect, Textarea, TextInput } from '@mantine/core';
import { createForm } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { allTopics } from '../../api/everything.ts';
import { useApi } from '../../api/session/session.tsx';
import { wanted } from '../../shared/form/faults.ts';
import { FormDialog } from '../../shared/form/form-dialog.tsx';
import { useForm } from '../../shared/form/use-form.ts';
import { t } from '../../texts/forms.ts';

const usualFields = [
  { property: 'email', label: t.usualLabels.email, type: 'email' as const, required: true },
  { property: 'first_name', label: t.usualLabels.firstName, type: 'text' as const },
];

/** Asks for the least; everything else has its place on the form's page. */
export function CreateFormDialog({ onClose }: { onClose: () => void }) {
  const api = useApi();
  const { data: topics = [] } = useQuery(allTopics(api));
  const form = useForm({
    draft: 'form',
    initial: { name: '', topicIds: [] as string[], consentText: t.usualConsent },
    labels: { name: t.name, topicIds: t.topicIds, consentText: t.consentText },
    check: ({ name, consentText }) => ({
      name: wanted(name, t.nameWanted),
      consentText: wanted(consentText, t.fault.label),
    }),
    send: async ({ name, topicIds, consentText }) => {
      const body = { name: name.trim(), topicIds, consentText: consentText.trim(), fields: usualFields };
      return (await api.call(createForm, { body })).data;
    },
    refresh: ['forms'],
    goTo: ({ formId }) => `/forms/${formId}`,
    onClose,
  });
  return (
    <FormDialog form={form} title={t.createTitle} submit={t.create}>
      <TextInput {...form.text('name')} required maxLength={255} data-autofocus />
      <MultiSelect
        label={t.topicIds}
        description={t.topicIdsText}
        data={topics.map(({ topicId, name }) => ({ value: topicId, label: name }))}
        value={form.values.topicIds}
        error={form.faults.topicIds}
        onChange={(topicIds) => form.set({ topicIds })}
        searchable
      />
      <Textarea {...form.text('consentText')} description={t.consentTextText} required maxLength={1000} rows={3} />
    </FormDialog>
  );
}
